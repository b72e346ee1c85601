import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { Fix } from "../../contract/findings.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { nameSkill } from "../../templates/name-skill.ts";
import { FixedFolder } from "./fixed-folder.ts";
import { planFixes } from "./plan-fixes.ts";
import { writeFixes } from "./write-fixes.ts";

type Files = Readonly<Record<string, string>>;

/** Writes the files of a skill, fixes them, and reports what they are then. */
async function fixed(files: Files, name = "my-skill") {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const plan = await planFixes(new SkillFolder(dir));
  writeFixes(new SkillFolder(dir), plan);
  const names = readdirSync(dir).filter((path) => statSync(join(dir, path)).isFile());
  const after = Object.fromEntries(names.map((path) => [path, readFileSync(join(dir, path), "utf8")]));
  const again = await planFixes(new SkillFolder(dir));
  return { after, codes: plan.flatMap(({ codes }) => codes), again, found: await findings(dir) };
}

async function findings(dir: string): Promise<string[]> {
  const folder = new SkillFolder(dir);
  const diagnostics = new Diagnostics("strict", folder.name);
  await describeSkill(folder, "project", diagnostics);
  return diagnostics.list().map(({ code, message }) => `${code} ${message}`);
}

const body = "\n# Trees\n\n--- not an end\n---\nlast line without an end";
const head = "name: my-skill\ndescription: Draws trees.\n";
const skill = (block: string) => ({ "SKILL.md": `---\n${block}---\n${body}` });
const placeholder = nameSkill({ name: "my-skill", fromTemplate: "agent_skill" }).description;

test.for([
  ["SKD07", "a file called skill.md", { "skill.md": skill(head)["SKILL.md"] }, skill(head)],
  ["SKD07", "a file called Skill.MD", { "Skill.MD": skill(head)["SKILL.md"] }, skill(head)],
  [
    "SKM01",
    "no frontmatter",
    { "SKILL.md": body.trimStart() },
    { "SKILL.md": `---\nname: my-skill\ndescription: "${placeholder}"\n---\n${body}` },
  ],
  [
    "SKM01",
    "no frontmatter, with CRLF and a byte order mark",
    { "SKILL.md": "\ufeff# A\r\nb\r\n" },
    { "SKILL.md": `\ufeff---\r\nname: my-skill\r\ndescription: "${placeholder}"\r\n---\r\n\r\n# A\r\nb\r\n` },
  ],
  [
    "SKM01",
    "blank lines before the frontmatter",
    { "SKILL.md": `\n \n${skill(head)["SKILL.md"]}` },
    skill(head),
  ],
  [
    "SKM02",
    "an unquoted colon",
    skill("# a note\nname: my-skill\ndescription: Use when: it's needed\nlicense: MIT  # ours\n"),
    skill("# a note\nname: my-skill\ndescription: 'Use when: it''s needed'\nlicense: MIT  # ours\n"),
  ],
  [
    "SKM02",
    "an unquoted colon in a value of two lines, with CRLF",
    { "SKILL.md": "---\r\nname: my-skill\r\ndescription: Use when: so\r\n  and so\r\n---\r\nx\r\n" },
    { "SKILL.md": "---\r\nname: my-skill\r\ndescription: 'Use when: so\r\n  and so'\r\n---\r\nx\r\n" },
  ],
  [
    "SKM04",
    "no name",
    skill("# about\ndescription: Draws trees.\n"),
    skill("name: my-skill\n# about\ndescription: Draws trees.\n"),
  ],
  [
    "SKM06",
    "no description",
    skill("name: my-skill # so\nlicense: MIT\n"),
    skill(`name: my-skill # so\ndescription: "${placeholder}"\nlicense: MIT\n`),
  ],
  [
    "SKM06",
    "a blank description",
    skill("description: ''\nname: my-skill\n"),
    skill(`description: "${placeholder}"\nname: my-skill\n`),
  ],
  [
    "SKM06",
    "a description without a value",
    skill("description:\nname: my-skill\n"),
    skill(`description: "${placeholder}"\nname: my-skill\n`),
  ],
  [
    "SKM09",
    "tools with commas",
    skill(`${head}allowed-tools: Read, Bash(git diff:*, x),Write # three\n`),
    skill(`${head}allowed-tools: "Read Bash(git diff:*, x) Write" # three\n`),
  ],
  [
    "SKM08",
    "lists of metadata, in lines and in brackets",
    skill(
      `metadata:\n  tags:\n  - draw\n  - "tree: oak"\n\n  triggers: [画树, draw it] # ours\n  author: Ann\n${head}`,
    ),
    skill(
      `metadata:\n  tags: "draw; tree: oak"\n\n  triggers: "画树; draw it" # ours\n  author: Ann\n${head}`,
    ),
  ],
  [
    "SKM08",
    "a list of metadata in braces",
    skill(`${head}metadata: { a: b, tags: [one], not_for: [] }\n`),
    skill(`${head}metadata: { a: b, tags: one, not_for: "" }\n`),
  ],
  [
    "SKM09",
    "a list of tools",
    skill(`allowed-tools:\n  - Read\n  - "Bash(git:*)"\n\n${head}`),
    skill(`allowed-tools: Read Bash(git:*)\n\n${head}`),
  ],
  [
    "SKM09",
    "a list of tools in brackets",
    skill(`${head}allowed-tools: [Read, Write]\n`),
    skill(`${head}allowed-tools: Read Write\n`),
  ],
  [
    "SKM10",
    "fields nobody knows",
    skill(`version: 1.10 # of ours\n${head}author: 'Ann'\nslug: my trees\nrequires: forest\nnote: "a: b"\n`),
    skill(
      `${head}metadata:\n  version: "1.10" # of ours\n  author: 'Ann'\n  slug: my trees\n  eval-skills.requires: forest\n  note: "a: b"\n`,
    ),
  ],
  [
    "SKM10",
    "a list that is text under metadata",
    skill(`tags:\n  - a\n  - b c\n${head}metadata:\n  x: y\n`),
    skill(`${head}metadata:\n  x: y\n  tags: "a; b c"\n`),
  ],
  [
    "SKM10",
    "a field beside metadata in lines",
    skill(`metadata:\n    # of ours\n    a: b\nversion: 1\n${head}`),
    skill(`metadata:\n    # of ours\n    a: b\n    version: "1"\n${head}`),
  ],
  [
    "SKM10",
    "a field beside metadata in braces",
    skill(`metadata: { a: b }\n${head}version: 1.0\nauthor: Ann Lee\n`),
    skill(`metadata: { a: b, version: "1.0", author: "Ann Lee" }\n${head}`),
  ],
  [
    "SKM10",
    "a field beside empty metadata",
    skill(`metadata:\nversion: "2"\n${head}`),
    skill(`metadata:\n  version: "2"\n${head}`),
  ],
  [
    "SKM10",
    "a field of several lines",
    skill(`${head}summary: one\n  two\nslug: x\n`),
    skill(`${head}metadata:\n  summary: "one two"\n  slug: x\n`),
  ],
] satisfies [string, string, Files, Files][])(
  "%s: %s is fixed, and all else stays",
  async ([code, , before, after]) => {
    const result = await fixed(before);
    expect(result.after).toEqual(after);
    expect(result.codes).toEqual([code]);
    expect(result.again).toEqual([]);
    expect(result.found).toEqual([]);
  },
);

