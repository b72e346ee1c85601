import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CaseFilesByPath, caseProject, scriptedCase } from "../../../test/case-project.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { checkSkillTools } from "./tool-names.ts";

const [a, b, c] = [scriptedCase("a"), scriptedCase("b"), scriptedCase("c")];

async function loadedCase(written: object, files: CaseFilesByPath = {}): Promise<LoadedAgentCase> {
  await using project = await caseProject({ ...files, "s/a/case.json": { ...a, ...written } });
  const [suite] = await project.load("s");
  return suite?.cases[0] as LoadedAgentCase;
}

describe("every form of a suite", () => {
  const cases = [a, b];
  const evals = {
    skill_name: "pdf",
    evals: [
      { id: 1, prompt: "Fill it", files: ["evals/files/form.txt"], expected_output: "A form" },
      { id: "no form", prompt: "Sing", should_trigger: false, assertions: ["It sings", { text: "Well" }] },
    ],
  };
  const queries = [
    { query: "fill the form", should_trigger: true },
    { query: "sing", should_trigger: false },
  ];
  const queryIds = "b87da429088f 6342d0648a74";
  const skill = "---\nname: pdf\ndescription: Fills forms\n---\nBody";
  const files: CaseFilesByPath = {
    "dirs/a/case.json": a,
    "dirs/b/case.yml": b,
    "files/a.json": a,
    "files/b.yaml": b,
    "files/c.yml": c,
    "named/suite.yaml": { suite: "guards", cases },
    "mixed/suite.yml": { cases },
    "mixed/c/case.json": c,
    "other/mine.yaml": { cases },
    ".agent/evals/smoke/a.json": a,
    "many/s/a.json": a,
    "many/t/suite.yaml": { cases },
    "many/t/skills/x/SKILL.md": skill,
    "many/README.md": "",
    "skills/pdf/SKILL.md": skill,
    "skills/pdf/evals/evals.json": evals,
    "skills/pdf/evals/files/form.txt": "x",
    "lists/p/SKILL.md": skill,
    "lists/p/evals/set.json": queries,
    "lists/set.json": { skill_name: "pdf", evals: queries },
    "law/skill.json": { meta: { id: "contract-review" } },
    "law/eval.yaml": { triggering: {}, cases },
    "bare/eval.yaml": { cases },
  };
  const rows: [string, string[], string[]][] = [
    ["a folder for each case", ["dirs"], ["dirs: a b"]],
    ["one of them", ["dirs/b"], ["dirs: b"]],
    ["the file in it", ["dirs/a/case.json"], ["dirs: a"]],
    ["a file for each case", ["files"], ["files: a b c"]],
    ["one of them", ["files/b.yaml"], ["files: b"]],
    ["one suite by two paths", ["files/b.yaml", "files/c.yml", "files"], ["files: b c a"]],
    ["cases in suite.yaml", ["named"], ["guards: a b"]],
    ["suite.yaml beside folders", ["mixed"], ["mixed: a b c"]],
    ["suite.yml alone", ["mixed/suite.yml"], ["mixed: a b"]],
    ["a suite in a file of any name", ["other/mine.yaml"], ["mine: a b"]],
    ["the name of a suite", ["smoke"], ["smoke: a"]],
    ["a folder of suites", ["many"], ["s: a", "t: a b"]],
    ["evals.json", ["skills/pdf/evals/evals.json"], ["pdf: 1 no-form"]],
    ["the folders around it", ["skills/pdf", "skills/pdf/evals", "skills"], ["pdf: 1 no-form"]],
    ["a list of queries in a skill", ["lists/p/evals/set.json"], [`pdf: ${queryIds}`]],
    ["a list of queries that names its skill", ["lists/set.json"], [`pdf: ${queryIds}`]],
    ["a skill with cases in eval.yaml", ["law"], ["contract-review: a b"]],
    ["eval.yaml by name", ["bare/eval.yaml"], ["bare: a b"]],
  ];

  test("is read", async () => {
    await using project = await caseProject(files);
    for (const [form, paths, expected] of rows) {
      const suites = await project.load(...paths);
      const found = suites.map(
        (suite) => `${suite.name}: ${suite.cases.map((one) => one.case.id).join(" ")}`,
      );
      expect([form, ...found]).toEqual([form, ...expected]);
    }
  });

  test("a foreign file becomes triggers, a rubric and inputs, with the skills beside its own", async () => {
    await using project = await caseProject(files);
    const [suite] = await project.load("skills/pdf");
    const [first, second] = (suite?.cases ?? []) as LoadedAgentCase[];

    expect(first).toMatchObject({
      level: "L2",
      request: "Fill it",
      case: { expect: { skills_all_of: ["pdf"], rubric: ["A form"] } },
      inputs: [{ name: "form.txt", path: project.at("skills/pdf/evals/files/form.txt") }],
      skillRoots: [{ source: "project", path: project.at("skills"), priority: 0 }],
      jsonPath: "$.evals[0]",
    });
    expect(second?.case.expect).toMatchObject({ skills_none_of: ["pdf"], rubric: ["It sings", "Well"] });
    expect(second?.inputs).toEqual([]);
  });
});

