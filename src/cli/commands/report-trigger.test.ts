import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { routerJudge, type SampleQuery, sampleQuery } from "../../../test/sample-query.ts";
import {
  queryParts,
  type ReportParts,
  reportFile,
  skillParts,
  skippedQueries,
} from "../../../test/sample-report-file.ts";
import type { ReportFile } from "../../contract/document.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";

/** A trigger report in a file, over these queries, one subject per skill among them. */
function triggerFile(lines: readonly QueryLine[], ...more: readonly ReportParts[]) {
  return reportFile(queryParts(lines), { run: { command: "trigger" } }, ...more);
}

/** Ten queries q0, q1, …, each answered in these letters. */
const queries = (answers: readonly string[], given: Partial<SampleQuery> = {}): QueryLine[] =>
  answers.map((letters, n) =>
    sampleQuery({ query: `request ${n}`, queryId: `q${n}`, answers: letters, ...given }),
  );
const ten = (letters: string, ...first: string[]) => [...first, ...Array(10 - first.length).fill(letters)];

async function project(files: Record<string, unknown>) {
  const cli = await capturedCli();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cli.cwd, name), JSON.stringify(content));
  return cli;
}

async function diff(a: unknown, b: object, ...argv: string[]) {
  // Every sample has the same id.
  const { run } = b as ReportFile;
  await using cli = await project({ "a.json": a, "b.json": { ...b, run: { ...run, id: "later" } } });
  return await cli.run(["report", "diff", "a.json", "b.json", ...argv]);
}

describe("report diff of trigger reports", () => {
  test("identical ones are unchanged, with the figures of triggering", async () => {
    const file = triggerFile(queries(ten("YYYYYYYY", "NNNNNNNN")));

    const { exitCode, document } = await diff(file, file, "--fail-on-regression", "--json");

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      skills: [
        {
          skillId: "refactor",
          level: "trigger",
          suite: "triggering",
          verdict: "unchanged",
          reason: "10 of 10 queries equal",
          paired: { tasks: 10, meanDelta: 0 },
        },
      ],
      warnings: [],
    });
    expect(Object.keys(document.skills[0].metrics)).toEqual([
      ...["passRate", "recall", "errorRate", "latencyMs", "latencyP95Ms", "precision", "mcc"],
    ]);
    expect(document.skills[0].metrics).toMatchObject({
      passRate: { a: 0.9, b: 0.9, delta: 0, sense: "same" },
      recall: { a: 0.9, b: 0.9, delta: 0, sense: "same", test: "sign-flip" },
      mcc: { test: null, reason: "derived from other figures" },
    });
  });

  test("one query whose eight answers all turned is a regression, reported with its words", async () => {
    const before = triggerFile(queries(ten("YYYYYYYY")));
    const after = triggerFile(queries(ten("YYYYYYYY", "NNNNNNNN")));

    const { exitCode, stdout } = await diff(before, after, "--fail-on-regression");
    const short = await diff(before, after, "--output", "d.md");

    expect(exitCode).toBe(1);
    expect(stdout).toContain("1 query broken, none fixed, no mixed results");
    expect(stdout).toContain("Over 10 queries the share of right answers changed by −10.0 pp");
    expect(stdout).toContain("- q0 should_match “request 0”: 100.0% → 0.0%");
    expect(stdout).toMatch(/\| Pass Rate +\| +100\.0% \| +90\.0% \| ↓ −10\.0 pp worse/);
    expect(stdout).toMatch(/\| MCC +\| undefined \| undefined \| –/);
    expect(stdout).not.toMatch(/Composite|Completion/);
    expect(short.stdout).toMatch(/^refactor {2}regressed {2}pass rate ↓ −10\.0 pp worse/);
  });

  test("a query's answers are its trials: some that turned shift it, and unusable ones count nowhere", async () => {
    const before = queries(["YYYYYYYY", "YYYYYYYY", "YYYYYYYY", "YYYYYYYY"]);
    const after = queries(["YYYYYNNN", "YYYYYYY?", "yyyyyyyy", "YEEEEEEE"]);

    const { document } = await diff(triggerFile(before), triggerFile(after), "--json");

    expect(document.skills[0].paired).toMatchObject({ tasks: 2, shifted: ["q0"], broken: [] });
    expect(document.warnings).toEqual([
      "refactor on triggering: 2 queries not compared: 2 without a valid result on one side",
    ]);
  });

  test("a negative passes when the answer is no", async () => {
    const side = "should_not_match" as const;

    const { document } = await diff(
      triggerFile(queries(ten("NNNNNNNN"), { side })),
      triggerFile(queries(ten("YYYYYYYY"), { side })),
      "--json",
    );

    expect(document.skills[0]).toMatchObject({ verdict: "regressed", paired: { meanDelta: -1 } });
  });

  test("a query that changed its words or its side is another query", async () => {
    const side = "should_not_match" as const;
    const [moved, reworded] = [
      queries(ten("NNNN"), { side }),
      queries(ten("NNNN"), { query: "other words" }),
    ];

    const left = await Promise.all(
      [moved, reworded].map((after) => diff(triggerFile(queries(ten("YYYY"))), triggerFile(after), "--json")),
    );

    expect(left.map(({ document }) => document.skills[0].paired.tasks)).toEqual([0, 0]);
    expect(left[0]?.document.skills[0].reason).toBe("no query could be compared: 10 edited");
  });

  test("the router has no luck: one answer that turned is a regression, one of a model asked once is not", async () => {
    const once = (judge: SampleQuery["judge"]): [unknown, object] => [
      triggerFile(queries(ten("Y"), { ...(judge && { judge }) })),
      triggerFile(queries(ten("Y", "N"), { ...(judge && { judge }) })),
    ];
    const diffVerdict = async ([a, b]: [unknown, object]) =>
      (await diff(a, b, "--json")).document.skills[0].verdict;

    expect(await diffVerdict(once(routerJudge))).toBe("regressed");
    expect(await diffVerdict(once(undefined))).toBe("inconclusive");
  });

  test("another judge, another load and another version are reported", async () => {
    const before = triggerFile(queries(ten("YYYYYYYY")));
    const after = triggerFile(queries(ten("Y"), { judge: routerJudge }), {
      run: { concurrency: 8 },
      tool: { name: "eval-skills", version: "1.1.0" },
    });

    const { document } = await diff(before, after, "--json");

    expect(document.warnings).toEqual([
      "different concurrency: Before 4, After 8; latencies do not compare",
      "different judge of refactor: Before model claude-haiku-4-5-20251001 trigger-card/1, repeats 8, threshold 0.5; After router (lexical) router/1, repeats 1, threshold 0.5",
      "different version of eval-skills: Before 1.0.0, After 1.1.0",
    ]);
  });

  test("a skill whose tests are skipped now was removed; reports of two levels do not pair", async () => {
    const other = queries(ten("YYYY"), { skillId: "other" });
    const both = triggerFile([...queries(ten("YYYY")), ...other]);
    const less = triggerFile(queries(ten("YYYY")), skippedQueries("other"));

    const removed = await diff(both, less, "--fail-on-regression", "--json");
    const unlike = await diff(both, reportFile(skillParts({ tasks: { a: "p" } })), "--json");

    expect(removed).toMatchObject({
      exitCode: 1,
      document: { removed: [{ skillId: "other", level: "trigger", suite: "triggering" }], warnings: [] },
    });
    expect(unlike.exitCode).toBe(2);
    expect(unlike.document.error).toMatchObject({
      code: "nothing-to-do",
      message: "a.json is a report of level trigger, b.json of unit: they cannot be compared",
    });
  });
});

