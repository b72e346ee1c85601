import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examined } from "../../test/examined-skill.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { Diagnostics } from "../contract/diagnostics.ts";
import { describeFound } from "./describe-found.ts";
import { describeSkill } from "./describe-skill.ts";
import { SkillFolder } from "./folder/skill-folder.ts";

const unit = {
  id: "my_calc",
  name: "Calculator",
  version: "1.0.0",
  description: "Does sums. Use when numbers are to be added.",
  adapterType: "http",
  entrypoint: "http://127.0.0.1/",
};

function instructions(name: string, more = ""): string {
  return `---\nname: ${name}\ndescription: Does sums. Use when numbers are to be added.\n${more}---\nAdd them.\n`;
}

function both(name: string, more = "", changes: object = {}): Record<string, string> {
  return { "skill.json": JSON.stringify({ ...unit, ...changes }), "SKILL.md": instructions(name, more) };
}

const folder = "my-calc";

test.each<[line: string, bad: Record<string, string>, good: Record<string, string>]>([
  [
    "SKD02 skill.json:2: expected key or }, found the end of the file",
    { "skill.json": "{\n" },
    { "skill.json": JSON.stringify(unit) },
  ],
  [
    'SKD02 skill.json:1: duplicate key "id"',
    { "skill.json": `{"id":"a",${JSON.stringify(unit).slice(1)}` },
    { "skill.json": JSON.stringify(unit) },
  ],
  [
    "SKD03 skill.json: neither schema_version nor adapterType",
    { "skill.json": '{"id":"a"}', "SKILL.md": instructions(folder) },
    both(folder),
  ],
  [
    "SKD07 skill.md: expected SKILL.md",
    { "skill.md": instructions(folder) },
    { "SKILL.md": instructions(folder) },
  ],
  [
    "SKD07 Skill.json: expected skill.json",
    { "Skill.json": JSON.stringify(unit), "SKILL.md": instructions(folder) },
    both(folder),
  ],
  [
    'TRG15 card: meta.yml: not read, a second key "triggers" is not allowed',
    { ...both(folder), "meta.yml": "triggers: a\ntriggers: b\n" },
    { ...both(folder), "meta.yml": "triggers: a; b\n" },
  ],
  ["SKD07 my-calc: expected other", both(folder, "", { id: "other" }), both(folder, "", { id: "my-calc" })],
])("%s, and nothing else", async (line, bad, good) => {
  expect((await examined(bad, { folder })).lines).toEqual([line]);
  expect((await examined(good, { folder })).lines).toEqual([]);
});

test("a file name in other letters, and kinds that disagree, are only warnings where what can be loaded is loaded", async () => {
  const profile = "lenient";
  const loose = await examined({ "skill.md": instructions(folder) }, { folder, profile });
  expect(loose.diagnostics).toMatchObject([{ code: "SKD07", severity: "warning" }]);
  expect(loose.skill).toMatchObject({ id: folder, instructions: { path: "skill.md" } });

  const unlike = await examined(both(folder, "", { id: "other" }), { folder, profile });
  expect(unlike.diagnostics).toMatchObject([
    { severity: "warning", file: "SKILL.md", line: 2, jsonPath: "$.name" },
  ]);
  expect(unlike.skill).toMatchObject({ id: "other", aliases: [folder] });
});

test("a skill.json and a SKILL.md are one skill with two kinds", async () => {
  const more = 'metadata: { triggers: "add; sum", "eval-skills.disable-model-invocation": "true" }\n';
  const { skill } = await examined(both(folder, more), { folder });

  expect(skill).toMatchObject({
    id: "my_calc",
    aliases: ["my-calc"],
    kind: "unit",
    kinds: ["unit", "agent-skill"],
    name: "Calculator",
    triggers: ["add", "sum"],
    instructions: { path: "SKILL.md", format: "md" },
    adapter: { type: "http" },
    controls: { modelInvocable: false },
  });
});

test("names agree however their words are joined", async () => {
  for (const changes of [{ id: "my-calc" }, { id: "my_calc" }, { id: "mc", name: "My Calc" }])
    expect((await examined(both(folder, "", changes), { folder })).lines).toEqual([]);
});

test("a SKILL.md that cannot be read costs the skill that kind and nothing else", async () => {
  const files = { ...both(folder), "SKILL.md": "no frontmatter" };
  const { skill, diagnostics } = await examined(files, { folder, profile: "lenient" });

  expect(skill).toMatchObject({ id: "my_calc", kinds: ["unit"], aliases: [], instructions: null });
  expect(diagnostics.map(({ code }) => code)).toContain("SKM01");
});