const unit = {
  id: "my-skill",
  name: "My skill",
  version: "1.0.0",
  description: "Draws trees",
  adapterType: "http",
  entrypoint: "http://localhost:1/",
};
const ah32 = {
  schema_version: "ah32.skill.v1",
  meta: { id: "my-skill", name: "My skill", description: "Draws trees" },
  entry: { system_prompt: "SYSTEM.md" },
};
const without = (key: keyof typeof unit) =>
  Object.fromEntries(Object.entries(unit).filter(([name]) => name !== key));

test.for([
  [
    "SKU01",
    "no version",
    JSON.stringify(without("version"), null, 2),
    JSON.stringify({ ...unit, version: "0.1.0" }, null, 2),
  ],
  [
    "SKU01",
    "no version, in one line",
    JSON.stringify(without("version")),
    JSON.stringify({ ...unit, version: "0.1.0" }),
  ],
  [
    "SKU01",
    "no name, with CRLF",
    `${JSON.stringify(without("name"), null, "\t").replaceAll("\n", "\r\n")}\r\n`,
    `${JSON.stringify({ ...unit, name: "my-skill" }, null, "\t").replaceAll("\n", "\r\n")}\r\n`,
  ],
  [
    "AHM06",
    "an old name of the version",
    JSON.stringify(ah32, null, 4).replace("schema_version", "schemaVersion"),
    JSON.stringify(ah32, null, 4),
  ],
  [
    "AHM06",
    "texts instead of lists, and category",
    `\ufeff{"schema_version": "ah32.skill.v1", "meta": {"id": "my-skill", "name": "a", "category" : "g"},\n "entry": {"system_prompt": "SYSTEM.md"}, "routing": {"tags": "发票, b", "triggers":"c; d, e" } ,"x-not_for":""}\n`,
    `\ufeff{"schema_version": "ah32.skill.v1", "meta": {"id": "my-skill", "name": "a", "group" : "g"},\n "entry": {"system_prompt": "SYSTEM.md"}, "routing": {"tags": ["发票", "b"], "triggers":["c", "d, e"] } ,"x-not_for":[]}\n`,
  ],
] satisfies [string, string, string, string][])(
  "%s: %s is fixed in skill.json, and all else stays",
  async ([code, , before, after]) => {
    const result = await fixed({ "skill.json": before, "SYSTEM.md": "Do it." });
    expect(result.after["skill.json"]).toBe(after);
    expect(result.codes).toEqual([code]);
    expect(result.again).toEqual([]);
    expect(result.found).toEqual([]);
  },
);

