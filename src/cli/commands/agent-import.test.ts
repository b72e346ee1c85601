import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type AgentProject, agentProject, answer, scripted } from "../../../test/agent-project.ts";
import type { CaseReport, DimensionScore } from "../../contract/agent-report.ts";

const skill = { skill: { name: "pdf-form-filler" } };
const act = (type: string, payload: object) => ({ action: { type, payload } });
/** Our own run with the same actions as the agents of the transcripts. */
const equivalentRun = scripted(
  "twin",
  {
    input: "Please fill in the form.",
    enable_tools: ["run_script"],
    approvals: [{ tool: "run_script", decision: "grant" }],
    expect: {
      skills_all_of: ["pdf-form-filler"],
      action_sequence_constraints: [
        { must_occur: "select_skills", before: "run_script" },
        { forbid: "network_request" },
      ],
      output: { contains_all: ["filled in"], format: "markdown" },
      // One of the traces has a script that failed.
      errors: [{ code: "ExitNonZero", min: 0 }],
    },
  },
  [
    act("select_skills", { skills: [{ name: "pdf-form-filler" }] }),
    act("load_resource", { ...skill, relative_path: "references/fields.md" }),
    act("run_script", { ...skill, relative_path: "scripts/fill.sh", args: [] }),
    answer("## Done\n\n- the form is filled in"),
  ],
);

const files = {
  "evals/twin/case.json": { ...equivalentRun, mock: { ...equivalentRun.mock, streaming: { enabled: true } } },
  ".agent/skills/pdf-form-filler/SKILL.md":
    "---\nname: pdf-form-filler\ndescription: Fills in forms.\n---\nRead references/fields.md.\n",
  ".agent/skills/pdf-form-filler/references/fields.md": "name, date\n",
  ".agent/skills/pdf-form-filler/scripts/fill.sh": "echo filled\n",
};

