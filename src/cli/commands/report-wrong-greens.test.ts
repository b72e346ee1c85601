import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { reportFile, skillParts } from "../../../test/sample-report-file.ts";
import { caseRates, seededDraws } from "../../../test/simulated-runs.ts";
import type { ReportFile, RunReport } from "../../contract/document.ts";
import type { CellResult } from "../../contract/result.ts";

/** Tasks t0, t1, …, each with these trials: `ppf`, or `i` without a verdict. */
const tasks = (...words: string[]) => Object.fromEntries(words.map((word, at) => [`t${at}`, word]));
const many = (count: number, word: string) => tasks(...Array<string>(count).fill(word));

const machine: RunReport["machine"] = {
  ...{ fingerprint: "sha256:a", cpu: "Xeon", cores: 4, memoryGb: 16 },
  ...{ platform: "linux", arch: "x64", node: "20.20.2" },
};

interface Given {
  run?: Partial<RunReport>;
  skillId?: string;
  suite?: string;
  cell?: (cell: CellResult) => CellResult;
}

function report(
  words: Record<string, string>,
  { run = {}, cell = (one) => one, ...names }: Given = {},
): ReportFile {
  const file = reportFile(skillParts({ tasks: words, ...names }), { run: { machine, ...run } });
  return { ...file, cells: file.cells.map(cell) };
}

const later = { run: { id: "later", startedAt: "2026-04-01T00:00:00.000Z" } };

