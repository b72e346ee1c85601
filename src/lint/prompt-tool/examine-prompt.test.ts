import { describe, expect, test } from "vitest";
import { examined } from "../../../test/examined-skill.ts";
import { promptText, promptToolFiles, promptToolFolder } from "../../../test/prompt-tool-files.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { reportBrokenManifest } from "./examine-manifest.ts";
import { exampleShare } from "./examine-prompt.ts";

type Files = Record<string, string | Uint8Array>;

const text = promptText;
const folder = promptToolFolder;
const tool = (parameters: unknown) => ({
  tools: [{ name: "count", description: "Counts", parameters }],
});
const counted = {
  "SYSTEM.md": text,
  "scripts/count.py": "def count(doc_text=''):\n    return {'n': len(doc_text)}\n",
};

/** One mistake each, what is found, and the same without it. */
const mistakes: readonly { bad: Files; lines: readonly unknown[]; good: Files; name?: string }[] = [
  {
    bad: promptToolFiles({ schema_version: "ah32.skill.v9" }),
    lines: ['AHM01 schema_version "ah32.skill.v9" is not supported', "PTS01 manifest: AHM01"],
    good: promptToolFiles({}),
  },
  {
    bad: promptToolFiles({ note: 1 }),
    lines: ["AHM02 $.note: is not known", "PTS01 manifest: AHM02"],
    good: promptToolFiles({ "x-note": 1 }),
  },
  {
    bad: promptToolFiles({ meta: { id: "a", name: "x" } }),
    lines: ['AHM03 meta.id "a": must have 2 to 64 characters', "PTS01 manifest: AHM03"],
    good: promptToolFiles({}),
  },
  {
    bad: promptToolFiles({ entry: { system_prompt: "rules.md" } }),
    lines: ["AHM04 entry rules.md: missing", "PTS01 manifest: AHM04"],
    good: promptToolFiles({ entry: { system_prompt: "rules.md" } }, { "rules.md": text }),
  },
  {
    bad: promptToolFiles({}, { "SYSTEM.md": text, "prompt.txt": text, "SKILL.md": text }),
    lines: ["AHM05 SYSTEM.md: used as the prompt, but SKILL.md, prompt.txt could be it too"],
    good: promptToolFiles(
      { entry: { prompt: "prompt.txt" } },
      { "SYSTEM.md": text, "prompt.txt": text, "SKILL.md": text },
    ),
  },
  {
    bad: promptToolFiles({ meta: { id: "other", name: "x" } }),
    lines: ['AHM06 $.meta.id: "other" does not match folder "checker"'],
    good: promptToolFiles({}),
  },
  {
    bad: promptToolFiles({ routing: { hosts: ["*", "et"] } }),
    lines: ["AHM06 $.routing.hosts: mixes * (every host) with names"],
    good: promptToolFiles({ routing: { hosts: ["et"] } }),
  },
  {
    bad: promptToolFiles({ schema_version: undefined, schemaVersion: "ah32.skill.v1" }),
    lines: ["AHM06 $.schemaVersion: deprecated spelling of schema_version"],
    good: promptToolFiles({}),
  },
  {
    bad: promptToolFiles(tool({ type: "object", properties: { doc_text: { type: "txt" } } }), counted),
    lines: [
      expect.stringMatching(
        /^AHM07 tools\[0\]\.parameters\/properties\/doc_text: unknown type "txt"; known: /,
      ),
      "PTS01 manifest: AHM07",
    ],
    good: promptToolFiles(tool({ type: "object", properties: { doc_text: { type: "string" } } }), counted),
  },
  {
    bad: promptToolFiles({}, { "SYSTEM.md": "x".repeat(4001) }),
    lines: ["PTS08 SYSTEM.md: prompt has 4001 characters, recommended at most 4000"],
    good: promptToolFiles({}, { "SYSTEM.md": "技".repeat(4000) }),
  },
  {
    bad: promptToolFiles({}, { "SYSTEM.md": `${text}## 示例\n${text}` }),
    lines: ["PTS08 SYSTEM.md: examples are 57 % of the prompt, recommended at most 30 %"],
    good: promptToolFiles({}, { "SYSTEM.md": `${text}${text}${text}${text}\n## Example\nx\n` }),
  },
  {
    bad: promptToolFiles({ output: { markers: ["x"], output_schema: "my.plan" } }),
    lines: ['PTS10 output_schema "my.plan" not found'],
    good: promptToolFiles(
      { output: { markers: ["x"], output_schema: "my.plan" } },
      { "SYSTEM.md": text, "schemas/my.plan.schema.json": "{}" },
    ),
  },
  {
    bad: promptToolFiles({ output: { max_chars: 5 } }),
    lines: ["PTS10 output: no markers, schema or prose declared"],
    good: promptToolFiles({ output: { max_chars: 5, markers: ["x"] } }),
  },
  {
    bad: promptToolFiles({ output: { output_schema: " " } }),
    lines: ["PTS10 output: no markers, schema or prose declared"],
    good: promptToolFiles({ output: { output_schema: ["A heading for each risk.", "Then a table."] } }),
  },
];

