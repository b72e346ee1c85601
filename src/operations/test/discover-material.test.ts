import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { discoverMaterial, type MaterialRequest } from "./discover-material.ts";

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Does things. Use it for things.\n---\n\nDo it.\n`;
const prompt = {
  schema_version: "ah32.skill.v1",
  meta: { id: "desk", name: "Desk", version: "1.0.0", description: "Repeats things" },
  entry: { system_prompt: "SYSTEM.md" },
  routing: { tags: [], triggers: [], examples: [] },
  tools: [{ name: "repeat", description: "Repeats", parameters: { type: "object" } }],
};

/** A folder with these files, searched; paths in what was found count from it. */
async function found(files: Record<string, unknown>, request: Partial<MaterialRequest> = {}) {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const defaults = { paths: [], cwd: folder.path, projectRoot: folder.path, roots: null, skills: [] };
  const material = await discoverMaterial({ ...defaults, ...request });
  return JSON.parse(JSON.stringify(material).replaceAll(`${folder.path}/`, ""));
}

test("a skill has the tests that lie in its folder, by level", async () => {
  const { skills } = await found({
    "skills/notes/SKILL.md": skill("notes"),
    "skills/notes/eval.yaml": "triggering:\n  should_match: []\ncases:\n  - id: a\n",
    "skills/notes/tests/basic.eval.json": [],
    "skills/notes/tests/deep/more.eval.yaml": "[]",
    "skills/notes/tests/lines.eval.jsonl": "",
    "skills/notes/tests/data.json": {},
    "skills/notes/tests/node_modules/x/y.eval.json": [],
    "skills/notes/evals/asked.json": [{ query: "note this", should_trigger: true }],
    "skills/notes/evals/other.json": { unrelated: true },
    "skills/notes/plans.planbench.yaml": "id: plans",
  });

  expect(skills).toEqual([
    {
      id: "notes",
      dir: "skills/notes",
      shown: "skills/notes",
      unit: [
        { path: "skills/notes/tests/basic.eval.json", tool: null },
        { path: "skills/notes/tests/deep/more.eval.yaml", tool: null },
        { path: "skills/notes/tests/lines.eval.jsonl", tool: null },
      ],
      hasTriggers: true,
      querySets: ["skills/notes/evals/asked.json"],
      hasCases: true,
      benches: ["skills/notes/plans.planbench.yaml"],
    },
  ]);
});

test("tasks of a prompt with tools are for the tool that their file is called by", async () => {
  const { skills, warnings } = await found({
    "desk/skill.json": prompt,
    "desk/SYSTEM.md": "Repeat it.",
    "desk/scripts/repeat.py": "def repeat():\n    return {}\n",
    "desk/tests/repeat.eval.json": [],
    "desk/tests/repaet.eval.json": [],
  });

  expect(skills[0].unit).toEqual([{ path: "desk/tests/repeat.eval.json", tool: "repeat" }]);
  expect(warnings).toEqual(["desk/tests/repaet.eval.json is not run: desk has no tool repaet"]);
});

test("a project has skills where agents keep them, and tests of its own", async () => {
  const material = await found({
    "a/SKILL.md": skill("a"),
    ".claude/skills/b/SKILL.md": skill("b"),
    ".agent/evals/smoke/suite.yaml": "cases: []",
    "evals/suite.yaml": "cases: []",
    "benchmarks/plans.planbench.yaml": "id: plans",
  });

  expect(material.skills.map(({ id }: { id: string }) => id).sort()).toEqual(["a", "b"]);
  expect(material.suites).toEqual([".agent/evals", "evals"]);
  expect(material.benches).toEqual(["benchmarks/plans.planbench.yaml"]);
});

test("an evals folder of another tool is not a suite", async () => {
  expect(await found({ "a/SKILL.md": skill("a"), "evals/registry/x.yaml": "a: 1" })).toMatchObject({
    suites: [],
  });
});

test("where the project names its roots, only those are searched", async () => {
  const files = { "mine/a/SKILL.md": skill("a"), "b/SKILL.md": skill("b") };

  expect(await found(files, { roots: ["./mine"] })).toMatchObject({ skills: [{ id: "a" }] });
});

test.each([
  [["skills/a"], ["a"], 2],
  [["skills"], ["a", "b"], 2],
  [["skills/a/tests/one.eval.json"], ["a"], 1],
  [["skills/a/tests"], ["a"], 2],
  [["skills/a/tests/one.eval.json", "skills/a/tests/two.eval.json"], ["a"], 2],
  [["skills/a/tests/one.eval.json", "skills"], ["a", "b"], 2],
])("the path %s means the skills %s", async (paths, ids, files) => {
  const { skills } = await found(
    {
      "skills/a/SKILL.md": skill("a"),
      "skills/a/tests/one.eval.json": [],
      "skills/a/tests/two.eval.json": [],
      "skills/b/SKILL.md": skill("b"),
    },
    { paths },
  );

  expect(skills.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(skills[0].unit).toHaveLength(files);
});

test("a path that leads to nothing is an error that says so", async () => {
  await expect(found({ "a/SKILL.md": skill("a") }, { paths: ["b"] })).rejects.toMatchObject({
    code: "skill-not-found",
  });
});

test("a skill that cannot be loaded is listed, and does not hide the others", async () => {
  const material = await found({ "a/SKILL.md": skill("a"), "b/skill.json": "{", "c/SKILL.md": skill("c") });

  expect(material.skills.map(({ id }: { id: string }) => id)).toEqual(["a", "c"]);
  expect(material.notLoaded).toMatchObject([{ path: "b" }]);
});

test("--skill chooses skills by pattern, without what belongs to the project", async () => {
  const material = await found(
    { "pdf-a/SKILL.md": skill("pdf-a"), "doc/SKILL.md": skill("doc"), "evals/suite.yaml": "cases: []" },
    { skills: ["pdf-*"] },
  );

  expect(material).toMatchObject({ skills: [{ id: "pdf-a" }], suites: [] });
});

test("a skill that cannot be loaded goes by the name of its folder", async () => {
  const files = { "pdf-a/SKILL.md": skill("pdf-a"), "pdf-b/skill.json": "{", "doc/skill.json": "{" };

  expect(await found(files, { skills: ["pdf-*"] })).toMatchObject({ notLoaded: [{ path: "pdf-b" }] });
});

test("a file that looks like tasks and is not called so is named", async () => {
  const { warnings } = await found({
    "a/SKILL.md": skill("a"),
    "a/tests/more.json": [{ id: "x", inputData: {} }],
    "a/tests/data.json": [1],
  });

  expect(warnings).toEqual([
    "a/tests/more.json is not run: files of tasks are called *.eval.json, *.eval.yaml or *.eval.jsonl",
  ]);
});

test.each([
  ["is no YAML", "\ttriggering: [", true],
  ["has a misspelt key", "trigering: {}", true],
  ["has cases alone", "cases: []", false],
  ["is empty", "", false],
])("an eval.yaml that %s: may have trigger tests", async (_, text, hasTriggers) => {
  const { skills } = await found({ "a/SKILL.md": skill("a"), "a/eval.yaml": text });

  expect(skills).toMatchObject([{ hasTriggers }]);
});