test.for([
  ["two files that could be the one", { "skill.md": skill(head)["SKILL.md"], "Skill.md": "x" }],
  ["a name that is not the folder's", skill("name: other\ndescription: d\n")],
  ["a block that nobody ended", { "SKILL.md": `---\n${head}\n# Body\n` }],
  ["fields in a fence", { "SKILL.md": `\`\`\`yaml\n${head}\`\`\`\n` }],
  ["a colon before what may be a comment", skill("name: my-skill\ndescription: Use when: so # or so\n")],
  ["text of two bytes a letter", { "SKILL.md": "\0#\0 \0A\0\n" }],
  ["YAML that nobody can read", skill(`${head}x: [\n`)],
  ["a field twice", skill(`${head}${head}`)],
  ["tools with a comment among them", skill(`${head}allowed-tools:\n  - Read # always\n  - Write\n`)],
  ["tools with a parenthesis too few", skill(`${head}allowed-tools: [Bash(git, Read]\n`)],
  ["fields that some agent obeys", skill(`${head}disable-model-invocation: true\nmodel: opus\n`)],
  ["a list nobody knows", skill(`${head}paths:\n  - a\n`)],
  ["a list with a separator in an item", skill(`${head}metadata:\n  tags: ["a; b", c]\n`)],
  ["a list with a comment in it", skill(`${head}metadata:\n  tags:\n    - a # first\n    - b\n`)],
  ["a list of others", skill(`${head}metadata:\n  authors: [a, b]\n`)],
  ["a field that is there already", skill(`${head}version: 1\nmetadata:\n  version: "2"\n`)],
  ["a field that is misspelt", skill(`${head}licence: MIT\n`)],
  ["a description that is misspelt", skill("name: my-skill\ndescripton: Draws trees.\n")],
  ["a field that is indented", skill("name: my-skill\n  description: Draws trees.\n")],
  ["metadata that is a list", skill(`${head}metadata: [a]\nversion: "1"\n`)],
  ["nested metadata", skill(`${head}metadata:\n  a: { b: c }\n`)],
  [
    "both spellings",
    { "skill.json": JSON.stringify({ ...ah32, schemaVersion: "ah32.skill.v1" }), "SYSTEM.md": "x" },
  ],
  ["a manifest that is broken", { "skill.json": "{", "SKILL.md": "x" }],
  [
    "a SKILL.md that is only a prompt",
    { "skill.json": JSON.stringify({ ...ah32, entry: { prompt: "SKILL.md" } }), "SKILL.md": "# x" },
  ],
  ["a sound skill", skill(head)],
] satisfies [string, Files][])("%s: left as it is", async ([, files]) => {
  const result = await fixed(files);
  expect(result.after).toEqual(files);
  expect(result.codes).toEqual([]);
});

test("bytes that are not text are left as they are", async () => {
  await using temporary = await temporaryFolder();
  writeFileSync(join(temporary.path, "skill.md"), Buffer.from([0x2d, 0xff]));
  expect(await planFixes(new SkillFolder(temporary.path))).toEqual([]);
});

test("a folder with a name that no skill may have gives none to its skill", async () => {
  expect((await fixed({ "SKILL.md": "# A" }, "My Skill")).codes).toEqual([]);
});

test("several things are fixed in one file at once", async () => {
  const { after, codes } = await fixed({
    "skill.md": "---\r\nversion: 2\r\nallowed-tools: [Read, Write]\r\n---\r\nBody\r\n",
  });
  expect(codes).toEqual(["SKD07", "SKM04", "SKM06", "SKM09", "SKM10"]);
  expect(after).toEqual({
    "SKILL.md": `---\r\nname: my-skill\r\ndescription: "${placeholder}"\r\nallowed-tools: Read Write\r\nmetadata:\r\n  version: "2"\r\n---\r\nBody\r\n`,
  });
});

test("a link inside the folder stays a link, a file keeps its mode, and one that was changed meanwhile is left", async () => {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, "my-skill");
  mkdirSync(join(dir, "real"), { recursive: true });
  const file = join(dir, "real", "text.md");
  writeFileSync(file, skill(`${head}allowed-tools: [Read]\n`)["SKILL.md"]);
  chmodSync(file, 0o660);
  symlinkSync("real/text.md", join(dir, "SKILL.md"));
  const plan = await planFixes(new SkillFolder(dir));

  expect(writeFixes({ dir }, plan).unwritten).toEqual([]);
  expect(readFileSync(file, "utf8")).toContain("allowed-tools: Read\n");
  expect(statSync(file).mode & 0o777).toBe(0o660);
  expect(writeFixes({ dir }, plan).unwritten).toMatchObject([{ problem: "it was changed in the meantime" }]);
});