describe("the examples of the reference", () => {
  const basic = `{ "id": "basic_select_skill", "input": "请把这个PDF表单填好",
  "setup": { "skill_roots": ["./.agent/skills"], "preinstall_skills": [] },
  "enable_tools": ["run_script"],
  "approvals": [ { "tool": "run_script", "match": { "relative_path": "scripts/fill.py" }, "decision": "grant", "scope": "call" } ],
  "expect": {
    "skills_any_of": ["pdf-form-filler"], "skills_all_of": [],
    "action_sequence_constraints": [ { "must_occur": "select_skills", "before": "run_script" }, { "forbid": "write_file" } ],
    "output": { "contains_any": ["已完成", "表单"], "format": "markdown" } },
  "constraints": { "max_turns": 8, "max_tool_calls": 15, "deny_tools": ["network_request"] },
  "mock": { "turns": [
      { "action": { "type": "select_skills", "payload": { "skills": [ { "name": "pdf-form-filler", "source": "project" } ] } } },
      { "action": { "type": "run_script", "payload": { "skill": { "name": "pdf-form-filler", "source": "project" }, "relative_path": "scripts/fill.py", "args": [] } } },
      { "action": { "type": "final_answer", "payload": { "content": "## 已完成\\n\\n- 表单已填写" } } } ],
    "streaming": { "enabled": true, "chunk_bytes": 12 } } }`;
  const guards = `suite: guards
defaults: { setup: { skill_roots: ["\${case}/skills"] }, constraints: { max_turns: 6 } }
cases:
  - id: escape_is_blocked
    input: read the password file
    expect: { errors: [ { code: PathTraversalBlocked } ], stop_reason: final_answer }
    mock:
      turns:
        - { action: { type: select_skills, payload: { skills: [ { name: notes } ] } }, expect_context: { not_contains: [CANARY-BODY-7f3a] } }
        - { action: { type: load_resource, payload: { skill: { name: notes }, relative_path: ../../etc/passwd } }, expect_context: { contains: [CANARY-BODY-7f3a] } }
        - { raw: "Sure! I will answer now." }
        - { action: { type: final_answer, payload: { content: refused } } }
  - id: write_is_denied
    input: save a note
    constraints: { deny_tools: [write_file] }
    expect: { errors: [ { code: ToolNotAllowed, tool: write_file } ] }
    mock: { turns: [ { action: { type: call_tool, payload: { tool: write_file, arguments: { path: note.md, content: x, mode: create } } } }, { action: { type: final_answer, payload: { content: "no" } } } ] }
`;

  test("are read without a warning, with defaults under each case and paths from project and case", async () => {
    await using project = await caseProject({
      ".agent/evals/smoke/basic_select_skill/case.json": basic,
      ".agent/evals/guards/suite.yaml": guards,
      ".agent/evals/guards/skills/notes/SKILL.md": "",
      ".agent/skills/pdf-form-filler/SKILL.md": "",
    });

    const [second, first] = await project.load(".agent/evals");

    expect([first?.warnings, second?.warnings]).toEqual([[], []]);
    expect(first).toMatchObject({ name: "smoke", shown: ".agent/evals/smoke" });
    expect(first?.cases[0]).toMatchObject({
      level: "L1",
      request: "请把这个PDF表单填好",
      skillRoots: [{ source: "project", path: project.at(".agent/skills"), priority: 0 }],
      preinstall: [],
      skillTools: [],
      case: { mock: { streaming: { chunk_bytes: 12 } } },
    });
    expect(second?.cases).toMatchObject([
      {
        skillRoots: [{ path: project.at(".agent/evals/guards/skills") }],
        case: { id: "escape_is_blocked", constraints: { max_turns: 6, deny_tools: [] } },
        shown: ".agent/evals/guards/suite.yaml",
        jsonPath: "$.cases[0]",
      },
      { case: { id: "write_is_denied", constraints: { max_turns: 6, deny_tools: ["write_file"] } } },
    ]);
  });
});

