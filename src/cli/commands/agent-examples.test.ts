import { readdirSync, readFileSync, statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type AgentCell, agentCells } from "../../../test/agent-project.ts";
import { quickProject } from "../../../test/built-cli.ts";
import { dimensions } from "../../contract/agent-case.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { ReportFile } from "../../contract/document.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";

const example = resolve(import.meta.dirname, "../../../examples/library-desk");
const isLeftover = (path: string) => path.startsWith(join(example, ".agent/runs"));

describe("the library desk", () => {
  let report: ReportFile;
  let cells: readonly AgentCell[];
  beforeAll(async () => {
    await using project = await quickProject();
    await cp(example, project.path, { recursive: true, filter: (path) => !isLeftover(path) });
    const { code, stdout, stderr } = await project.run(["agent", "eval", ".agent/evals", "--format", "json"]);
    expect(code, stdout + stderr).toBe(0);
    report = JSON.parse(readFileSync(project.at("reports/agent-result.json"), "utf8"));
    cells = agentCells(report);
  }, 90_000);

  test("passes all its cases but those that need a model, which are skipped", () => {
    expect(new Set(cells.map(({ status }) => status))).toEqual(new Set(["pass"]));
    expect(report.skipped.map(({ suite }) => suite)).toEqual(Array(6).fill("with-a-model"));
    expect(report.warnings).toEqual([]);
    expect(cells.flatMap(({ caseId, warnings }) => (warnings.length > 0 ? [caseId] : []))).toEqual([]);
  });

  test("every dimension is judged in several cases, and each has a title", () => {
    for (const dimension of dimensions) {
      const judged = cells.filter(({ details }) => details.scores[dimension].status === "pass");
      expect(judged.length, dimension).toBeGreaterThanOrEqual(8);
    }
    const count = (caseClass: string) =>
      cells.filter(({ details }) => details.caseClass === caseClass).length;
    expect(count("L0")).toBeGreaterThanOrEqual(15);
    expect(count("L1")).toBeGreaterThanOrEqual(30);
    expect(report.cases.filter(({ title }) => title === null)).toEqual([]);
  });

  test("what its cases expect could have failed; only limits of nothing are left unexercised", () => {
    const idle = cells.flatMap(({ details }) => details.notExercised);
    expect(idle.filter((check) => !check.startsWith("max_"))).toEqual([]);
  });

  test("runs end in every way that a script can bring about", () => {
    const ends = new Set(cells.map(({ details }) => details.stats.stopReason));
    expect([...ends].sort()).toEqual([
      "budget_exhausted",
      "consecutive_failures",
      "final_answer",
      "invalid_model_output",
      "mock_exhausted",
      "model_unavailable",
      "no_progress",
      null,
    ]);
  });
});

describe("the wrong runs", () => {
  const folder = join(example, "wrong-runs");
  const rows = [
    ...readFileSync(join(folder, "README.md"), "utf8").matchAll(
      /^\| `(\w+)\/(\S+)` +\|.*\| (.*) \| (.*) \|$/gm,
    ),
  ].map(([, dimension = "", name = "", fails = "", code = ""]) => ({
    dimension,
    name,
    fails: fails.trim(),
    code: code.trim(),
  }));

  test("their table names every one of them: for each dimension a right one and three that are wrong", () => {
    const named = rows.map(({ dimension, name }) => `${dimension}/${name}`);
    const there = dimensions.flatMap((dimension) =>
      readdirSync(join(folder, dimension)).map((name) => `${dimension}/${name}`),
    );
    expect(named.toSorted()).toEqual(there.toSorted());
    for (const dimension of dimensions) {
      const own = rows.filter((row) => row.dimension === dimension);
      expect(own.filter(({ fails }) => fails === "").map(({ name }) => name)).toEqual(["right"]);
      expect(new Set(own.map(({ code }) => code)).size).toBeGreaterThanOrEqual(4);
    }
  });

  test.each(dimensions)("of %s: each fails where the table says, and nowhere else", async (dimension) => {
    await using project = await quickProject();
    const wrong = rows.filter((row) => row.dimension === dimension && row.code !== "");
    const grade = (...names: string[]) => {
      const runs = names.map((name) => `${folder}/${dimension}/${name}`);
      return project.run([
        "agent",
        "grade",
        ...runs,
        "--case",
        `${folder}/suite.yaml#${dimension}`,
        "--json",
      ]);
    };
    const before = listContent(folder);

    const right = await grade("right");
    const first = await grade(...wrong.map(({ name }) => name));
    const again = await grade(...wrong.map(({ name }) => name));

    expect(right).toMatchObject({ code: 0, document: { results: [{ status: "pass", failures: [] }] } });
    expect(first.code).toBe(1);
    const found = (first.document.results as CaseReport[]).map(({ status, scores, failures }) => ({
      status,
      failed: dimensions.filter((each) => scores[each].status === "fail"),
      codes: failures.map(({ code }) => code),
    }));
    expect(found).toEqual(
      wrong.map(({ code, fails }) => ({ status: "fail", failed: [fails], codes: [code] })),
    );
    expect(again.stdout).toBe(first.stdout);
    expect(listContent(folder)).toEqual(before);
  });
});

/** Every file below a folder with its hash and the time it was written. */
function listContent(folder: string): [string, string, number][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .map(({ entry, path }): [string, string, number] => [
      path,
      entry.isFile() ? sha256(readFileSync(path)) : "folder",
      statSync(path).mtimeMs,
    ]);
}
