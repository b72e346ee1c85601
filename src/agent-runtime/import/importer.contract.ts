import { describe, expect, test } from "vitest";
import { countCalls, gradeImported, importText } from "../../../test/imported-run.ts";
import { eventData } from "../../contract/agent-event.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import { type TraceKind, traceKinds } from "../../contract/trace-kind.ts";
import { UserError } from "../../shared/user-error.ts";
import type { ImportedRun } from "./trace.ts";

/** A transcript that is whole: nothing in it is damaged. */
export interface TraceSample {
  name: string;
  text: string;
  /** How many calls a look at the text finds, without the importer. */
  calls: number;
  /** Other files of the session, by path. */
  companions?: Readonly<Record<string, string>>;
}

/**
 * What every importer must do. Run it over yours: `importerContract(kind, samples)`. Samples should between them break rules in
 * every way their format can show: a denied call, a write, several requests, agents within agents.
 */
export function importerContract(kind: TraceKind, samples: readonly TraceSample[]): void {
  describe.each(samples)(`${kind}: $name`, (sample) => {
    const read = (text: string, asked: TraceKind | null = null, companions = sample.companions) =>
      importText(asked, text, {
        companion: (path) => {
          const found = companions?.[path];
          return found === undefined ? null : Buffer.from(found);
        },
      });

    test("is recognised by what it contains, and refused as anything else", () => {
      expect(read(sample.text).map(({ started }) => started.origin.kind)).toContain(kind);
      for (const other of traceKinds.filter((one) => one !== kind))
        expect(() => read(sample.text, other)).toThrow(
          expect.objectContaining({ code: "trace-invalid", message: expect.stringContaining(kind) }),
        );
    });

    test("keeps every call, and nothing in it is unknown", () => {
      const runs = read(sample.text, kind);
      expect(countCalls(runs)).toBe(sample.calls);
      const items = runs.flatMap(({ started }) => started.origin.unknown ?? []);
      const damage = items.filter((item) => typeof item !== "string" && item.kind !== "opaque");
      expect(damage).toEqual([]);
    });

    test("gives valid events, the same each time", () => {
      const runs = read(sample.text, kind);
      expect(read(sample.text, kind)).toEqual(runs);
      for (const { type, data } of runs.flatMap(({ events }) => events))
        expect(eventData[type].safeParse(data).error, type).toBeUndefined();
    });

    // A rule that a whole trace breaks, or says nothing about, must not pass because a line of it is damaged.
    test("never passes for being damaged", async () => {
      const undamaged = await statuses(read(sample.text, kind));
      const notPassed = [...undamaged].filter(([, status]) => status !== "pass");
      expect(notPassed.length).toBeGreaterThan(10);
      expect(notPassed.length).toBeLessThan(undamaged.size);
      const wrong: string[] = [];
      const copies = [...damagedCopies(sample.text)].map(({ what, text }) => ({
        what,
        runs: readOrRefuse(() => read(text, kind)),
      }));
      for (const [path, whole] of Object.entries(sample.companions ?? {}))
        for (const { what, text } of damagedCopies(whole)) {
          const runs = read(sample.text, kind, { ...sample.companions, [path]: text });
          copies.push({ what: `${path} ${what}`, runs });
        }
      for (const { what, runs } of copies) {
        if (runs === null) continue;
        const found = await statuses(runs);
        for (const [name, before] of notPassed)
          if (found.get(name) === "pass") wrong.push(`${what}: ${name} was ${before} and passes`);
      }
      expect(wrong.slice(0, 50)).toEqual([]);
    });
  });
}

function readOrRefuse(read: () => ImportedRun[]): ImportedRun[] | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError && error.code === "trace-invalid") return null;
    throw error;
  }
}

/** A text with one line removed, garbled or repeated, for every line. */
function* damagedCopies(text: string): Generator<{ what: string; text: string }> {
  const lines = text.trimEnd().split("\n");
  for (const [at, line] of lines.entries()) {
    const replaced = (by: readonly string[]) =>
      [...lines.slice(0, at), ...by, ...lines.slice(at + 1)].join("\n");
    const copies: Record<string, readonly string[]> = {
      removed: [],
      cut: [line.slice(0, line.length / 2)],
      repeated: [line, line],
      "of another type": [line.replace(/"(type|role)": ?"(\w+)"/, '"$1":"x$2"')],
      "with another key": [
        line.replace(/"(content|tool_calls|message|attributes|arguments|name|input)":/, '"x$1":'),
      ],
      "with its last key changed": [line.replace(/^(.*)"(\w+)":([^"]*"[^"]*"[^":]*)$/, '$1"x$2":$3')],
    };
    for (const [what, by] of Object.entries(copies)) {
      const copy = replaced(by);
      if (copy !== text.trimEnd()) yield { what: `line ${at + 1} ${what}`, text: copy };
    }
  }
}

const tools = ["read_file", "list_dir", "grep", "write_file", "delete_file", "network_request", "run_script"];
const names = [
  "select_skills",
  "load_resource",
  "call_tool",
  "load_skill_body",
  "foreign:send_mail",
  ...tools,
];
const orders = ["select_skills", "load_resource", "run_script", "write_file", "read_file"];
const skills = ["pdf-form-filler", "notes", "excel"];

/** One case that asks for everything, and the opposite: of a whole trace about half of it fails. */
const asks = [0, 2].map((limit) => ({
  constraints: {
    max_turns: limit + 1,
    max_tool_calls: limit,
    max_script_runs: limit,
    max_resource_loads: limit,
    deny_tools: [tools[limit + 3] ?? "grep"],
  },
  expect: {
    skills_all_of: [skills[limit]],
    skills_none_of: [skills[limit]],
    skills_any_of: [skills[limit]],
    action_sequence_constraints: [
      ...names.flatMap((name) => [{ forbid: name }, { must_occur: name }]),
      ...orders.flatMap((must_occur) =>
        orders.filter((before) => before !== must_occur).map((before) => ({ must_occur, before })),
      ),
    ],
    one_action_per_turn: true,
    errors: [
      { code: "ApprovalDenied", min: limit, max: limit },
      { code: "ToolFailed", min: limit, max: limit },
    ],
    stop_reason: ["final_answer", "budget_exhausted", "cancelled"][limit],
    output: [
      { contains_all: ["Done"], not_contains_any: ["filled"] },
      { contains_all: ["never said"], format: "json" },
      { contains_any: ["note"], not_contains_any: ["Done"] },
    ][limit],
  },
}));

/** The worst status of every check over all runs; a check that only some of them have was not observed in the others. */
async function statuses(runs: readonly ImportedRun[]): Promise<Map<string, string>> {
  const worst = new Map<string, string>();
  for (const [n, asked] of asks.entries()) {
    const reports = await Promise.all(runs.map((run) => gradeImported(run, asked)));
    const found = reports.map((report) => new Map([...checksIn(report), ["verdict", report.status]]));
    for (const name of new Set(found.flatMap((checks) => [...checks.keys()]))) {
      const all = found.map((checks) => checks.get(name) ?? "not_observed");
      const status = all.find((one) => one === "fail") ?? all.find((one) => one !== "pass") ?? "pass";
      worst.set(`${n} ${name}`, status);
    }
  }
  return worst;
}

function checksIn({ scores }: CaseReport): [string, string][] {
  return Object.entries(scores).flatMap(([dimension, score]) =>
    (score?.checks ?? []).map(({ name, status }): [string, string] => [`${dimension} ${name}`, status]),
  );
}
