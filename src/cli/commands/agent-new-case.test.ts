import { expect, test } from "vitest";
import { agentProject, answer, call, load, scripted, select } from "../../../test/agent-project.ts";

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n---\n# ${name}\n\nRead references/rules.md, then run scripts/sum.sh.\n`;

const files = {
  ".agent/skills/tea/SKILL.md": skill("tea"),
  ".agent/skills/tea/references/rules.md": "Two minutes.\n",
  ".agent/skills/tea/scripts/sum.sh": "echo 2\n",
};

test("a case drafted from a run passes like the run it is about, and says that it is a draft", async () => {
  const may = { enable_tools: ["write_file"], approvals: [{ tool: "write_file", decision: "grant" }] };
  const turns = [
    select("tea"),
    load("references/rules.md", "tea"),
    call("write_file", { path: "out.txt", content: "2" }),
    answer("two"),
  ];
  const cases = [scripted("brews", { ...may, input: "How long?" }, turns)];
  await using project = await agentProject({ ...files, "evals/suite.yaml": { suite: "desk", cases } });
  const first = await project.run(["agent", "eval", "evals/suite.yaml", "--sandbox", "process", "--json"]);
  const dir = first.cells[0]?.details.runDir ?? "";

  expect((await project.run(["agent", "new-case", "--from-run", dir, "--out", "drafts"])).exitCode).toBe(0);
  const drafted = JSON.parse(project.read("drafts/brews_again/case.json"));
  expect(drafted).toMatchObject({
    ...{ id: "brews_again", draft: true, input: "How long?", enable_tools: ["write_file"] },
    expect: {
      skills_all_of: ["tea"],
      action_sequence_constraints: [
        { must_occur: "select_skills", before: "load_resource" },
        { must_occur: "load_resource", before: "write_file" },
        { must_occur: "write_file", before: "final_answer" },
        { forbid: "delete_file" },
        { forbid: "network_request" },
      ],
      files: [{ path: "out.txt" }],
    },
    mock: { turns },
  });
  const again = await project.run(["agent", "eval", "drafts", "--sandbox", "process", "--json"]);
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("brews_again is a draft") });
  expect((await project.run(["agent", "new-case", "--from-run", dir, "--out", "drafts"])).exitCode).toBe(2);
});

test("a case drafted from a skill uses what its instructions name", async () => {
  await using project = await agentProject(files);
  const made = await project.run([
    "agent",
    "new-case",
    "--from-skill",
    ".agent/skills/tea",
    "--out",
    "drafts",
  ]);
  expect(made.exitCode).toBe(0);
  expect(JSON.parse(project.read("drafts/tea_case/case.json"))).toMatchObject({
    ...{ input: "What tea is for.", enable_tools: ["run_script"] },
    expect: { skills_all_of: ["tea"] },
  });
  const run = await project.run(["agent", "eval", "drafts", "--sandbox", "process", "--json"]);
  expect(run.exitCode).toBe(0);
  expect((await project.run(["agent", "new-case"])).exitCode).toBe(2);
});

test("the example case of the specification runs as it is written", async () => {
  const written = {
    id: "basic_select_skill",
    input: "请把这个PDF表单填好",
    setup: { skill_roots: ["./.agent/skills"], preinstall_skills: [] },
    enable_tools: ["run_script"],
    approvals: [
      { tool: "run_script", match: { relative_path: "scripts/fill.py" }, decision: "grant", scope: "call" },
    ],
    expect: {
      skills_any_of: ["pdf-form-filler"],
      skills_all_of: [],
      action_sequence_constraints: [
        { must_occur: "select_skills", before: "run_script" },
        { forbid: "write_file" },
      ],
      output: { contains_any: ["已完成", "表单"], format: "markdown" },
    },
    constraints: { max_turns: 8, max_tool_calls: 15, deny_tools: ["network_request"] },
    mock: {
      turns: [
        {
          action: {
            type: "select_skills",
            payload: { skills: [{ name: "pdf-form-filler", source: "project" }] },
          },
        },
        {
          action: {
            type: "run_script",
            payload: {
              skill: { name: "pdf-form-filler", source: "project" },
              relative_path: "scripts/fill.py",
              args: [],
            },
          },
        },
        { action: { type: "final_answer", payload: { content: "## 已完成\n\n- 表单已填写" } } },
      ],
      streaming: { enabled: true, chunk_bytes: 12 },
    },
  };
  await using project = await agentProject({
    ".agent/skills/pdf-form-filler/SKILL.md": skill("pdf-form-filler"),
    ".agent/skills/pdf-form-filler/scripts/fill.py": 'print("filled")\n',
    ".agent/evals/smoke/basic_select_skill/case.json": written,
  });
  const run = await project.run(["agent", "eval", ".agent/evals/smoke", "--sandbox", "process", "--json"]);
  expect(run.exitCode).toBe(0);
});
