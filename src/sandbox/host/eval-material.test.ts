import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skillFolder } from "../../../test/strict-sandbox.ts";
import { findEvalMaterial } from "./eval-material.ts";

const suite = '{ "id": "s", "tasks": [{ "inputData": {}, "expectedOutput": { "value": 42 } }] }';

/** What is hidden of a folder with these files, relative to it. */
async function hiddenIn(
  files: Readonly<Record<string, string>>,
  { granted = [], maxEntries }: { granted?: readonly string[]; maxEntries?: number } = {},
) {
  await using folder = await skillFolder(files);
  const at = (name: string) => join(folder.path, name);
  const { paths, isTooLarge } = findEvalMaterial(folder.path, granted.map(at), maxEntries);
  return { paths: paths.map((path) => path.slice(folder.path.length + 1)).sort(), isTooLarge };
}

describe("fault row 72: of a skill's folder", () => {
  test("version control is hidden wherever it is, as a folder, a file or a bare repository", async () => {
    const { paths } = await hiddenIn({
      ".git/HEAD": "",
      ".jj/x": "",
      "lib/.git": "gitdir: ../../.git/modules/lib",
      "lib/deep/.hg/x": "",
      "old.git/HEAD": "",
      "old.git/objects/x": "",
      "old.git/refs/x": "",
      ".gitignore": "",
      "main.py": "",
    });
    expect(paths).toEqual([".git", ".jj", "lib/.git", "lib/deep/.hg", "old.git"]);
  });

  test("folders of tests at its top are hidden as a whole, those of a skill inside it too", async () => {
    const { paths } = await hiddenIn({
      "tests/answers.json": "42",
      "test/x": "",
      "evals/x": "",
      "eval/x": "",
      "__tests__/x": "",
      "lib/tests/helper.py": "",
      "inner/SKILL.md": "",
      "inner/tests/x": "",
    });
    expect(paths).toEqual(["__tests__", "eval", "evals", "inner/tests", "test", "tests"]);
  });

  test("suites are hidden by name and by content, whatever they are called, and nothing that only sounds like one", async () => {
    const { paths } = await hiddenIn({
      "eval.yaml": "",
      "lib/tests/sub/a.eval.json": "",
      "data/answers.json": suite,
      "data/answers.txt": suite,
      "data/answers": suite,
      "data/long.json": `{ "about": ${JSON.stringify("x".repeat(20_000))}, ${suite.slice(1)}`,
      "data/cases.yml": "cases:\n  - id: a\n    input: x\n    expect: { skills_any_of: [a] }\n",
      "data/lines.jsonl": `{"id":"mine","name":"Mine","version":"1"}\n${JSON.stringify({ id: "a", inputData: 1, expect: [{ value: 2 }] })}`,
      "data/tasks.yaml": "# mine\n- id: a\n  inputData: 1\n  expectedOutput: { value: 2 }\n",
      "data/tasks.yml": "tasks:\n  - id: a\n    inputData: 1\n    expect: [{ value: 2 }]\n",
      "data/facts.json": '{ "expected": 1, "input": 2, "tests": [] }',
      "data/values.yaml": "expect: nothing\n",
      "suite.py": `suite = ${suite}`,
      "node_modules/x/a.json": suite,
      ".venv/pyvenv.cfg": "",
      ".venv/lib/a.json": suite,
    });
    expect(paths).toEqual([
      "data/answers",
      "data/answers.json",
      "data/answers.txt",
      "data/cases.yml",
      "data/lines.jsonl",
      "data/long.json",
      "data/tasks.yaml",
      "data/tasks.yml",
      "eval.yaml",
      "lib/tests/sub/a.eval.json",
    ]);
  });

  test("a folder of tests that the user grants is shown, without the suites in it", async () => {
    const files = {
      "tests/helper.py": "",
      "tests/a.eval.json": "",
      "tests/sub/x": "",
      "tests/sub/b.json": suite,
    };
    expect((await hiddenIn(files, { granted: ["tests"] })).paths).toEqual([
      "tests/a.eval.json",
      "tests/sub/b.json",
    ]);
    expect((await hiddenIn(files, { granted: ["tests/sub"] })).paths).toEqual([
      "tests/a.eval.json",
      "tests/helper.py",
      "tests/sub/b.json",
    ]);
  });

  test("many suites in one folder are hidden with that folder, since bubblewrap takes so many flags only", async () => {
    const many = Array.from({ length: 501 }, (_, number) => [`data/${number}.eval.json`, ""]);
    expect((await hiddenIn({ ...Object.fromEntries(many), "data/x": "", "main.py": "" })).paths).toEqual([
      "data",
    ]);
  });

  test("more files than can be looked through are too many", async () => {
    const files = { "a/1": "", "a/2": "", "a/3": "" };
    expect((await hiddenIn(files, { maxEntries: 3 })).isTooLarge).toBe(true);
    expect((await hiddenIn(files, { maxEntries: 4 })).isTooLarge).toBe(false);
  });

  test("links are not followed: what they lead to is found where it is", async () => {
    await using folder = await skillFolder({ "data/a.json": suite });
    symlinkSync(".", join(folder.path, "loop"));
    symlinkSync("data", join(folder.path, "again"));
    symlinkSync("data", join(folder.path, "tests"));
    expect(findEvalMaterial(folder.path, []).paths.map((path) => path.slice(folder.path.length + 1))).toEqual(
      ["tests", "data/a.json"],
    );
  });
});
