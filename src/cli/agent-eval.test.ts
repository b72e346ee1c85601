import { readdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  agentProject,
  answer,
  call,
  eventsIn,
  load,
  script,
  scripted,
  select,
} from "../../test/agent-project.ts";
import { AgentReportFile, type AgentResult } from "../contract/agent-report.ts";

const passes = scripted("passes", { tags: ["quick"], expect: { skills_all_of: ["fines"] } });
const fails = scripted("fails", { expect: { skills_all_of: ["hours"] } });
const unknown = scripted("unknown", {}, [{ error: { kind: "http", status: 401 } }]);
const real = { id: "real", input: "When do you close?", expect: { skills_all_of: ["hours"] } };
const pure = {
  id: "pure",
  kind: "json_extract",
  input: { text: 'Sure: {"a":1}' },
  expect: { value: { a: 1 } },
};
const all = { suite: "desk", cases: [passes, fails, unknown, real, pure] };

const evalJson = (...flags: string[]) => ["agent", "eval", "evals", "--json", ...flags];

describe("agent eval", () => {
  test.each<[string, string[], number]>([
    ["every run passes", ["--case", "passes"], 0],
    ["a run fails", ["--case", "passes", "fails"], 1],
    ["a run has no verdict, and another one failed", ["--case", "passes", "fails", "unknown"], 3],
    ["a run has no verdict, and that is allowed", ["--case", "passes", "unknown", "--allow-invalid"], 0],
    [
      "a run has no verdict, that is allowed, and another one failed",
      ["--case", "fails", "unknown", "--allow-invalid"],
      1,
    ],
    ["a gate holds", ["--case", "passes", "--min-pass-rate", "1"], 0],
    ["a gate on the lower bound does not", ["--case", "passes", "--min-pass-rate", "1", "--gate-on", "lower"], 1],
    ["a gate is about what does not exist", ["--case", "passes", "--min-trigger-recall", "0.5"], 3],
  ])("when %s", async (_, flags, exitCode) => {
    await using project = await agentProject({ "evals/suite.yaml": all });
    const ended = await project.run(evalJson(...flags));
    expect({ exitCode: ended.exitCode, told: ended.document.exitCode }).toEqual({ exitCode, told: exitCode });
    expect(project.exists("reports/agent-result.json")).toBe(true);
  });

  test.each<[string, string[], string, RegExp]>([
    ["no suite", ["agent", "eval"], "usage", /no suite/],
    ["a folder that is not there", ["agent", "eval", "nowhere"], "suite-invalid", /nowhere/],
    ["a broken case", ["agent", "eval", "broken"], "case-invalid", /broken\/case\.json.*max_turn/s],
    ["an id that no case has", ["agent", "eval", "evals", "--case", "passed"], "usage", /did you mean passes/],
    ["a tag that no case has", ["agent", "eval", "evals", "--tag", "slow"], "nothing-to-do", /tag slow/],
    [
      "cases for real models alone",
      ["agent", "eval", "evals", "--case", "real"],
      "nothing-to-do",
      /add `mock` to the case, or .* --model/,
    ],
    ["a model nobody knows", ["agent", "eval", "evals", "--model", "nobody/x"], "config-invalid", /nobody/],
    ["a level there is not", ["agent", "eval", "evals", "--level", "L3"], "usage", /L3/],
    [
      "a name that nothing can bear",
      ["agent", "eval", "misnamed"],
      "case-invalid",
      /misnamed\/case\.yml.*write_fil/s,
    ],
    [
      "an archive that leads out of its folder",
      ["agent", "eval", "zipped"],
      "case-invalid",
      /leads out of its folder/,
    ],
  ])("%s is exit 2 before the first cell, and nothing is left behind", async (_, argv, code, words) => {
    await using project = await agentProject({
      "evals/suite.yaml": all,
      "broken/case.json": { ...passes, id: "broken", constraints: { max_turn: 3 } },
      "misnamed/case.yml": scripted("misnamed", {
        expect: { action_sequence_constraints: [{ forbid: "write_fil" }] },
      }),
      "zipped/case.yaml": scripted("zipped", { setup: { preinstall_skills: ["evil.zip"] } }),
      "evil.zip": await zipOf({ "SKILL.md": skillText("evil"), "../../escaped.txt": "x" }),
    });
    const { exitCode, document } = await project.run([...argv, "--json"]);
    expect(exitCode).toBe(2);
    expect(document).toMatchObject({ command: "agent eval", error: { code }, exitCode: 2 });
    const { message, hint, path, jsonPath } = document.error;
    expect([message, hint, path, jsonPath].join("\n")).toMatch(words);
    expect(readdirSync(project.cwd).filter((name) => /reports|\.db|escaped/.test(name))).toEqual([]);
    expect(project.runs()).toEqual([]);
  });

  test("prints one document, the same that stands in the report files, and tells of what was left out", async () => {
    await using project = await agentProject({ "evals/suite.yaml": all });

    const { document, stderr } = await project.run(evalJson("--format", "json", "markdown", "csv", "junit"));

    expect(AgentReportFile.parse(document)).toEqual(document);
    expect(JSON.parse(project.read("reports/agent-result.json"))).toEqual(document);
    expect(document).toMatchObject({
      suite: "desk",
      totals: { cases: 5, skipped: 1, cells: 4, pass: 2, fail: 1, invalid: 1 },
      skipped: [{ suite: "desk", case_id: "real", reason: "level" }],
      metrics: null,
    });
    expect(document.results.map(({ case_id, level, status }: AgentResult) => [case_id, level, status])).toEqual([
      ["passes", "L1", "pass"],
      ["fails", "L1", "fail"],
      ["unknown", "L1", "invalid"],
      ["pure", "L0", "pass"],
    ]);
    expect(document.results[2].no_verdict).toMatchObject({ code: "model_unavailable" });
    expect(readdirSync(project.at("reports")).sort()).toEqual([
      ".eval.jsonl",
      ...["csv", "json", "md", "xml"].map((end) =>
        expect.stringMatching(new RegExp(`^agent-result-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-\\d{3}Z\\.${end}$`)),
      ),
      "agent-result.csv",
      "agent-result.json",
      "agent-result.md",
      "agent-result.xml",
    ]);
    expect(document.files).toHaveLength(8);
    expect(stderr).toContain("4 cells");
    const { stdout } = await project.run(["history"]);
    expect(stdout).toMatch(/mock .*agent\/desk/);
    const lines = project.read("reports/.eval.jsonl").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: "agent", suite: "desk", caseId: "passes", status: "pass", verdict: "pass", failures: [] },
      { kind: "agent", caseId: "fails", verdict: "fail", failures: [{ code: "TriggerMissingAll" }] },
      { kind: "agent", caseId: "unknown", status: "invalid", verdict: "invalid" },
      { kind: "agent", caseId: "pure", skillId: "none", agentRunId: null, status: "pass" },
    ].map((line) => expect.objectContaining(line)).sort() as never);
  });

  test.each<[string[], string[]]>([
    [["--case", "fails", "pure"], ["fails", "pure"]],
    [["--tag", "quick", "slow"], ["passes"]],
    [["--level", "L0"], ["pure"]],
    [["--level", "L1", "--tag", "quick"], ["passes"]],
  ])("%j runs %j", async (flags, ids) => {
    await using project = await agentProject({ "evals/suite.yaml": all });
    const { document } = await project.run(evalJson(...flags));
    expect(document.results.map(({ case_id }: AgentResult) => case_id)).toEqual(ids);
  });

  test("--dry-run counts the cells of each suite and writes nothing", async () => {
    await using project = await agentProject({
      "evals/desk/suite.yaml": all,
      "evals/more/again.json": scripted("again", { repeat: 3 }),
    });
    const before = readdirSync(project.cwd);
    const { exitCode, document } = await project.run(evalJson("--dry-run"));
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      dryRun: true,
      cells: 7,
      suites: [
        { suite: "desk", cases: 4, cells: 4, models: ["mock"] },
        { suite: "more", cases: 1, cells: 3, models: ["mock"] },
      ],
      skipped: [{ case_id: "real" }],
    });
    expect(readdirSync(project.cwd)).toEqual(before);
    expect(project.runs()).toEqual([]);
  });

  test("trials: a case says how many it takes and how many must pass; --runs beats it", async () => {
    const unsteady = [{ action: answer().action, delay_ms: 0 }];
    await using project = await agentProject({
      "evals/often/case.yml": scripted("often", { repeat: 4, min_pass_rate: 0.5 }, unsteady),
      "evals/never/case.yml": scripted("never", {
        repeat: 2,
        min_pass_rate: 0,
        expect: { output: { contains_all: ["a hundred"] } },
      }),
    });
    const { exitCode, document } = await project.run(evalJson());
    expect(exitCode).toBe(0);
    expect(document.cases).toMatchObject([
      { case_id: "never", pass: true, trials: 2, verdicts: 2, passed: 0 },
      { case_id: "often", pass: true, trials: 4, passed: 4 },
    ]);
    expect(new Set(document.results.map(({ run_id }: AgentResult) => run_id)).size).toBe(6);
    const once = await project.run(evalJson("--runs", "1"));
    expect(once.document.totals.cells).toBe(2);
    const twice = await project.run(evalJson("--repeat", "3"));
    expect(twice.document.totals.cells).toBe(6);
  });
});

function skillText(name: string): string {
  return `---\nname: ${name}\ndescription: What ${name} is for.\n---\n# ${name}\n\nBODY-OF-${name}\n`;
}

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const { default: Zip } = await import("jszip");
  const archive = new Zip();
  for (const [name, text] of Object.entries(files)) archive.file(name, text, { createFolders: false });
  return archive.generateAsync({ type: "nodebuffer" });
}