test("what is wrong with the SKILL.md is reported even where skill.json is broken", async () => {
  const files = { ...both(folder, "", { version: "1" }), "SKILL.md": "no frontmatter" };
  expect((await examined(files, { folder })).diagnostics.map(({ code }) => code)).toEqual(
    expect.arrayContaining(["SKU02", "SKM01"]),
  );
});

test("a meta.yml fills gaps and overrides nothing", async () => {
  const files = {
    ...both(folder, "", { metadata: { triggers: ["add"] } }),
    "meta.yml": "description: Other\ntriggers: [other]\nnot_for: draw; paint\n",
  };
  expect((await examined(files, { folder, profile: "lenient" })).skill).toMatchObject({
    description: unit.description,
    triggers: ["add"],
    notFor: ["draw", "paint"],
  });
});

test("scripts are listed once, however many links lead in circles, and nothing that is not part of a skill", async () => {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, folder);
  mkdirSync(join(dir, "scripts/lib"), { recursive: true });
  for (const file of ["scripts/b.py", "scripts/a.py", "scripts/lib/c.py"]) writeFileSync(join(dir, file), "");
  mkdirSync(join(dir, "scripts/node_modules/x"), { recursive: true });
  writeFileSync(join(dir, "scripts/node_modules/x/index.js"), "");
  for (let n = 0; n < 40; n++) symlinkSync(".", join(dir, `scripts/loop${n}`));
  writeFileSync(join(dir, "SKILL.md"), instructions(folder));

  const skill = await describeSkill(new SkillFolder(dir), "project", new Diagnostics("strict", folder));

  expect(skill?.scripts).toEqual(["scripts/a.py", "scripts/b.py", "scripts/lib/c.py"]);
});

test.each([
  [{ "README.md": "" }, "check the path, or run `eval-skills create`"],
  [
    { "meta.yml": "description: [", "a.md": "" },
    expect.stringMatching(/^meta\.yml cannot be read, line 1: /),
  ],
  [{ "meta.yml": "description: A\n" }, "set the prompt in meta.yml: prompt: PROMPT.md"],
  [{ "meta.yml": "triggers: a\n", "a.md": "" }, "add a description to meta.yml"],
])(
  "SKD01: a folder that is named and is not a skill is reported, with what is missing: %j",
  async (files, hint) => {
    await using temporary = await temporaryFolder();
    for (const [name, content] of Object.entries(files)) writeFileSync(join(temporary.path, name), content);
    const found = {
      dir: temporary.path,
      shown: "./a",
      source: "project",
      rank: 1,
      root: temporary.path,
    } as const;

    const { skill, diagnostics } = await describeFound(found, "strict");

    expect(skill).toBeNull();
    expect(diagnostics.list()).toMatchObject([
      { code: "SKD01", file: ".", message: "./a: no SKILL.md, skill.json or prompt file", hint },
    ]);
  },
);

test.each<[string, string | Uint8Array]>([
  ["nested beyond the parser", `{"a":${"[".repeat(100_000)}`],
  ["NUL", '{"id":"a\u0000"}'],
  ["a lone surrogate", '{"adapterType":"http","id":"\\ud800","entrypoint":"\\udfff"}'],
  ["bytes that are not text", Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)],
  ["longer than a manifest", `{"adapterType":"${"a".repeat(5 * 1024 * 1024)}"}`],
  ["one endless line", `{"adapterType":"subprocess","entrypoint":"${"x/".repeat(500_000)}"}`],
  ["an endless key", `{"adapterType":"http","${"x".repeat(500_000)}":1}`],
  ["an endless word", JSON.stringify({ ...unit, metadata: { lifecycle: "x".repeat(500_000) } })],
])("a manifest that is %s is reported, and nothing falls over", async (_, content) => {
  const { skill, diagnostics } = await examined({ "skill.json": content }, { folder });
  expect(skill).toBeNull();
  expect(diagnostics.filter(({ severity }) => severity === "error").length).toBeGreaterThan(0);
  for (const { message } of diagnostics) expect(message.length).toBeLessThan(700);
});

test.skipIf(process.platform === "win32")(
  "a manifest that is a pipe, or leads out of the folder, is not opened",
  async () => {
    await using temporary = await temporaryFolder();
    for (const [name, make] of [
      ["pipe", (path: string) => execFileSync("mkfifo", [path])],
      ["link", (path: string) => symlinkSync("/etc/hostname", path)],
      ["loop", (path: string) => symlinkSync("skill.json", path)],
    ] as const) {
      const dir = join(temporary.path, name);
      mkdirSync(dir);
      make(join(dir, "skill.json"));
      const diagnostics = new Diagnostics("lenient", name);
      expect(await describeSkill(new SkillFolder(dir), "project", diagnostics)).toBeNull();
      expect(diagnostics.list()).toMatchObject([{ code: "SKD02" }]);
    }
  },
);