async function diff(a: unknown, b: unknown, ...argv: string[]) {
  await using cli = await capturedCli();
  for (const [name, content] of Object.entries({ "a.json": a, "b.json": b }))
    writeFileSync(join(cli.cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  const { exitCode, document, stdout } = await cli.run([
    "report",
    "diff",
    "a.json",
    "b.json",
    ...argv,
    "--json",
  ]);
  return { exitCode, document, stdout };
}

const good = report(many(3, "ppp"));
const edited = (cell: CellResult) => ({ ...cell, caseDigest: `${cell.caseDigest}, edited` });
const without = (file: ReportFile, isGone: (cell: CellResult) => boolean): ReportFile => ({
  ...file,
  cells: file.cells.filter((cell) => !isGone(cell)),
});

describe("a comparison that cannot say that nothing got worse is exit 3", () => {
  test.each<[string, ReportFile, ReportFile, string]>([
    ["the new report is all invalid", good, report(many(3, "iii")), "3 without a valid result"],
    ["the baseline is all invalid", report(many(3, "iii")), good, "3 without a valid result"],
    ["every task was edited", good, report(many(3, "ppp"), { cell: edited }), "3 edited"],
    ["there are no cells", good, report({}), "3 only in Before"],
    ["the baseline has no cells", report({}), good, "3 only in After"],
    ["one of three tasks is left", good, report(many(1, "ppp")), "only 33.3% of the tasks"],
    ["a run with --case is compared with a full one", good, report({ t1: "ppp" }), "2 only in Before"],
    [
      "two unrelated lists of tasks have one name",
      good,
      report({ x: "ppp", y: "fff" }),
      "3 only in Before, 2 only in After",
    ],
    [
      "another suite has the same name and the same ids of tasks",
      good,
      report(many(3, "ppp"), { cell: (cell) => ({ ...cell, caseDigest: `other ${cell.caseId}` }) }),
      "3 edited",
    ],
    [
      "failed cells were cut out of the new report",
      good,
      without(report(tasks("ppp", "ppp", "fff")), ({ status }) => status === "fail"),
      "3 cells that the reports count are missing from them",
    ],
    [
      "cells were cut out of the baseline",
      without(good, ({ caseId }) => caseId !== "t0"),
      good,
      "6 cells that the reports count are missing from them",
    ],
    [
      "two of three trials of every task have no verdict",
      good,
      report(many(3, "pii")),
      "only 33.3% of the trials of my_calc on coding-easy have a verdict",
    ],
    [
      "the reports do not say what the tasks were",
      report(many(3, "ppp"), { cell: (cell) => ({ ...cell, caseDigest: "" }) }),
      report(tasks("fff", "ppp", "ppp"), { cell: (cell) => ({ ...cell, caseDigest: "" }) }),
      "is not comparable",
    ],
  ])("%s", async (_, a, b, reason) => {
    const gated = await diff(a, b, "--fail-on-regression");
    const plain = await diff(a, b);

    expect(gated.exitCode).toBe(3);
    expect(gated.document.failures).toEqual([expect.stringContaining(reason)]);
    expect(plain.exitCode).toBe(0);
  });

  test("where nothing was compared, nothing is called better or worse, and no change is shown", async () => {
    const { document, stdout } = await diff(good, report({ x: "fff", y: "fff" }));

    for (const { delta, sense } of Object.values<{ delta: unknown; sense: string }>(
      document.skills[0].metrics,
    ))
      expect([delta, sense]).toEqual([null, "not-tested"]);
    expect(stdout).not.toMatch(/better|worse"/);
  });

  test("the only task fell from 100 to 0: with three trials it regressed, with one it is inconclusive", async () => {
    const always = await diff(report({ t: "ppp" }), report({ t: "fff" }), "--fail-on-regression");
    const once = await diff(report({ t: "p" }), report({ t: "f" }), "--fail-on-inconclusive");

    expect(always).toMatchObject({ exitCode: 1, document: { skills: [{ verdict: "regressed" }] } });
    expect(once).toMatchObject({ exitCode: 3, document: { skills: [{ verdict: "inconclusive" }] } });
  });

  test("a regression is named first where a skill cannot be compared besides", async () => {
    const both = (first: Record<string, string>, second: Record<string, string>) =>
      reportFile(skillParts({ tasks: first, skillId: "one" }), skillParts({ tasks: second, skillId: "two" }));

    const { exitCode, document } = await diff(
      both(many(3, "ppp"), many(3, "ppp")),
      both(many(3, "iii"), many(3, "fff")),
      "--fail-on-regression",
    );

    expect(exitCode).toBe(3);
    expect(document.failures).toEqual([
      "two on coding-easy regressed",
      expect.stringMatching(/^one on coding-easy is not comparable: /),
    ]);
  });

  test("coverage that was asked for is needed, and asking without a gate is a mistake", async () => {
    const four = report(many(4, "ppp"));

    expect((await diff(four, good, "--fail-on-regression")).exitCode).toBe(3);
    expect((await diff(four, good, "--fail-on-regression", "--min-coverage", "0.75")).exitCode).toBe(0);
    expect((await diff(four, good, "--min-coverage", "0.75")).exitCode).toBe(2);
  });
});

describe("a figure that a gate asks about", () => {
  const timed = (ms: number, given: Given = later) =>
    report(many(8, "ppp"), { ...given, cell: (cell) => ({ ...cell, latencyMs: ms + cell.trial }) });

  test("500 ms more without overlap are worse, and with --fail-on-slower exit 1", async () => {
    const { exitCode, document } = await diff(timed(20, {}), timed(520), "--fail-on-slower");

    expect(exitCode).toBe(1);
    expect(document.skills[0]).toMatchObject({
      verdict: "unchanged",
      metrics: { latencyMs: { delta: 500, sense: "worse", test: "sign-flip" } },
    });
    expect(document.failures).toEqual(["my_calc on coding-easy is slower"]);
    expect((await diff(timed(20, {}), timed(520), "--fail-on-regression")).exitCode).toBe(0);
  });

  test.each<[string, Partial<RunReport>, string]>([
    [
      "was measured on another machine",
      { machine: { ...machine, fingerprint: "sha256:b" } },
      "different machines",
    ],
    ["was measured on an unknown machine", { machine: null }, "does not record its machine"],
    ["was measured under another load", { concurrency: 32 }, "different concurrency"],
  ])("a latency that %s was not tested: exit 3", async (_, run, reason) => {
    const after = timed(20, { run: { ...later.run, ...run } });
    const { exitCode, document } = await diff(timed(20, {}), after, "--fail-on-slower");

    expect(exitCode).toBe(3);
    expect(document.failures).toEqual([expect.stringContaining(reason)]);
  });

  test("a latency of five tasks, and a cost that nobody recorded, were not tested: exit 3", async () => {
    const five = report(many(5, "ppp"));
    const free = await diff(five, five, "--fail-on-cost");

    expect((await diff(five, five, "--fail-on-slower")).exitCode).toBe(3);
    expect((await diff(five, five, "--fail-on-errors")).exitCode).toBe(3);
    expect(free.exitCode).toBe(3);
    expect(free.document.failures).toEqual([
      "the cost of my_calc on coding-easy was not tested: no cost is recorded",
    ]);
  });

  test("a cost that is unknown in one trial was not tested, even where tokens are the same: exit 3", async () => {
    const usage = { promptTokens: 90, completionTokens: 10, totalTokens: 100, costUsd: null };
    const priced = (cost: (cell: CellResult) => number | null) =>
      report(many(8, "ppp"), { ...later, cell: (cell) => ({ ...cell, usage, costUsd: cost(cell) }) });
    const known = priced(() => 0.01);

    const { exitCode, document } = await diff(
      known,
      priced(({ caseId, trial }) => (caseId === "t3" && trial === 2 ? null : 0.01)),
      "--fail-on-cost",
    );

    expect(exitCode).toBe(3);
    expect(document.failures[0]).toContain("the cost of some trials is unknown");
    expect(
      (
        await diff(
          known,
          priced(() => 0.02),
          "--fail-on-cost",
        )
      ).exitCode,
    ).toBe(1);
    expect((await diff(known, known, "--fail-on-cost")).exitCode).toBe(0);
  });

  test("failures that became errors leave the pass rate as it was; --fail-on-errors is exit 1", async () => {
    const [a, b] = [report(many(10, "f")), report(many(10, "e"))];

    expect((await diff(a, b, "--fail-on-regression")).exitCode).toBe(0);
    expect((await diff(a, b, "--fail-on-errors")).exitCode).toBe(1);
  });
});

describe("what is not there any more, or was never meant", () => {
  test("a skill that was removed, or renamed among others, is exit 1", async () => {
    const two = reportFile(
      skillParts({ tasks: many(3, "ppp") }),
      skillParts({ tasks: many(3, "ppp"), skillId: "b" }),
    );
    const renamed = reportFile(
      skillParts({ tasks: many(3, "ppp") }),
      skillParts({ tasks: many(3, "fff"), skillId: "c" }),
    );

    expect((await diff(two, good, "--fail-on-regression")).exitCode).toBe(1);
    expect((await diff(two, renamed, "--fail-on-regression")).exitCode).toBe(1);
  });

  test("a report without subjects, cut off, of another level, or with a cell twice is exit 2", async () => {
    const text = JSON.stringify(good);
    const codes = await Promise.all(
      [
        reportFile(),
        text.slice(0, -200),
        { ...good, cells: [...good.cells, good.cells[0]] },
        report(many(3, "ppp"), { suite: "another" }),
      ].map(async (b) => (await diff(good, b, "--fail-on-regression")).exitCode),
    );

    expect(codes).toEqual([2, 2, 2, 2]);
  });

  test("a subject that no report has is exit 2, and names those that are there", async () => {
    const { exitCode, document } = await diff(good, good, "--subject-b", "my_clac", "--fail-on-regression");

    expect({ exitCode, message: document.error.message, hint: document.error.hint }).toEqual({
      exitCode: 2,
      message: "b.json has no subject my_clac",
      hint: "it has my_calc",
    });
  });

  test("two subjects of one run are compared, with times that need no warning", async () => {
    const both = reportFile(
      skillParts({ tasks: many(3, "ppp"), skillId: "v1" }),
      skillParts({ tasks: many(3, "fff"), skillId: "v2" }),
    );
    const { exitCode, document } = await diff(
      both,
      both,
      ...["--subject-a", "v1", "--subject-b", "v2", "--fail-on-regression"],
    );

    expect(exitCode).toBe(1);
    expect(document).toMatchObject({ removed: [], added: [], skills: [{ name: "v2", nameA: "v1" }] });
  });

  test("swapped reports, one run twice, and fewer trials are warned about", async () => {
    const newer = report(many(3, "ppp"), later);

    expect((await diff(newer, good)).document.warnings).toEqual([
      expect.stringContaining("Before is the newer run"),
    ]);
    expect((await diff(good, good)).document.warnings).toEqual([
      "a.json and b.json are reports of the same run",
    ]);
    expect((await diff(good, report(many(3, "p"), later))).document.warnings).toEqual([
      "different number of trials: Before 3, After 1",
    ]);
  });

  test("--strict is refused where a task passed sometimes: exit 2", async () => {
    const { exitCode, document } = await diff(report(tasks("ppf", "ppp")), good, "--strict");

    expect(exitCode).toBe(2);
    expect(document.error.message).toBe(
      "--strict needs a deterministic skill: in a.json, my_calc on coding-easy passed t0 in 2 of 3 trials",
    );
  });
});

test("of 24 pairs of the same skill with 200 tasks × 3, at most 3 are decided, none against the mean change", async () => {
  const draws = seededDraws(24);
  const rates = caseRates(0.8, 0.3, draws);
  let decided = 0;
  for (let pair = 0; pair < 24; pair++) {
    const own = Array.from({ length: 200 }, () => rates[Math.floor(draws.uniform() * rates.length)] ?? 0);
    const [a, b] = [0, 1].map(() =>
      report(
        tasks(...own.map((rate) => Array.from("123", () => (draws.uniform() < rate ? "p" : "f")).join(""))),
      ),
    );
    const { document } = await diff(a, b);
    const { verdict, paired } = document.skills[0];
    if (verdict === "regressed" || verdict === "improved") {
      decided++;
      expect(Math.sign(paired.meanDelta)).toBe(verdict === "improved" ? 1 : -1);
    }
  }

  expect(decided).toBeLessThanOrEqual(3);
});
