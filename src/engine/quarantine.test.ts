import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { levelMaterials } from "../../test/level-materials.ts";
import { levelSample } from "../../test/level-samples.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { toyLevel, toySessions, toyTable } from "../../test/toy-level.ts";
import { settledOptions } from "../contract/option-table.ts";
import type { QuarantineEntry } from "../contract/quarantine.ts";
import { parseCell } from "../contract/result.ts";
import { pairTasks } from "../report/compare/compare-tasks.ts";
import { comparedSides } from "../report/compare/compared-side.ts";
import { countedReasons } from "../report/compare/diff-words.ts";
import { loadFormats } from "../report/formats/load-formats.ts";
import { systemClock } from "../shared/async/clock.ts";
import type { GateRule } from "./gates.ts";
import { findOwner, openQuarantine } from "./quarantine.ts";
import { runLevels } from "./run-levels.ts";
import { prepareOutputFolder } from "./write-reports.ts";

const entry = (pattern: string, changes: Partial<QuarantineEntry> = {}): QuarantineEntry => ({
  ...{ case: pattern, until: "2999-12-31", reason: "provider outage" },
  ...changes,
});

const gate: GateRule = {
  ...{ level: "toy", metric: "completionRate", on: "point", op: ">=", threshold: 0.9 },
  ...{ enforced: true, scope: "subject" },
};

/** Runs these words with a quarantine; those that are no palindromes fail. */
async function runToy(words: string[], quarantine: readonly QuarantineEntry[], rules = [gate]) {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const plan = {
    ...{ cwd: "/", storedOptions: {} },
    ...settledOptions(toyTable, "plan", { words, calls: at("calls") }),
  };
  const context = { storePath: at("store.db"), version: "1.2.3", exclude: [] };
  prepareOutputFolder(at("out"));
  await using session = await toySessions.begin(plan, context);
  const end = await runLevels(
    session,
    {
      ...{
        command: "toy",
        reportName: "eval-result",
        concurrency: 2,
        outputDir: at("out"),
        store: "./store.db",
      },
      ...{ evalLog: null, gates: () => rules, maxInvalid: 0, familyWise: false, budget: null },
      quarantine,
      owners: [{ skill: "mir*", owner: "@glass" }],
    },
    {
      ...{ formats: await loadFormats(["terminal"]), clock: systemClock, random: () => 0, listeners: [] },
      ...{ signal: new AbortController().signal, version: "1.2.3", cwd: folder.path, env: {} },
    },
  );
  if (end.state !== "done") throw new Error("the run was interrupted");
  return {
    report: { ...end.report, cases: [...end.report.cases] },
    view: end.view,
    cells: [...end.cells()].map(parseCell),
    calls: readFileSync(at("calls"), "utf8").trim().split("\n"),
    terminal: readFileSync(at("out/eval-result.txt"), "utf8"),
  };
}

describe("what is in quarantine", () => {
  test("is run and shown, and is in no figure, no count and no gate", async () => {
    const { report, cells, calls, terminal, view } = await runToy(
      ["anna", "not", "otto"],
      [entry("mirror/n*")],
    );

    expect(calls).toContain("not");
    expect(report).toMatchObject({ passed: 2, total: 2, exitCode: 0 });
    expect(report.subjects[0]).toMatchObject({
      counts: { total: 2, pass: 2, fail: 0 },
      quarantined: { cases: 1, counts: { total: 1, fail: 1 } },
      metrics: { completionRate: { value: 1, n: 2 }, caseCoverage: { value: 1 } },
      owner: "@glass",
    });
    expect(cells.find(({ caseId }) => caseId === "not")).toMatchObject({
      status: "fail",
      quarantine: { until: "2999-12-31", reason: "provider outage" },
    });
    expect(view.verdict.words).toBe("2 passed, 1 in quarantine");
    expect(terminal).toContain("in quarantine: 1 case (mirror/n*) until 2999-12-31: provider outage");
  });

  test("decides again from the day after its last one, and the report says so before all else", async () => {
    const { report, view } = await runToy(["anna", "not"], [entry("mirror/n*", { until: "2020-02-29" })]);

    expect(report).toMatchObject({ passed: 1, total: 2, exitCode: 1 });
    expect(report.warnings[0]).toBe(
      "the quarantine of mirror/n* expired after 2020-02-29 (provider outage): 1 case decides again; fix it, or set another day",
    );
    expect(view.verdict.reasons[0]).toContain("the quarantine of mirror/n* expired after 2020-02-29");
    expect(report.quarantine).toEqual([expect.objectContaining({ isExpired: true, cases: 1 })]);
  });

  test("counts until the end of its last day", async () => {
    const { report: sample } = await levelSample(toyLevel);
    const suites = [{ ...sample, level: toyLevel, id: "s", subjects: [], isPartial: false }] as never;
    const [today, yesterday] = ["2026-03-01", "2026-02-28"].map((until) =>
      openQuarantine([entry("a/b", { until })], suites, "2026-03-01T23:59:59.000Z"),
    );

    expect(today?.entries[0]?.isExpired).toBe(false);
    expect(yesterday?.entries[0]?.isExpired).toBe(true);
  });

  test("is no pass where nothing else is left, for gates on a subject and for those on the run", async () => {
    const failures = { ...gate, metric: "failedWords", op: "<=", threshold: 0, scope: "run" } as const;
    for (const rule of [gate, failures]) {
      const { report, view } = await runToy(["anna", "not"], [entry("mirror/*")], [rule]);

      expect(report).toMatchObject({ passed: 0, total: 0, exitCode: 3, gates: [{ passed: null }] });
      expect(view.verdict.words).toBe("no verdict, 2 in quarantine");
      expect(view.verdict.reasons).toContain("mirror: every case is in quarantine");
    }
  });

  test("that matches nothing is a warning, unless it is about another level", async () => {
    const { report } = await runToy(["anna"], [entry("mirror/x"), entry("mirror/y", { level: "trigger" })]);

    expect(report.warnings).toEqual(["the quarantine of mirror/x matches no case of this run"]);
  });
});

