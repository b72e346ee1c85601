import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentProject, answer, scripted, select } from "../../../test/agent-project.ts";
import { toCaseReport } from "../../contract/agent-details.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";

/** A project with a run of a case that passes, and its suite. */
async function gradedProject() {
  const cases = [
    scripted("right", { expect: { skills_all_of: ["fines"] } }),
    scripted("wrong", { expect: { skills_all_of: ["hours"] } }, [
      select("fines"),
      answer("\u001b[2Jnothing"),
    ]),
    { id: "pure", kind: "json_extract", input: "{}", expect: { value: {} } },
  ];
  const project = await agentProject({ "evals/suite.yaml": { suite: "desk", cases } });
  const { document } = await project.run(["agent", "eval", "evals", "--json", "--case", "right"]);
  const [cell] = document.cells;
  const { runId, runDir } = cell.details;
  const grade = (...argv: string[]) => project.run(["agent", "grade", ...argv]);
  return { ...project, cell, id: runId as string, dir: runDir as string, grade };
}

test("a run is graded by its id or folder as it was when it ran, and nothing is written into it", async () => {
  await using project = await gradedProject();
  const { id, dir, grade } = project;
  const before = fingerprint(project.at(dir));
  const named = ["--case", "evals/suite.yaml#right", "--json"];

  const byId = await grade(id, ...named);
  const byFolder = await grade(dir, ...named);
  const elsewhere = await grade(id, "--runs-dir", project.at(".agent/runs"), ...named);

  expect(byId.exitCode).toBe(0);
  const { run_dir, ...report } = byId.document.results[0];
  expect(run_dir).toBe(dir);
  expect(toCaseReport(project.cell)).toEqual(report);
  expect(byFolder.stdout).toBe(byId.stdout);
  expect(elsewhere.stdout).toBe(byId.stdout);
  expect(fingerprint(project.at(dir))).toBe(before);
  expect(project.runs()).toHaveLength(1);
});

test("another case judges the same run otherwise; of several runs the worst decides", async () => {
  await using project = await gradedProject();
  const { id, dir, grade } = project;
  const failed = await grade(id, "--case", "evals/suite.yaml#wrong");
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toContain("TriggerMissingAll");

  const lines = project.read(`${dir}/events.jsonl`).split("\n");
  project.write(
    ".agent/runs/damaged/events.jsonl",
    [...lines.slice(0, 3), "{broken", ...lines.slice(4)].join("\n"),
  );
  project.write(".agent/runs/cut/events.jsonl", lines.slice(0, 5).join("\n"));
  project.write(".agent/runs/torn/events.jsonl", `${lines.join("\n")}{"v":1,"se`);
  const { exitCode, document } = await grade(
    "damaged",
    id,
    "cut",
    "torn",
    "--case",
    "evals/suite.yaml#wrong",
    "--json",
  );
  expect(exitCode).toBe(3);
  expect(
    document.results.map(({ status, no_verdict, warnings }: CaseReport) => [
      status,
      no_verdict?.code,
      warnings.length,
    ]),
  ).toEqual([
    // Each claims to be a run of another case.
    ["invalid", "LogDamaged", 1],
    ["fail", undefined, 1],
    ["invalid", "RunIncomplete", 1],
    ["fail", undefined, 2],
  ]);
});

test("a report can be text, JSON or Markdown, on stdout or in a file", async () => {
  await using project = await gradedProject();
  const { id, grade } = project;
  const wrong = ["--case", "evals/suite.yaml#wrong"];
  const text = await grade(id, ...wrong);
  const markdown = await grade(id, ...wrong, "--format", "markdown");
  const json = await grade(id, ...wrong, "--format", "json");
  const written = await grade(id, ...wrong, "--format", "json", "--output", "out/grade.json", "--json");
  expect(text.stdout).toMatch(/^✗ desk\/wrong {2}fail/);
  expect(markdown.stdout).toMatch(/^# desk\/wrong: failed\n/);
  expect(json.document).toMatchObject({ schemaVersion: 1, command: "agent grade", exitCode: 1 });
  expect(JSON.parse(project.read("out/grade.json"))).toEqual(json.document);
  expect(written.document).toMatchObject({ output: "out/grade.json", exitCode: 1 });
});

test.each<[string, string[], RegExp]>([
  ["no case", [], /missing required option --case/],
  ["several cases", ["--case", "evals"], /has 2 cases.*evals#right/s],
  ["a case without an agent", ["--case", "evals/suite.yaml#pure"], /suite\.yaml .*pure/],
  ["a case there is not", ["--case", "evals/suite.yaml#rigth"], /no case rigth.*#right/s],
  ["a file for a run", ["--case", "evals/suite.yaml#right", "evals/suite.yaml"], /no run evals\/suite/],
  [
    "a run there is not",
    ["--case", "evals/suite.yaml#right", "20200101_000000_0000"],
    /no run 20200101.*searched .*; the latest run there is/s,
  ],
])("%s is exit 2", async (_, argv, words) => {
  await using project = await gradedProject();
  const { exitCode, document } = await project.grade(project.id, ...argv, "--json");
  expect(exitCode).toBe(2);
  expect(`${document.error.message}\n${document.error.hint}`).toMatch(words);
});

/** The files of a folder, and when they were written. */
function fingerprint(dir: string): string {
  const entries = readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();
  return entries
    .map((name) => {
      const stats = statSync(join(dir, name));
      return `${name} ${stats.mtimeMs} ${stats.isFile() ? sha256(readFileSync(join(dir, name), "latin1")) : ""}`;
    })
    .join("\n");
}

test("a second format is not taken for a run", async () => {
  await using project = await gradedProject();
  const { exitCode, stderr } = await project.grade(
    project.dir,
    "markdown",
    "--case",
    "evals/suite.yaml#right",
    "--format",
    "json",
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain("agent grade writes one format");
});