test.each(mistakes.map((one) => [String(one.lines[0]), one] as const))(
  "one mistake, one finding: %s",
  async (_, one) => {
    const reported = await examined(one.bad, { folder });
    const clean = await examined(one.good, { folder });

    expect([...reported.lines].sort()).toEqual(one.lines);
    expect(clean.lines).toEqual([]);
    expect(clean.skill).not.toBeNull();
  },
);

test("members that are wrong hide nothing else about a skill: its prompt, its tools, their scripts, its output", async () => {
  const { lines, skill: read } = await examined(
    promptToolFiles(
      {
        meta: { id: "A B", name: "x", priority: "high" },
        entry: 7,
        routing: { examples: [{ user: 1 }], tags: [3] },
        output: { output_schema: "my.plan", max_chars: "many" },
        tools: [{ description: "no name" }, { name: "gone", description: "Is not there" }, 9],
      },
      { "SYSTEM.md": "x".repeat(4001), "scripts/spare.py": "import requests\n" },
    ),
    { folder },
  );

  expect(read).toBeNull();
  expect(lines.filter((line) => line.startsWith("AHM0")).length).toBeGreaterThanOrEqual(6);
  expect(lines).toEqual(
    expect.arrayContaining([
      "PTS06 scripts/spare.py: not declared, not imported",
      "PTS08 SYSTEM.md: prompt has 4001 characters, recommended at most 4000",
      'PTS10 output_schema "my.plan" not found',
      expect.stringMatching(/^PTS02 .*gone/),
    ]),
  );
});

describe("old spellings are read, and reported", () => {
  test("text instead of a list, and category for group", async () => {
    const { skill: read, lines } = await examined(
      promptToolFiles(
        {
          meta: { id: folder, name: "x", category: "invoices" },
          routing: {
            hosts: "writer,et",
            tags: "发票；合计",
            triggers: "check, invoice; 核对",
            examples: "one",
            intents: "",
          },
          output: { markers: "a，b" },
          tools: "count",
          "x-not_for": "pay; send",
        },
        counted,
      ),
      { folder },
    );

    expect(read).toMatchObject({
      tags: ["发票", "合计"],
      triggers: ["check, invoice", "核对"],
      examples: ["one"],
      notFor: ["pay", "send"],
      tools: [{ name: "count" }],
      controls: { hosts: ["writer", "et"], group: "invoices" },
      output: { markers: ["a", "b"] },
    });
    expect(lines.filter((line) => line.startsWith("AHM"))).toEqual([
      "AHM06 $.meta.category: deprecated spelling of group",
      ...["hosts", "tags", "triggers", "examples", "intents"].map(
        (key) => `AHM06 $.routing.${key}: a list written as a string`,
      ),
      ...["output.markers", "tools", "x-not_for"].map(
        (path) => `AHM06 $.${path}: a list written as a string`,
      ),
    ]);
  });

  test("today's spelling wins where both are present", async () => {
    const both = promptToolFiles({
      schemaVersion: "ah32.skill.v7",
      meta: { id: folder, name: "x", category: "a", group: "b" },
    });
    const { skill: read, lines } = await examined(both, { folder });

    expect(read?.controls.group).toBe("b");
    expect(lines).toHaveLength(2);
  });
});

