import { expect, test } from "vitest";
import { beginRun, cleanRun, type ForgedRun, forgedCase } from "../../../../test/forged-run.ts";
import { tamperedLogs } from "../../../../test/tampered-logs.ts";
import { type ReadEvent, readEvent } from "../../../agent-runtime/log/read-event.ts";
import type { RecordedRun } from "../../../contract/agent-log.ts";
import { gradeRun } from "./grade-run.ts";

/** What still passes when one thing about a log is changed, and how many changes were tried. */
async function passing(run: ForgedRun, over: Record<string, unknown> = {}) {
  const loaded = forgedCase(over);
  const recorded = run.recorded();
  const grade = async (lines: readonly string[]) =>
    (await gradeRun({ ...recorded, ...readLines(lines) }, loaded, { trial: 1, model: "mock" })).status;
  const passed = new Set<string>();
  let count = 0;
  for (const { what, lines } of tamperedLogs(run.lines())) {
    count++;
    if ((await grade(lines)) === "pass") passed.add(what);
  }
  return { untouched: await grade(run.lines()), passed: [...passed].sort(), count };
}

const known = new Map<string, ReadEvent>();

/** Reads as the reader of a run directory does, but lines that are the same only once. */
function readLines(lines: readonly string[]): Pick<RecordedRun, "events" | "lines" | "problem"> {
  const runId = "20260203_123456_abcd";
  const read = lines.map((line, n) => {
    const found = known.get(line) ?? readEvent(line, n + 1, runId);
    known.set(line, found);
    return found;
  });
  const damage = read.findIndex(({ kind }) => kind === "damaged");
  const problem = { code: "LogDamaged", message: "a line is damaged", line: damage + 1 } as const;
  return {
    lines,
    events: read.flatMap((each) => (each.kind === "event" ? [each.event] : [])),
    problem: damage === -1 ? null : problem,
  };
}

const may = (tool: string) => ({ enable_tools: [tool], approvals: [{ tool, decision: "grant" }] });
const forbid = (name: string) => ({ expect: { action_sequence_constraints: [{ forbid: name }] } });

const wrongRuns: [string, () => ForgedRun, Record<string, unknown>][] = [
  [
    "a forbidden deletion",
    () => beginRun().select().call("delete_file", { path: "out.txt" }).answer(),
    { ...may("delete_file"), ...forbid("delete_file") },
  ],
  [
    "a script without approval",
    () => beginRun().select().run().answer().drop("approval_required").drop("approval_granted"),
    { expect: {} },
  ],
  ["a way out", () => beginRun().select().load("../../etc/passwd").answer(), { expect: {} }],
  [
    "a skill that must not be chosen",
    () => beginRun().select().answer(),
    { expect: { skills_none_of: ["pdf-form-filler"] } },
  ],
];

test.each(wrongRuns)(
  "a log of %s never passes, whatever is changed about it",
  async (_, run, over) => {
    const { untouched, passed, count } = await passing(run(), over);
    expect(untouched).toBe("fail");
    expect(passed).toEqual([]);
    expect(count).toBeGreaterThan(400);
  },
  60_000,
);

/** Of a run that is as it should be: what may be changed about its log without any other statement of it becoming untrue. */
const harmless = [
  // Times, sums of money, words for people; hashes of texts that nobody kept.
  /^\w+ ts /,
  / data\.(?:audit\.ts_\w+|duration_ms|usage(?:\.\w+)?|by|reason|replay|summary|remaining|answer_now) /,
  / data\.(?:raw\.\w+|prompt_sha256|request_\w+|sha256|report\.(?:excerpt_)?sha256) contradicted/,
  /^action_planned data\.action\.payload\.reason /,
  // What is said twice, once left out.
  / data\.(?:audit\.)?result\.(?:exit_code|loaded|already_loaded|bytes_read|chars_returned|truncated|strategy) (?:dropped|renamed)/,
  / data\.report\.(?:bytes|strategy) /,
  /^skill_loaded data\.report\.(?:bytes_read|chars_returned) contradicted/,
  / data\.(?:audit\.)?result contradicted/,
  / data\.(?:skill|action\.payload\.skills\.\[\])\.source /,
  /^action_planned data\.action\.payload\.skills contradicted/,
  // Links may lead a path elsewhere in its folder; how often a reply was asked for, and other parts of a prompt than skills.
  /^action_executed data\.audit\.path\.resolved /,
  /^model_request data\.(?:try|chars|context_manifest(?:\.\[\](?:\.chars|\.sha256)?)?) /,
  // What the case does not ask for, or asks for itself: its own limits and denials count.
  /^run_started data\.(?:invoked|limits\.\w+|model\.\w+|policy\.[\w.[\]]+) /,
  /^skills_indexed data\.(?:roots[\w.[\]]*|found|preinstalled[\w.[\]]*|skills\.\[\]\.(?:invocable|digest|name|source)) /,
  /^run_finished data\.mock\.unused /,
];

test("whatever is changed about the log of a clean run is noticed, unless it is evidence of nothing", async () => {
  const { untouched, passed, count } = await passing(cleanRun());
  expect(untouched).toBe("pass");
  expect(passed.filter((what) => !harmless.some((known) => known.test(what)))).toEqual([]);
  expect(count).toBeGreaterThan(1000);
}, 60_000);