describe.each(levelMaterials.map(({ level }) => [level.name, level] as const))(
  "at the level %s",
  (_, level) => {
    test("cases in quarantine leave every figure as if they were not there", async () => {
      const broken = ["fails", "flaky", "breaks", "stalls", "undecided"];
      const quarantine = broken.map((name) => entry(`*/*${name}`));
      const { report } = await levelSample(level, { quarantine, maxInvalid: 0 });

      for (const { metrics, counts, quarantined, unknown, arm } of report.subjects) {
        if (arm === "absent") continue;
        expect(counts).toMatchObject({ fail: 0, error: 0, timeout: 0, invalid: 0 });
        expect(counts.total).toBe(4);
        expect(quarantined?.cases).toBe(5);
        expect(metrics.completionRate?.value).toBe(1);
        expect(unknown?.count).toBe(0);
      }
      expect(report.gates.map(({ passed }) => passed)).not.toContain(false);
      expect(report.exitCode).toBe(0);
    });

    test("a subject whose cases are all in quarantine has no verdict", async () => {
      const { report } = await levelSample(level, { quarantine: [entry("*/*")] });

      expect(new Set(report.gates.map(({ passed }) => passed))).toEqual(new Set([null]));
      expect(report.exitCode).toBe(3);
    });
  },
);

test("a comparison leaves out what either report had in quarantine, and counts it", async () => {
  const words = ["anna", "otto", "radar"];
  const side = async (quarantine: QuarantineEntry[]) => {
    const { report, cells } = await runToy(words, quarantine);
    const [found] = comparedSides(report, () => cells.map((cell) => JSON.stringify(cell)), [toyLevel]);
    if (found === undefined) throw new Error("there is nothing to compare");
    return found;
  };
  const [plain, aside] = [await side([]), await side([entry("mirror/radar")])];

  // What decided in the first report and does not in the second is missing from it.
  for (const [a, b, share] of [
    [plain, aside, 2 / 3],
    [aside, plain, 1],
  ] as const) {
    const { tasks, notCompared, coverage } = pairTasks(a.tasks, b.tasks);

    expect(a.missingCells).toBe(0);
    expect(tasks.map((pair) => pair.a.taskId)).toEqual(["anna", "otto"]);
    expect(coverage).toBe(share);
    expect(notCompared).toEqual({ edited: [], onlyA: [], onlyB: [], invalid: [], quarantined: ["radar"] });
    expect(countedReasons(notCompared, { a: "a", b: "b" })).toBe(": 1 in quarantine");
  }
});

test("the first entry that matches names the owner; a model's suite takes the place of a skill", () => {
  const owners = [
    { skill: "pdf-*", owner: "@docs" },
    { skill: "*", owner: "@all" },
  ];
  const subject = { suite: "smoke", skillId: "pdf-merge", model: null, arm: null };

  expect(findOwner(owners, subject)).toBe("@docs");
  expect(findOwner(owners, { ...subject, skillId: "weather" })).toBe("@all");
  expect(findOwner([{ skill: "smoke", owner: "@agents" }], { ...subject, skillId: null })).toBe("@agents");
  expect(findOwner([{ skill: "pdf", owner: "@docs" }], subject)).toBeNull();
});
