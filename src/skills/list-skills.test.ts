import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { listSkills } from "./list-skills.ts";

const unit = {
  id: "calc",
  name: "Calculator",
  version: "1.0.0",
  description: "Adds",
  tags: ["math"],
  adapterType: "subprocess",
  entrypoint: "calc --json",
};

const promptTool = {
  schema_version: "ah32.skill.v1",
  meta: { id: "invoice-check", name: "发票核对", description: "Checks invoices" },
  entry: { system_prompt: "SYSTEM.md" },
  routing: { hosts: ["writer"], tags: ["发票", "office"] },
};

const instructions = `---
name: my-notes
description: "Keeps notes: short ones"
metadata:
  version: 1.10
  tags: notes; text
---
# Notes
`;

async function makeFolder(files: Record<string, unknown>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const list = (path = ".") => listSkills(path, { cwd: folder.path });
  return { ...folder, list, at: (name: string) => join(folder.path, name) };
}

test("all three kinds of skill are listed, by path, with what they say of themselves", async () => {
  await using folder = await makeFolder({
    "c/skill.json": unit,
    "a/deep/SKILL.md": instructions,
    "b/skill.json": promptTool,
    "b/SYSTEM.md": "Check invoices.",
    "empty/readme.txt": "",
  });

  const { skills, problems } = await folder.list();

  expect(problems).toEqual([]);
  expect(skills).toEqual([
    {
      id: "my-notes",
      aliases: [],
      name: "my-notes",
      version: "1.10",
      kind: "agent-skill",
      adapterType: null,
      tags: ["notes", "text"],
      description: "Keeps notes: short ones",
      path: folder.at("a/deep/SKILL.md"),
      dir: folder.at("a/deep"),
    },
    {
      id: "invoice-check",
      aliases: [],
      name: "发票核对",
      version: "0.0.0",
      kind: "prompt-tool",
      adapterType: null,
      tags: ["发票", "office"],
      description: "Checks invoices",
      path: folder.at("b/skill.json"),
      dir: folder.at("b"),
    },
    {
      id: "calc",
      aliases: [],
      name: "Calculator",
      version: "1.0.0",
      kind: "unit",
      adapterType: "subprocess",
      tags: ["math"],
      description: "Adds",
      path: folder.at("c/skill.json"),
      dir: folder.at("c"),
    },
  ]);
});

test("skill.json decides: with a SKILL.md beside it the folder is one skill, and nothing is looked for inside", async () => {
  await using folder = await makeFolder({
    "s/skill.json": unit,
    "s/SKILL.md": instructions,
    "s/inner/skill.json": { ...unit, id: "inner" },
  });

  const { skills } = await folder.list();

  expect(skills.map(({ id, kind }) => [id, kind])).toEqual([["calc", "unit"]]);
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["a manifest that is not JSON", { "x/skill.json": "{" }, /invalid JSON/],
  ["a manifest of no kind", { "x/skill.json": { id: "x" } }, /neither schema_version nor adapterType/],
  ["a misspelt key", { "x/skill.json": { ...unit, descripton: "x" } }, /descripton/],
  ["a schema that is none", { "x/skill.json": { ...unit, inputSchema: { type: "strng" } } }, /inputSchema/],
  ["a newer prompt format", { "x/skill.json": { ...promptTool, schema_version: "ah32.skill.v2" } }, /v2/],
  [
    "a prompt skill without id",
    { "x/skill.json": { ...promptTool, meta: { name: "x" } }, "x/SYSTEM.md": "Do." },
    /meta\.id/,
  ],
  ["instructions without a block", { "x/SKILL.md": "# Hello" }, /no frontmatter block/],
  ["instructions without a name", { "x/SKILL.md": "---\ndescription: x\n---\n" }, /name "": missing/],
  ["instructions without a description", { "x/SKILL.md": "---\nname: x\n---\n" }, /description missing/],
  [
    "a broken adapter configuration",
    { "x/skill.json": unit, "x/adapter.config.json": { type: "http" } },
    /adapterType is "subprocess"/,
  ],
])("%s is a problem that hides no other skill, even with a SKILL.md beside it", async (_, files, why) => {
  await using folder = await makeFolder({ ...files, "good/skill.json": { ...unit, id: "good" } });

  const { skills, problems } = await folder.list();

  expect(skills.map(({ id }) => id)).toEqual(["good"]);
  expect(problems).toMatchObject([
    { path: expect.stringContaining("/x/"), message: expect.stringMatching(why) },
  ]);
});

test("two skills of one id are both listed, and that is a problem", async () => {
  await using folder = await makeFolder({ "a/skill.json": unit, "b/skill.json": unit });

  const { skills, problems } = await folder.list();

  expect(skills).toHaveLength(2);
  expect(problems).toEqual([
    {
      code: "skill-duplicate",
      path: folder.at("b/skill.json"),
      message: expect.stringContaining(folder.at("a/skill.json")),
      isListed: true,
    },
  ]);
});

test("links do not loop, and dot-folders, dependencies and caches are not looked into", async () => {
  await using folder = await makeFolder({
    "a/skill.json": unit,
    ".hidden/skill.json": unit,
    "node_modules/x/skill.json": unit,
    "__pycache__/skill.json": unit,
  });
  symlinkSync(folder.path, folder.at("loop"));

  expect((await folder.list()).skills).toHaveLength(1);
});

test("a path may name a skill itself; one that is not there, or holds none, is an error that names it", async () => {
  await using folder = await makeFolder({ "skills/a/SKILL.md": instructions, "none/x.txt": "" });

  expect((await folder.list("skills/a")).skills).toHaveLength(1);
  expect((await folder.list("skills/a/SKILL.md")).skills).toHaveLength(1);
  await expect(folder.list("skilss")).rejects.toMatchObject({
    code: "skill-not-found",
    path: "skilss",
    hint: "did you mean skills?",
  });
  await expect(folder.list("none")).rejects.toMatchObject({ code: "skill-not-found", path: "none" });
});