describe("parameters of tools", () => {
  test("that would take too long to check are refused, and plain ones of any size are not", async () => {
    const many = (part: unknown) =>
      tool({
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`p${n}`, part])),
      });
    const heavy = await examined(promptToolFiles(many({ pattern: "x" }), counted), { folder });
    const plain = await examined(promptToolFiles(many({ type: "string" }), counted), { folder });

    expect(heavy.lines).toContain("AHM07 tools[0].parameters: too large to check");
    expect(plain.skill).not.toBeNull();
  });

  test("of very many faults the first are reported, and that there are more", async () => {
    const tools = Array.from({ length: 60 }, (_, n) => ({ name: `t${n}`, description: "x", parameters: [] }));
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n]));

    const faulty = await examined(promptToolFiles({ tools, ...unknown }), { folder });

    const reported = (code: string) => faulty.lines.filter((line) => line.startsWith(code));
    expect([reported("AHM02").length, reported("AHM07").length, faulty.unlisted]).toEqual([50, 51, 10]);
    expect(reported("AHM07")).toContain("AHM07 tools[50].parameters: not checked, nor any after it");
  });

  const draft07 = "http://json-schema.org/draft-07/schema#";

  test.each<[unknown, string]>([
    [true, ": expected a schema of type object"],
    [null, ": expected a schema of type object"],
    ["object", ": expected a schema of type object"],
    [{}, ': the type is missing; it must be "object"'],
    [{ type: ["object", "null"] }, '/type: must be "object"'],
    [{ type: "object", requird: [] }, ': unknown keyword "requird"; did you mean required?'],
    [
      { type: "object", properties: { "a/b": { minimum: "1" } } },
      "/properties/a~1b: minimum must be a number",
    ],
    [
      { type: "object", properties: { a: { $ref: "https://example.com/x" } } },
      "/properties/a: $ref cannot be resolved",
    ],
    [
      { $schema: draft07, type: "object", properties: { a: { prefixItems: [] } } },
      "/properties/a: unknown keyword",
    ],
    [{ $schema: "urn:other", type: "object" }, ": $schema"],
  ])("%j are none", async (parameters, message) => {
    const { skill: read, lines } = await examined(promptToolFiles(tool(parameters), counted), { folder });

    expect(read).toBeNull();
    expect(lines.filter((line) => line.startsWith("AHM"))).toEqual([
      expect.stringContaining(`AHM07 tools[0].parameters${message}`),
    ]);
  });

  test.each([
    [{ type: "object", properties: { a: { prefixItems: [{ type: "string" }] } } }],
    [{ $schema: draft07, type: "object", properties: { a: { items: [{ type: "string" }] } } }],
    [{ type: "object", $defs: { n: { type: "number" } }, properties: { a: { $ref: "#/$defs/n" } } }],
  ])("%j are fine", async (parameters) => {
    const { lines } = await examined(promptToolFiles(tool(parameters), counted), { folder });

    expect(lines.filter((line) => line.startsWith("AHM"))).toEqual([]);
  });
});

test.each([
  ["", 0],
  ["aaaa\nbbbb", 0],
  ["aaaa\n```\nx\n```\nbbbb", 0.5],
  ["aaaa\n~~~~\n```\n~~~\n~~~~\naaaaa", 18 / 29],
  ["aaaa\n## Example 1\nbb\n### more\ncc\n# Rules\nd", 28 / 43],
  ["aaaa\n示例：\nbb\n输出：\ncc", 7 / 19],
  ["# Examples of what to refuse\nx", 1],
  ["An example is no heading.\n#hash\n", 0],
])("how much of %j is examples", (prompt, share) => {
  expect(exampleShare(prompt)).toBeCloseTo(share, 5);
});

test("the verdict on a manifest names later errors once, and no warnings", () => {
  const diagnostics = new Diagnostics("strict", folder);
  const verdicts = () => {
    reportBrokenManifest(new SkillFolder("/nowhere"), diagnostics);
    return diagnostics.list().flatMap(({ code, message }) => (code === "PTS01" ? [message] : []));
  };
  diagnostics.add("AHM04", { file: "skill.json" }, "entry a.md: missing");
  expect(verdicts()).toEqual([]);
  diagnostics.kind = "prompt-tool";
  diagnostics.add("AHM06", { file: "skill.json" }, "only a warning");
  diagnostics.add("AHM04", { file: "skill.json" }, "entry a.md: outside");
  expect(verdicts()).toEqual(["manifest: AHM04"]);
  diagnostics.add("SKD04", { file: "." }, 'id "x" in a and b');
  expect(verdicts()).toEqual(["manifest: AHM04", "manifest: SKD04"]);
  expect(verdicts()).toEqual(["manifest: AHM04", "manifest: SKD04"]);
});