test("a pipe that replaced a file is not waited for", async () => {
  await using temporary = await temporaryFolder();
  const { path: dir } = temporary;
  execFileSync("mkfifo", [join(dir, "SKILL.md")]);

  const { unwritten } = writeFixes({ dir }, [
    { file: "SKILL.md", newFile: "SKILL.md", before: "a", after: "b", codes: [] },
  ]);

  expect(unwritten).toMatchObject([{ problem: expect.stringContaining("was replaced") }]);
});

test.skipIf(process.getuid?.() === 0)("a file that its owner protected is left as it is", async () => {
  await using temporary = await temporaryFolder();
  const file = join(temporary.path, "SKILL.md");
  writeFileSync(file, "a", { mode: 0o444 });

  const fix = { file: "SKILL.md", newFile: "SKILL.md", before: "a", after: "b", codes: [] };
  expect(writeFixes({ dir: temporary.path }, [fix]).unwritten).toHaveLength(1);
  expect(readFileSync(file, "utf8")).toBe("a");
});

test("nothing is written outside the folder, nor over another file", async () => {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, "my-skill");
  mkdirSync(dir);
  writeFileSync(join(temporary.path, "outside.md"), "a");
  symlinkSync("../outside.md", join(dir, "SKILL.md"));
  writeFileSync(join(dir, "a.md"), "a");
  writeFileSync(join(dir, "b.md"), "b");
  linkSync(join(dir, "a.md"), join(dir, "c.md"));
  const fix = (file: string, newFile: string): Fix => ({
    file,
    newFile,
    before: "a",
    after: "a2",
    codes: [],
  });

  expect(await planFixes(new SkillFolder(dir))).toEqual([]);
  const { unwritten } = writeFixes({ dir }, [
    fix("SKILL.md", "SKILL.md"),
    { ...fix("a.md", "b.md"), after: "a" },
  ]);
  expect(unwritten.map(({ problem }) => problem)).toEqual([
    "it is outside the skill folder",
    "b.md already exists",
  ]);
  expect(readFileSync(join(temporary.path, "outside.md"), "utf8")).toBe("a");
  expect(readFileSync(join(dir, "b.md"), "utf8")).toBe("b");
});

test("whatever a SKILL.md says, its body keeps every byte, and a second look finds nothing more to fix", async () => {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, "my-skill");
  mkdirSync(dir);
  writeFileSync(join(dir, "SKILL.md"), "");
  const field = fc.constantFrom(
    "name: my-skill",
    "description: Use when: it is late",
    "description: Draws trees.",
    'description: "x"  # why',
    "version: 1.10",
    "author: Ann # of ours",
    "allowed-tools: Read, Write",
    "allowed-tools:\n  - Read\n  - Bash(git:*)",
    "metadata:\n  a: b\n  c: |+\n    text\n",
    "metadata: {a: b,}",
    "metadata:",
    "# a comment",
    "",
    "summary: >-\n  folded\n\n  text",
    "odd key: 'it''s'",
    '"quoted": 7',
    "tags: [a]",
  );
  const text = fc
    .record({
      bom: fc.constantFrom("", "\ufeff"),
      hasBlock: fc.boolean(),
      fields: fc.array(field, { maxLength: 6 }),
      body: fc.oneof(
        fc.string({ unit: "binary", maxLength: 40 }),
        fc.constantFrom("", "\n---\nx", "# T\n\ntext"),
      ),
      lineEnd: fc.constantFrom("\n", "\r\n"),
    })
    .filter(
      ({ body: rest, hasBlock }) =>
        Buffer.from(rest).toString() === rest && (hasBlock || !/^\s*---/.test(rest)),
    )
    .map(({ bom, hasBlock, fields, body: rest, lineEnd }) => {
      const block = hasBlock
        ? `---\n${fields.map((one) => `${one}\n`).join("")}---\n`.replaceAll("\n", lineEnd)
        : "";
      return { rest, whole: bom + block + rest };
    });
  await fc.assert(
    fc.asyncProperty(text, async ({ rest, whole }) => {
      const folder = new FixedFolder(new SkillFolder(dir)).with("SKILL.md", whole, "SKILL.md");
      const after = (await planFixes(folder))[0]?.after ?? whole;

      expect(after.endsWith(rest)).toBe(true);
      expect(await planFixes(folder.with("SKILL.md", after, "SKILL.md"))).toEqual([]);
      for (const comment of whole.match(/#[^\r\n]*/g) ?? []) expect(after).toContain(comment);
    }),
    { numRuns: 100 },
  );
});
