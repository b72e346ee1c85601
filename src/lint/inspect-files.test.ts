import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { AdapterConfig, SkillManifest, type UnitSkill } from "../contract/unit-skill.ts";
import { benchmarkProblem } from "../levels/unit/execute-files.ts";
import { type FilesCheck, inspectFiles } from "./inspect-files.ts";

const examples = resolve(import.meta.dirname, "../../examples");

/** A copy of the calculator that a test may break. */
async function calculator() {
  const folder = await temporaryFolder();
  const dir = join(folder.path, "calculator");
  cpSync(join(examples, "calculator"), dir, { recursive: true });
  return {
    dir,
    write(path: string, content: string | Uint8Array) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    },
    /** The findings of a check that are not ok; `change` overrides what was loaded. */
    problems: (check: FilesCheck, change: Partial<UnitSkill> = {}) =>
      findProblems({ ...skillAt(dir), ...change }, check),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function skillAt(dir: string): UnitSkill {
  const manifest = join(dir, "skill.json");
  const { adapterType, entrypoint, ...rest } = SkillManifest.parse(
    JSON.parse(readFileSync(manifest, "utf8")),
  );
  const config = AdapterConfig.parse({ type: adapterType });
  return { ...rest, dir, manifest, adapter: { type: adapterType, entrypoint, config }, digest: "sha256:0" };
}

function startedBy(
  entrypoint: string,
  type: UnitSkill["adapter"]["type"] = "subprocess",
): Partial<UnitSkill> {
  const config = AdapterConfig.parse({ type: type === "http" ? "http" : "subprocess" });
  return { adapter: { type, entrypoint, config } };
}

async function findProblems(skill: UnitSkill, check: FilesCheck): Promise<string[]> {
  const { findings } = await inspectFiles(skill, check, benchmarkProblem);
  return findings.filter((line) => !/: ok(?: \(|$)/.test(line));
}

test("metadata: a full manifest is ok, and a skill without SKILL.md owes no frontmatter", async () => {
  const { findings } = await inspectFiles(
    skillAt(join(examples, "calculator")),
    "metadata",
    benchmarkProblem,
  );

  expect(findings).toEqual([
    "id: ok",
    "name: ok",
    "version: ok",
    "description: ok",
    "tags: ok",
    "author: ok",
    "license: ok",
    "frontmatter: ok (no SKILL.md)",
  ]);
});

test("metadata: what is missing is reported by name", async () => {
  await using skill = await calculator();

  expect(await skill.problems("metadata", { tags: [" "], metadata: { author: "" } })).toEqual([
    "tags: none given",
    "author: missing",
    "license: missing",
  ]);
});

test.each([
  ["is complete", "---\nname: my-skill\ndescription: Does it.\n---\nBody", []],
  ["has a BOM and CRLF", "\ufeff---\r\nname: my-skill\r\ndescription: Does it.\r\n---\r\n", []],
  ["writes a name of digits", "---\nname: 007\ndescription: Does it.\n---", []],
  ["has --- inside a value", "---\nname: a\ndescription: a --- b\n---", []],
  ["is missing", "# Title", ["frontmatter: SKILL.md: no frontmatter block"]],
  ["never ends", "---\nname: a", ["frontmatter: SKILL.md: no frontmatter block"]],
  ["has no name", "---\ndescription: x\n---", ['frontmatter: name "": missing']],
  [
    "has a blank description",
    "---\nname: a\ndescription: ' '\n---",
    ["frontmatter: SKILL.md: description missing or blank"],
  ],
  ["is a list", "---\n- a\n---", ["frontmatter: SKILL.md:2: a list instead of fields is not allowed"]],
  [
    "uses an alias",
    "---\nname: a\ndescription: *n\n---",
    ["frontmatter: SKILL.md:3: the alias *n is not allowed"],
  ],
])("metadata: frontmatter that %s", async (_, text, expected) => {
  await using skill = await calculator();
  skill.write("SKILL.md", text);

  expect(await skill.problems("metadata")).toEqual(expected);
});

test.each([
  ["a malformed name", "---\nname: My_Skill\ndescription: x\n---", 'name "My_Skill"'],
  ["a duplicate key", "---\nname: a\nname: b\ndescription: x\n---", 'a second key "name"'],
  ["a long description", `---\nname: a\ndescription: ${"x".repeat(1025)}\n---`, "1025 characters"],
  ["too many bytes", `---\nname: a\ndescription: ${"x".repeat(65536)}\n---`, "more than 64 KiB"],
])("metadata: frontmatter with %s is refused", async (_, text, expected) => {
  await using skill = await calculator();
  skill.write("SKILL.md", text);

  expect(await skill.problems("metadata")).toEqual([expect.stringContaining(`frontmatter: `)]);
  expect((await skill.problems("metadata"))[0]).toContain(expected);
});

test.each([
  ["is the author's own", "Computes sums of all lines in a ledger.", []],
  ["is Chinese, which writes no spaces", "这个技能用来计算表格中所有发票金额的合计并核对总数。", []],
  ["speaks of todo lists", "Keeps a todo list and shows what is due.", []],
  ["is too short", "Adds it all up now", ["length: 18 characters, expected 20 to 1024"]],
  ["is too long", "word and so on. ".repeat(70), ["length: 1119 characters, expected 20 to 1024"]],
  [
    "is the default of create",
    "Calculator: describe what it does and when to use it",
    ['no placeholder: still says "describe what it does"'],
  ],
  ["is still to do", "TODO: write something useful here", ['no placeholder: still says "TODO"']],
  ["is filler", "Lorem ipsum dolor sit amet", ['no placeholder: still says "Lorem ipsum"']],
  [
    "says one thing over and over",
    "calculates Calculates calculates it",
    ["distinct words: 2, expected at least 4"],
  ],
])("description: one that %s", async (_, description, expected) => {
  await using skill = await calculator();

  expect(await skill.problems("description", { description })).toEqual(expected);
});

test("description: one that only repeats the name is reported so", async () => {
  await using skill = await calculator();
  const name = "The very good sums skill";

  expect(await skill.problems("description", { name, description: "The very-good sums skill." })).toEqual([
    "differs from the name: same as the name",
  ]);
});

test.each([
  ["python3 skill.py"],
  ["./skill.py --verbose"],
  ["/usr/bin/env python3 skill.py"],
  ["python3 -u 'skill.py'"],
  ["python3 -m skill"],
])("structure: the command %s starts a file of the folder", async (entrypoint) => {
  await using skill = await calculator();

  expect(await skill.problems("structure", startedBy(entrypoint))).toEqual([]);
});

test.each([
  ["python3 missing.py", "entrypoint: the file missing.py is not in the folder"],
  ["python3 missing.py skill.json", "entrypoint: the file missing.py is not in the folder"],
  ["./bin/run", "entrypoint: the file ./bin/run is not in the folder"],
  ["python3 ../skill.py", "entrypoint: the file ../skill.py is not in the folder"],
  ["python3 -m missing", "entrypoint: the command does not start a file in the folder"],
  ["cat", "entrypoint: the command does not start a file in the folder"],
  ["python3 'skill.py", "entrypoint: the command line cannot be split into words"],
  ["python3 a\u0000.py", "entrypoint: the file a\\u{0}.py is not in the folder"],
])("structure: the command %j does not", async (entrypoint, expected) => {
  await using skill = await calculator();
  writeFileSync(join(skill.dir, "../skill.py"), "");

  expect(await skill.problems("structure", startedBy(entrypoint))).toEqual([expected]);
});

test("structure: command and args of the adapter replace the entrypoint", async () => {
  await using skill = await calculator();
  const config = AdapterConfig.parse({ type: "subprocess", command: "python3", args: ["gone.py"] });

  expect(
    await skill.problems("structure", {
      adapter: { type: "subprocess", entrypoint: "python3 skill.py", config },
    }),
  ).toEqual(["entrypoint: the file gone.py is not in the folder"]);
});

test.each([
  ["http", "https://api.example.com/invoke", []],
  ["http", "localhost:3000", ["entrypoint: localhost:3000 is not an http(s) URL"]],
  ["http", "file:///etc/passwd", ["entrypoint: file:///etc/passwd is not an http(s) URL"]],
  ["mcp", "http://127.0.0.1:9/mcp", []],
  ["mcp", "python3 skill.py", []],
  ["custom", "./skill.py#run", []],
  ["langchain", "./gone.mjs#run", ["entrypoint: the module ./gone.mjs is not in the folder"]],
] as const)("structure: a skill of type %s at %s", async (type, entrypoint, expected) => {
  await using skill = await calculator();

  expect(await skill.problems("structure", startedBy(entrypoint, type))).toEqual(expected);
});

test("structure: missing documentation and tests are reported", async () => {
  await using skill = await calculator();
  rmSync(join(skill.dir, "README.md"));
  renameSync(join(skill.dir, "tests"), join(skill.dir, "checks"));

  expect(await skill.problems("structure")).toEqual([
    "documentation: neither README.md nor SKILL.md",
    "tests: no tests/*.eval.json",
  ]);
});

test.each([
  ["is not JSON", "{", "tests/basic.eval.json: invalid JSON"],
  ["has no tasks", '{"id":"a","name":"a","version":"1"}', "tests/basic.eval.json:1:1: $.tasks is required"],
  [
    "lists an id twice",
    '[{"id":"a","inputData":1,"expectedOutput":{}},{"id":"a","inputData":1,"expectedOutput":{}}]',
    "duplicate task id",
  ],
])("structure: a test file that %s is not a test file", async (_, text, expected) => {
  await using skill = await calculator();
  skill.write("tests/basic.eval.json", text);

  const [problem, ...others] = await skill.problems("structure");

  expect(problem).toContain(expected);
  expect(others).toEqual([]);
});

test("structure: one valid test file is enough, a bare list of tasks too", async () => {
  await using skill = await calculator();
  skill.write("tests/a.eval.json", "{");
  skill.write("tests/basic.eval.json", '[{"id":"a","inputData":1,"expectedOutput":{}}]');

  expect(await skill.problems("structure")).toEqual([]);
});

test("structure: a link that leaves the folder is named, one that stays is fine", async () => {
  await using skill = await calculator();
  symlinkSync("README.md", join(skill.dir, "LIESMICH.md"));
  symlinkSync("/etc", join(skill.dir, "tests/etc"));

  expect(await skill.problems("structure")).toEqual(["links: points outside the folder: tests/etc"]);
});

test("structure: documentation reached by a link out of the folder does not count", async () => {
  await using skill = await calculator();
  renameSync(join(skill.dir, "README.md"), join(skill.dir, "../README.md"));
  symlinkSync("../README.md", join(skill.dir, "README.md"));

  expect(await skill.problems("structure")).toEqual([
    "documentation: neither README.md nor SKILL.md",
    "links: points outside the folder: README.md",
  ]);
});

test("schemas: one that does not compile is reported, with the reason", async () => {
  await using skill = await calculator();

  const [problem] = await skill.problems("schemas", { outputSchema: { type: "strin" } });

  expect(problem).toMatch(/^output schema: does not compile \(.+\)$/);
});

test.each([
  [
    "every property typed",
    {
      properties: { a: { type: "string" }, b: { enum: [1] }, c: { $ref: "#/definitions/c" } },
      definitions: { c: { type: "null" } },
    },
    [],
  ],
  ["a plain type", { type: "string" }, []],
  ["nothing", {}, ["input types: inputSchema does not describe the input"]],
  ["anything", true, ["input types: inputSchema does not describe the input"]],
  ["untyped properties", { properties: { a: {}, b: true } }, ["input types: no type for a, b"]],
])("schemas: an input schema with %s", async (_, inputSchema, expected) => {
  await using skill = await calculator();

  expect(await skill.problems("schemas", { inputSchema: inputSchema as UnitSkill["inputSchema"] })).toEqual(
    expected,
  );
});

test("schemas: required names must be among the properties, at every depth and in both schemas", async () => {
  await using skill = await calculator();
  const inner = { type: "object", properties: {}, required: ["deep"] };
  const inputSchema = {
    type: "object",
    properties: { a: { type: "array", items: inner } },
    required: ["a", "b"],
  };

  expect(await skill.problems("schemas", { inputSchema, outputSchema: { required: ["c"] } })).toEqual([
    "required names: not in properties: b, deep, c",
  ]);
});

test("schemas: every JSON file that does not parse is named, a duplicate key included", async () => {
  await using skill = await calculator();
  skill.write("more/a.json", "{,}");
  skill.write("more/b.json", '{"x":1,"x":2}');

  const [problem] = await skill.problems("schemas");

  expect(problem).toMatch(/^JSON files: cannot read more\/a\.json \(.*\), more\/b\.json \(duplicate key "x"/);
});

test("usability: documentation without usage section or example is reported", async () => {
  await using skill = await calculator();
  skill.write("README.md", "# Calculator\n\nIt can be used.\n\n```\n\n```\n");

  expect(await skill.problems("usability")).toEqual([
    "usage section: no heading such as Usage",
    "code example: no fenced code block",
  ]);
});

test("usability: a comment in a code block is not a heading", async () => {
  await using skill = await calculator();
  skill.write("README.md", "# Calculator\n\n~~~sh\n# usage\n~~~\n");

  expect(await skill.problems("usability")).toEqual(["usage section: no heading such as Usage"]);
});

test("usability: SKILL.md is documentation too, and underlined headings are headings", async () => {
  await using skill = await calculator();
  rmSync(join(skill.dir, "README.md"));
  skill.write("SKILL.md", "---\nname: a\n---\nHow to use it\n---\n\n```sh\nrun\n```\n");

  expect(await skill.problems("usability")).toEqual([]);
});

test("usability: a text file that is not UTF-8 is named, a picture may be bytes", async () => {
  await using skill = await calculator();
  skill.write("notes.txt", Buffer.from([0x66, 0xfc, 0x72]));
  skill.write("logo.png", Buffer.from([0x89, 0x50, 0xff]));

  expect(await skill.problems("usability")).toEqual(["UTF-8: not readable as text: notes.txt"]);
});

test.each([
  ["is not there", null, []],
  ["is not JSON", "{", [expect.stringContaining("adapter config: not JSON")]],
  ["is of another type", '{"type":"http"}', ['adapter config: type is "http", adapterType subprocess']],
  ["is null", "null", ["adapter config: type is undefined, adapterType subprocess"]],
  ["has a wrong value", '{"type":"subprocess","timeoutMs":"1"}', [expect.stringContaining("at $.timeoutMs")]],
])("usability: an adapter.config.json that %s", async (_, text, expected) => {
  await using skill = await calculator();
  if (text === null) rmSync(join(skill.dir, "adapter.config.json"));
  else skill.write("adapter.config.json", text);

  expect((await skill.problems("usability")).filter((line) => line.startsWith("adapter"))).toEqual(expected);
});

test.each([
  ["an AWS access key", `key = "AKIA${"Q7".repeat(8)}"`],
  ["a GitHub token", `ghp_${"a1B".repeat(12)}`],
  ["a GitHub token", `github_pat_${"a1B_".repeat(10)}`],
  ["an API key", `OPENAI_API_KEY=sk-proj-${"a1B".repeat(12)}`],
  ["a Google API key", `AIza${"a1B_x".repeat(7)}`],
  ["a Slack token", `xoxb-${"1234567890"}-abc`],
  ["a private key", `-----BEGIN RSA ${"PRIVATE KEY"}-----`],
])("usability: %s in a file is found and never repeated", async (kind, text) => {
  await using skill = await calculator();
  skill.write("scripts/config.py", text);

  expect(await skill.problems("usability")).toEqual([`credentials: found ${kind} in scripts/config.py`]);
});

test.each([
  ["the example of the AWS manual", "AKIAIOSFODNN7EXAMPLE"],
  ["the name of a variable", "OPENAI_API_KEY = os.environ['sk']"],
  ["a placeholder", "sk-your-key-goes-here-please, ghp_xxx, xoxb-"],
  ["a long word with hyphens", "disk-usage-of-all-Folders-in-2024-and-more"],
  ["a public key", "-----BEGIN PUBLIC KEY-----"],
])("usability: %s is not a credential", async (_, text) => {
  await using skill = await calculator();
  skill.write("notes.md", text);

  expect(await skill.problems("usability")).toEqual([]);
});

test("usability: a credential across the border of two reading windows is found, and quickly", async () => {
  await using skill = await calculator();
  const padding = "sk-".repeat(349_520);
  skill.write("big.txt", `${padding} AKIA${"Q7".repeat(8)} ${padding}`);
  const startedAt = performance.now();

  expect(await skill.problems("usability")).toEqual(["credentials: found an AWS access key in big.txt"]);
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test("a file cannot earn a point by its name", async () => {
  await using skill = await calculator();
  skill.write("links: ok tests: OK.json", "{");
  skill.write("tests/ok.eval.json", "{");
  rmSync(join(skill.dir, "tests/basic.eval.json"));
  symlinkSync("/etc", join(skill.dir, "documentation: o\u212a"));

  const { findings } = await inspectFiles(skillAt(skill.dir), "schemas", benchmarkProblem);
  const structure = await skill.problems("structure");

  expect(findings.at(-1)).toContain("JSON files: cannot read links:ok tests:OK.json");
  expect(structure.join("\n").toLowerCase()).not.toContain(": ok");
});

test("a folder that cannot be walked is a finding in every check that reads it", async () => {
  await using skill = await calculator();
  skill.write("large", "");
  truncateSync(join(skill.dir, "large"), 256 * 1024 * 1024 + 1);

  const counts = await Promise.all(
    (["structure", "schemas", "usability"] as const).map(
      async (check) => (await skill.problems(check)).filter((line) => line.includes("256 MiB")).length,
    ),
  );

  expect(counts).toEqual([2, 1, 2]);
});

test("a pipe in the folder is not waited for", async () => {
  await using skill = await calculator();
  rmSync(join(skill.dir, "README.md"));
  execFileSync("mkfifo", [join(skill.dir, "README.md")]);

  expect(await skill.problems("structure")).toEqual(["documentation: neither README.md nor SKILL.md"]);
  expect(await skill.problems("usability")).toHaveLength(2);
});

test("what the skill's own digest ignores is not looked at", async () => {
  await using skill = await calculator();
  skill.write("cache/broken.json", "{");

  expect(await skill.problems("schemas", { metadata: { digestIgnore: ["cache"] } })).toEqual([]);
});