function fixture(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/traces/${name}`, import.meta.url), "utf8");
}

async function importProject() {
  const project = await agentProject(files);
  for (const name of ["claude-code.jsonl", "openai-chat.json", "openai-responses.jsonl", "otel.json"])
    project.write(name, fixture(name));
  return project;
}

async function graded(project: AgentProject, dir: string): Promise<CaseReport> {
  const { document } = await project.run(["agent", "grade", dir, "--case", "evals/twin", "--json"]);
  return document.results[0];
}

test("a transcript of another agent is judged like our own run as far as it tells", async () => {
  await using project = await importProject();
  const native = await project.run(["agent", "eval", "evals", "--sandbox", "process", "--json"]);
  expect(native.exitCode, JSON.stringify(native.document)).toBe(0);
  const [own] = native.cells;

  const unseen: Record<string, string[]> = {};
  for (const [kind, file] of [
    ["claude-code", "claude-code.jsonl"],
    ["openai", "openai-chat.json"],
    ["openai", "openai-responses.jsonl"],
    ["otel", "otel.json"],
  ] as const) {
    const { exitCode, document } = await project.run(["agent", "import", "--from", kind, file, "--json"]);
    expect(exitCode, JSON.stringify(document)).toBe(0);
    const report = await graded(project, document.run_dir);
    expect(report, JSON.stringify(report.failures)).toMatchObject({ status: "pass", failures: [] });
    for (const name of ["trigger", "sequence", "output"] as const)
      expect([file, name, report.scores[name].status]).toEqual([
        file,
        name,
        own?.details.scores[name].status,
      ]);
    expect(report.scores.trigger.recall).toBe(1);
    const scores = Object.entries(report.scores) as [string, DimensionScore][];
    unseen[file] = scores.flatMap(([name, { status, checks }]) => [
      ...(status === "pass" ? [] : [`${name} ${status}`]),
      ...checks.filter((check) => check.status === "not_observed").map((check) => check.name),
    ]);
    // What is not seen is not taken for seen.
    const known = ["load reports are complete", "prompts contain only loaded text"];
    expect(unseen[file]).toEqual(expect.arrayContaining(known));
  }
  expect(unseen["claude-code.jsonl"]).not.toContain("streaming not_applicable");
  expect(unseen["openai-chat.json"]).toContain("streaming not_applicable");
});

test("what a case asks for and a transcript cannot tell leaves it without a verdict", async () => {
  await using project = await importProject();
  const { document } = await project.run([
    "agent",
    "import",
    "--from",
    "otel",
    "otel.json",
    "--out",
    "imported",
    "--json",
  ]);
  expect(document.run_dir).toMatch(/^imported\//);
  for (const dimension of ["disclosure", "security", "streaming"]) {
    const expecting = { ...equivalentRun.expect, dimensions: [dimension] };
    project.write("evals/twin/case.json", { ...equivalentRun, expect: expecting });
    const report = await graded(project, document.run_dir);
    expect({ dimension, pass: report.pass, code: report.no_verdict?.code }).toEqual({
      dimension,
      pass: null,
      code: "NotObserved",
    });
  }
});

test("text output says what was seen and what to do next; faults of the trace are reported by their line", async () => {
  await using project = await importProject();
  const roots = ["--skills", ".agent/skills"];
  const lines = fixture("openai-responses.jsonl").split("\n");
  project.write("torn.jsonl", [...lines.slice(0, 4), "this line was torn", ...lines.slice(4)].join("\n"));
  const { stdout, stderr } = await project.run(["agent", "import", "torn.jsonl", ...roots]);
  expect(stdout).toMatch(/^imported 3 turns to \.agent\/runs\//);
  expect(stdout).toMatch(/unknown: .*digests/);
  expect(stdout).toContain("eval-skills agent grade");
  expect(stdout).toContain("not understood: 1 item");
  expect(stderr).toContain("line 5: cannot be parsed");
});

test("every request of a transcript becomes a run, and a rule that a torn line could break leaves its run without a verdict", async () => {
  await using project = await importProject();
  const say = (role: string, content: string) => JSON.stringify({ role, content });
  const chat = [
    say("user", "Fill it."),
    say("assistant", "filled in"),
    say("user", "And?"),
    "torn {",
    say("assistant", "filled in"),
  ];
  project.write("chat.jsonl", chat.join("\n"));
  project.write("evals/forbid/case.json", {
    id: "forbid",
    input: "x",
    expect: { action_sequence_constraints: [{ forbid: "write_file" }] },
  });
  const grade = (dirs: readonly string[]) =>
    project.run(["agent", "grade", ...dirs, "--case", "evals/forbid", "--json"]);

  const { document } = await project.run(["agent", "import", "chat.jsonl", "--json"]);
  expect(document.runs.map(({ kind, turns }: { kind: string; turns: number }) => [kind, turns])).toEqual([
    ["openai", 1],
    ["openai", 1],
  ]);
  const [first, second] = document.runs.map(({ run_dir }: { run_dir: string }) => run_dir);
  expect((await grade([first])).exitCode).toBe(0);
  const torn = await grade([second]);
  expect(torn.exitCode).toBe(3);
  expect(torn.document.results[0]).toMatchObject({ pass: null, no_verdict: { code: "NotObserved" } });

  const joined = await project.run(["agent", "import", "chat.jsonl", "--join", "--json"]);
  expect(joined.document.runs).toHaveLength(1);
});

test.each<[string, string[], string, RegExp]>([
  [
    "content of no known kind",
    ["evals/twin/case.json"],
    "trace-invalid",
    /in none of the formats.*begins with/,
  ],
  ["another kind than the content", ["otel.json", "--from", "openai"], "trace-invalid", /looks like otel/],
  ["a kind there is not", ["otel.json", "--from", "otlp"], "usage", /otel/],
  ["a file there is not", ["nowhere.json", "--from", "otel"], "usage", /nowhere\.json does not exist/],
  ["a folder", ["evals", "--from", "otel"], "usage", /not a regular file/],
  ["a trace without a model", ["asked.json", "--from", "openai"], "trace-invalid", /contains no model reply/],
  ["a trace of another kind", ["otel.json", "--from", "claude-code"], "trace-invalid", /otel\.json/],
  [
    "skills there are not",
    ["otel.json", "--from", "otel", "--skills", "nowhere"],
    "skill-not-found",
    /nowhere/,
  ],
])("%s is exit 2, and no run is made", async (_, argv, code, words) => {
  await using project = await importProject();
  project.write("asked.json", { messages: [{ role: "user", content: "hi" }] });
  const { exitCode, document } = await project.run(["agent", "import", ...argv, "--json"]);
  expect(exitCode).toBe(2);
  expect(`${document.error.message} ${document.error.hint}`).toMatch(words);
  expect(document.error.code).toBe(code);
  expect(project.runs()).toEqual([]);
});