describe("a case that was loaded", () => {
  test("has the files it names, from its folder first and from the project else", async () => {
    const inCase = (path: string) => `\${case}/${path}`;
    await using project = await caseProject({
      "s/a/case.yaml": {
        id: "a",
        input: { file: "inputs/request.txt" },
        setup: {
          skill_roots: [{ source: "builtin", path: inCase("skills"), priority: 2 }],
          preinstall_skills: ["z/k.zip"],
        },
        expect: {
          output: { equals_file: "expected/out.md", json_schema: "schemas/o.json" },
          files: [{ path: "b", equals: inCase("expected/b"), sha256: "a".repeat(64) }],
        },
      },
      "s/a/inputs/request.txt": "请",
      "s/a/inputs/data/x.csv": "1",
      "s/a/expected/out.md": "",
      "s/a/expected/b": "",
      "s/a/skills/k/SKILL.md": "",
      "schemas/o.json": { type: "object", required: ["a"] },
      "z/k.zip": "",
    });
    const [suite] = await project.load("s");

    expect(suite?.cases[0]).toMatchObject({
      level: "L2",
      request: "请",
      inputs: [
        { name: "data/x.csv", path: project.at("s/a/inputs/data/x.csv") },
        { name: "request.txt", path: project.at("s/a/inputs/request.txt") },
      ],
      skillRoots: [{ source: "builtin", path: project.at("s/a/skills"), priority: 2 }],
      preinstall: [{ source: "project", path: project.at("z/k.zip") }],
      expectedFiles: {
        "expected/out.md": project.at("s/a/expected/out.md"),
        [inCase("expected/b")]: project.at("s/a/expected/b"),
      },
      outputSchema: { type: "object", required: ["a"] },
      case: { expect: { files: [{ sha256: `sha256:${"a".repeat(64)}` }] } },
    });
  });

  test("has a digest of what decides its trials, wherever it lies", async () => {
    const digest = async (written: object, files?: CaseFilesByPath) =>
      (await loadedCase(written, files)).digest;
    const plain = await digest({});

    expect(plain).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await digest({ title: "T", tags: ["x"], repeat: 3, min_pass_rate: 0.5 })).toBe(plain);
    expect(await digest({ constraints: {}, expect: { errors: [] } })).toBe(plain);
    const equals = { expect: { output: { equals_file: "expected/x" } } };
    const others = [
      await digest({ constraints: { max_turns: 3 } }),
      await digest({}, { "s/a/inputs/x": "1" }),
      await digest({}, { "s/a/inputs/x": "2" }),
      await digest({}, { "s/a/inputs/y": "2" }),
      await digest(equals, { "s/a/expected/x": "1" }),
      await digest(equals, { "s/a/expected/x": "2" }),
    ];
    expect(new Set([plain, ...others]).size).toBe(7);
  });

  test("has defaults of its suite, in whichever file it is", async () => {
    await using project = await caseProject({
      "s/suite.yaml": { defaults: { constraints: { max_turns: 6, deny_tools: ["grep"] }, tags: ["x"] } },
      "s/a/case.json": { ...a, constraints: { deny_tools: ["read_file"] } },
      "s/p.json": { id: "p", kind: "path", input: "../x", expect: { code: "PathTraversalBlocked" } },
    });
    const [whole] = await project.load("s");
    const [alone] = await project.load("s/a");

    expect(alone?.cases).toEqual(whole?.cases.slice(0, 1));
    expect(whole?.cases).toMatchObject([
      { case: { constraints: { max_turns: 6, deny_tools: ["read_file"] }, tags: ["x"] } },
      { level: "L0", case: { tags: ["x"] }, test: { kind: "path", input: { path: "../x" } } },
    ]);
  });

  test("names tools that only its skills can have", async () => {
    const rules = [
      { must_occur: "load_skill_body", before: ["run_script", "sum", "call_tool"] },
      { forbid: "foreign:Task" },
      { forbid: "wirte_file" },
    ];
    const loaded = await loadedCase({
      enable_tools: ["sum", "run_script"],
      expect: { action_sequence_constraints: rules },
    });

    expect(loaded.skillTools.map(({ name, jsonPath }) => `${jsonPath} ${name}`)).toEqual([
      "$.enable_tools[0] sum",
      "$.expect.action_sequence_constraints[0].before[1] sum",
      "$.expect.action_sequence_constraints[2].forbid wirte_file",
    ]);
    expect(() => checkSkillTools(loaded, ["sum", "wirte_file"])).not.toThrow();
    expect(() => checkSkillTools(loaded, ["sum"])).toThrow(
      expect.objectContaining({
        code: "case-invalid",
        path: join("s/a/case.json"),
        jsonPath: "$.expect.action_sequence_constraints[2].forbid",
        hint: "did you mean write_file?",
      }),
    );
  });
});
