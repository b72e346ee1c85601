import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { unitTargets } from "./unit-targets.ts";

const unit = {
  id: "calc",
  name: "Calc",
  version: "1.0.0",
  description: "Does sums",
  adapterType: "subprocess",
  entrypoint: "calc --json",
};
const promptTool = {
  schema_version: "ah32.skill.v1",
  meta: { id: "invoice-check", name: "Invoices", description: "Checks invoices" },
  entry: { system_prompt: "SYSTEM.md" },
  tools: ["sum_checker", { name: "date_checker", description: "Checks dates" }],
};
const instructions = "---\nname: notes\ndescription: Keeps notes\n---\nKeep them.\n";
const prompt = {
  "prompts/check/skill.json": promptTool,
  "prompts/check/SYSTEM.md": "Check.",
  "prompts/check/scripts/sum_checker.py": "def sum_checker():\n    return {}\n",
};

async function project(files: Record<string, unknown>) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return {
    at: (name: string) => join(folder.path, name),
    find: (...paths: string[]) => unitTargets(paths, folder.path),
    async ids(...paths: string[]) {
      return (await unitTargets(paths, folder.path)).targets.map(({ skill }) => skill.id);
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test("a folder that is searched gives the skills that can be called, and passes over the other kinds", async () => {
  await using here = await project({
    "s/calc/skill.json": unit,
    "s/calc/inner/skill.json": { ...unit, id: "inner" },
    "s/notes/SKILL.md": instructions,
    "s/broken-notes/SKILL.md": "no frontmatter",
    "s/alone/SYSTEM.md": "Do.",
  });

  expect(await here.find("s")).toMatchObject({ targets: [{ shown: "s/calc" }], warnings: [] });
});

test("tools beside the skills of a folder are not called unless named, and that is reported", async () => {
  await using here = await project({ ...prompt, "prompts/calc/skill.json": unit });

  const { targets, warnings } = await here.find("prompts");

  expect(targets).toMatchObject([{ skill: { id: "calc" } }]);
  expect(warnings).toEqual([
    "prompts: tools of prompts are skipped unless passed by name, for example prompts/check#sum_checker",
  ]);
});

test("a tool is named after #, and several of one skill are several targets", async () => {
  await using here = await project({ ...prompt, "a#b/skill.json": unit });

  const { targets } = await here.find("prompts/check#sum_checker", "prompts/check/skill.json#date_checker");

  expect(targets).toMatchObject([
    {
      shown: "prompts/check#sum_checker",
      skill: { id: "invoice-check#sum_checker", adapter: { type: "tool" } },
    },
    { skill: { id: "invoice-check#date_checker", dir: here.at("prompts/check") } },
  ]);
  expect(await here.ids("prompts/check#sum_checker", "./prompts/check/#sum_checker")).toHaveLength(1);
  expect(await here.ids("a#b")).toEqual(["calc"]); // a path that is there is that path
});

test.each<[string, object]>([
  [
    "prompts/check#sum_cheker",
    { message: expect.stringContaining('declares no tool "sum_cheker"'), hint: "did you mean sum_checker?" },
  ],
  ["prompts/check#x", { hint: "known: sum_checker, date_checker" }],
  ["prompts/check", { hint: "pass one of them: prompts/check#sum_checker, prompts/check#date_checker" }],
  ["prompts/check/SYSTEM.md", { message: expect.stringContaining("only its tools can be called") }],
  ["prompts#sum_checker", { hint: "for example prompts/check#sum_checker" }],
  ["calc#sum", { hint: "pass the skill itself: calc" }],
  ["notes#sum", { hint: "pass the skill itself: notes" }],
  ["notes", { message: "notes has a SKILL.md but no skill.json, so it is not callable" }],
  ["notes/SKILL.md", { message: expect.stringContaining("has a SKILL.md but no skill.json") }],
  ["alone", { message: "alone has a SYSTEM.md but no skill.json, so it is not callable" }],
  ["broken", { path: expect.stringMatching(/broken\/skill\.json$/) }],
  ["broken#sum", { path: expect.stringMatching(/broken\/skill\.json$/) }],
])("%s is refused, with what to name instead", async (path, refusal) => {
  await using here = await project({
    ...prompt,
    "calc/skill.json": unit,
    "notes/SKILL.md": instructions,
    "alone/SYSTEM.md": "Do.",
    "broken/skill.json": { ...promptTool, tools: {} },
    "broken/SYSTEM.md": "Do.",
  });

  await expect(here.find(path)).rejects.toMatchObject({ code: "skill-invalid", exitCode: 2, ...refusal });
});

test.each([
  ["s", "a callable skill has a skill.json; create one with `eval-skills create --name my_skill`"],
  ["prompts", "pass tools of prompts: prompts/check#sum_checker, prompts/check#date_checker"],
])("a folder %s without anything to call is refused by name", async (path, hint) => {
  await using here = await project({ ...prompt, "s/notes/SKILL.md": instructions });

  await expect(here.find(path)).rejects.toMatchObject({ code: "skill-not-found", path, hint });
});

test("a broken manifest is listed, of whatever kind it would be", async () => {
  await using here = await project({
    "a/calc/skill.json": unit,
    "a/bad/skill.json": { ...promptTool, meta: {} },
    "b/calc/skill.json": unit,
    "b/bad/skill.json": "{",
    "b/bad/SKILL.md": instructions,
  });

  for (const folder of ["a", "b"])
    expect(await here.find(folder)).toMatchObject({
      targets: [{ shown: `${folder}/calc` }],
      notLoaded: [{ path: `${folder}/bad` }],
    });
  // One alone leaves nothing to call, and is listed all the same.
  expect(await here.find("b/bad/..", "a")).toMatchObject({ notLoaded: [{}, {}] });
});

test("what a SKILL.md says wrongly beside a good skill.json stops nobody", async () => {
  await using here = await project({
    "calc/skill.json": unit,
    "calc/SKILL.md": "no frontmatter",
    "other/skill.json": { ...unit, id: "other" },
    "other/SKILL.md": "---\nname: notes\ndescription: Keeps notes\nshape: round\n---\nKeep them.\n",
  });

  const { targets, warnings } = await here.find("calc", "other");

  expect(targets).toHaveLength(2);
  expect(warnings).toEqual(["calc/SKILL.md:1:1: no frontmatter block"]); // the other one is still an agent skill, and doctor reports the rest
});

test("an entrypoint that is not found is reported to the caller", async () => {
  await using here = await project({ "calc/skill.json": { ...unit, entrypoint: "python3 gone.py" } });

  const { targets } = await here.find("calc");

  expect(targets[0]?.unreachable).toMatchObject({
    code: "adapter-invalid",
    path: here.at("calc/skill.json"),
    jsonPath: "$.entrypoint",
    message: expect.stringMatching(
      /skill\.json:1:\d+: entrypoint "python3 gone\.py": gone\.py is not in the folder$/,
    ),
  });
});

test("of several errors the one to fix first is reported, and how many more there are", async () => {
  await using here = await project({
    "calc/skill.json": { ...unit, version: "1", tag: [] },
    "calc/adapter.config.json": "{",
    "calc/SKILL.md": "no frontmatter",
  });

  await expect(here.find("calc")).rejects.toMatchObject({
    jsonPath: "$.tag",
    hint: "did you mean tags? `eval-skills doctor calc` shows 3 more errors",
  });
});

test("a skill behind a link is called what the user calls it", async () => {
  await using here = await project({ "elsewhere/calc/skill.json": unit });
  symlinkSync("elsewhere", here.at("s"));

  expect((await here.find("s")).targets).toMatchObject([
    { shown: "s/calc", skill: { dir: here.at("s/calc"), manifest: here.at("s/calc/skill.json") } },
  ]);
});
