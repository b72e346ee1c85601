import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { sampleReport } from "../reporters/sample-report.ts";
import { readReport } from "./read-report.ts";

const bare = {
  skillId: "my_calc",
  benchmarkId: "coding-easy",
  counts: { total: 2, pass: 1, fail: 1, error: 0, timeout: 0, invalid: 0 },
  summary: { completionRate: 0.5, errorRate: 0, compositeScore: 0.7 },
  latency: { p95Ms: 12 },
};

const cells = [
  { taskId: "a", status: "pass" },
  { taskId: "b", trial: 2, status: "fail" },
];

const envelope = {
  schemaVersion: 1,
  command: "eval",
  tool: { name: "eval-skills", version: "1.0.0" },
  run: sampleReport().run,
  passed: 1,
  total: 2,
  gate: { minCompletion: 0.8, on: "point", enforced: true, passed: false, below: ["my_calc"] },
  reports: [bare],
};

async function read(content: unknown) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "r.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return readReport(path, "./r.json");
}

describe("what is read", () => {
  test("a document of eval or run, whatever optional members it leaves out", async () => {
    for (const command of ["eval", "run"]) {
      const report = await read({ ...envelope, command });

      expect(report).toMatchObject({
        command,
        run: { concurrency: 4 },
        warnings: [],
        files: [],
        triggering: [],
      });
      expect(report.reports[0]).toMatchObject({
        ...bare,
        skillVersion: "",
        taskResults: [],
        tokenCost: null,
      });
      expect(isRecorded(report.run)).toBe(true);
    }
  });

  test("what `run --json` prints, with the report inside", async () => {
    const report = await read({
      schemaVersion: 1,
      command: "run",
      found: [],
      report: { ...envelope, command: "run" },
    });

    expect(report.reports[0]?.skillId).toBe("my_calc");
  });

  test("a bare list of skill reports, whose run is not recorded", async () => {
    const report = await read([{ ...bare, taskResults: cells }]);

    expect(isRecorded(report.run)).toBe(false);
    expect(report).toMatchObject({ command: "eval", passed: 1, total: 2, run: { runs: 2 } });
    expect(report.reports[0]?.taskResults).toMatchObject([
      { taskId: "a", trial: 1, status: "pass", taskDigest: "", score: null, error: null, tags: [] },
      { taskId: "b", trial: 2, status: "fail" },
    ]);
  });

  test("a cause and a scorer that a later version added", async () => {
    const cell = {
      taskId: "a",
      status: "error",
      scorerType: "telepathy",
      error: { code: "new-cause", message: "x" },
    };

    const report = await read([{ ...bare, taskResults: [cell] }]);

    expect(report.reports[0]?.taskResults[0]).toMatchObject(cell);
  });

  test("a cell keeps the order of its members, and those we do not know", async () => {
    const cell = { status: "pass", note: { by: "someone" }, taskId: "a" };

    const report = await read({ ...envelope, reports: [{ ...bare, taskResults: [cell] }] });

    expect(Object.keys(report.reports[0]?.taskResults[0] ?? {}).slice(0, 3)).toEqual([
      "status",
      "note",
      "taskId",
    ]);
  });

  test("a file far above the limit of files that people write", async () => {
    const filler = "x".repeat(1_000_000);
    const many = Array.from({ length: 66 }, (_, n) => ({ taskId: `t${n}`, status: "pass", output: filler }));

    const report = await read([{ ...bare, taskResults: many }]);

    expect(report.reports[0]?.taskResults).toHaveLength(66);
  });
});

describe("what is refused, with code, file and place", () => {
  test.each([
    [
      "a wrong status",
      [{ ...bare, taskResults: [{ taskId: "a", status: "great" }] }],
      "$[0].taskResults[0].status",
    ],
    [
      "a missing figure",
      [{ ...bare, summary: { errorRate: 0, compositeScore: 1 } }],
      "$[0].summary.completionRate",
    ],
    [
      "a rate above 1",
      [{ ...bare, summary: { completionRate: 5, errorRate: 0, compositeScore: 1 } }],
      "$[0].summary.completionRate",
    ],
    [
      "a composite below 0",
      [{ ...bare, summary: { completionRate: 1, errorRate: 0, compositeScore: -0.1 } }],
      "$[0].summary.compositeScore",
    ],
    [
      "text for a number",
      { ...envelope, reports: [{ ...bare, latency: { p95Ms: "12" } }] },
      "$.reports[0].latency.p95Ms",
    ],
    ["a report without a run", { ...envelope, run: undefined }, "$.run"],
    [
      "a fault inside what run prints",
      { schemaVersion: 1, command: "run", report: { ...envelope, passed: null } },
      "$.report.passed",
    ],
    ["an interrupted run", { schemaVersion: 1, command: "eval", runId: "x", state: "interrupted" }, "$.tool"],
    ["a list of something else", [1], "$[0]"],
  ])("%s", async (_, content, jsonPath) => {
    await expect(read(content)).rejects.toMatchObject({
      code: "report-invalid",
      exitCode: 2,
      path: "./r.json",
      jsonPath,
    });
  });

  test.each([
    [
      { ...envelope, command: "trigger" },
      "./r.json is a report of trigger, and one of eval or run is needed",
    ],
    [
      { ...envelope, command: "agent eval" },
      "./r.json is a report of agent eval, and one of eval or run is needed",
    ],
    [
      { ...envelope, command: "planbench" },
      "./r.json is a report of planbench, and one of eval or run is needed",
    ],
    [{ schemaVersion: 1, command: "select" }, './r.json has the command "select", which makes no reports'],
    [{ ...envelope, schemaVersion: 2 }, "./r.json has the schema version 2; this version reads 1"],
    [
      { schemaVersion: 1, command: "eval", error: { code: "usage" } },
      "./r.json holds an error of eval, not a report",
    ],
    [{ id: "my-benchmark", tasks: [] }, "./r.json has no $.command, so it is not a report"],
    ["null", "./r.json is neither a report nor a list of skill reports"],
    ['{"a": 1,}', "./r.json is not valid JSON, line 1, column 8: there is a comma too many, before }"],
  ])("%j: %s", async (content, message) => {
    await expect(read(content)).rejects.toMatchObject({ code: "report-invalid", message });
  });

  test("a missing file, and one that no text can hold", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "huge.json");
    await writeFile(path, "");
    await truncate(path, 600 * 1024 * 1024);

    expect(() => readReport(join(folder.path, "none.json"), "none.json")).toThrow("none.json does not exist");
    expect(() => readReport(path, "huge.json")).toThrow("huge.json is larger than 500 MiB");
  });
});