describe("report diff of reports of eval with trigger tests", () => {
  const tasks = skillParts({ tasks: { a: "p", b: "f" } });
  const withQueries = (letters: readonly string[]) =>
    reportFile(tasks, queryParts(queries(letters, { skillId: "my_calc" })));
  const without = (reason: "single-case" | "no-block") =>
    reportFile(tasks, skippedQueries("my_calc", reason));
  const good = withQueries(ten("YYYYYYYY"));
  const bad = withQueries(ten("NNNNNNNN", "YYYYYYYY"));

  test("a worse description shows beside the tasks, with a table of its own", async () => {
    const { document, exitCode } = await diff(good, bad, "--fail-on-regression", "--json");
    const { stdout } = await diff(good, bad);

    expect(exitCode).toBe(1);
    expect(document.skills).toMatchObject([
      { skillId: "my_calc", suite: "coding-easy", verdict: "unchanged" },
      { skillId: "my_calc", suite: "triggering", verdict: "regressed" },
    ]);
    expect(stdout).toMatch(/\| my_calc \| triggering \| ✗ regressed \| ↓ −90\.0 pp worse/);
  });

  test("a run of single cases says nothing about them; tests that are gone were removed", async () => {
    const single = await diff(good, without("single-case"), "--json", "--fail-on-regression");
    const gone = await diff(good, without("no-block"), "--json");
    const added = await diff(reportFile(tasks), good, "--json");

    expect(single.document).toMatchObject({
      removed: [],
      leftOut: [{ skillId: "my_calc", suite: "triggering" }],
      failures: ["my_calc on triggering was left out: one run was limited with --case"],
      exitCode: 3,
    });
    expect(gone.document.removed).toMatchObject([{ skillId: "my_calc", suite: "triggering" }]);
    expect(added.document.added).toMatchObject([{ skillId: "my_calc", suite: "triggering" }]);
  });
});
