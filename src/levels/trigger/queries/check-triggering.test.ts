import fc from "fast-check";
import { expect, test } from "vitest";
import { Diagnostics } from "../../../contract/diagnostics.ts";
import type { Diagnostic } from "../../../contract/findings.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import type { Triggering } from "../../../contract/triggering.ts";
import { checkTriggering, type SidecarCard } from "./check-triggering.ts";

interface Case {
  eval?: string;
  files?: Record<string, string>;
  skill?: Partial<DescribedSkill>;
  siblings?: string[] | null;
  sidecar?: SidecarCard | null;
}

const skill = {
  id: "invoice-check",
  aliases: ["invoices"],
  name: "Invoice check",
  kind: "prompt-tool",
  description: "Checks invoices for wrong totals",
  triggers: ["核对发票", "check the sums of an invoice"],
  notFor: ["开具发票"],
  examples: ["帮我核对这张发票的合计"],
  manifest: "/skills/invoice-check/skill.json",
  instructions: { path: "SYSTEM.md", format: "md" },
} as unknown as DescribedSkill;

async function check(of: Case): Promise<{ block: Triggering | null; found: Diagnostic[]; lines: string[] }> {
  const files: Record<string, string> = {
    ...of.files,
    ...(of.eval === undefined ? {} : { "eval.yaml": of.eval }),
  };
  const diagnostics = new Diagnostics("strict", "invoice-check");
  const { siblings = null, sidecar = null } = of;
  const readFile = (path: string) => {
    const text = Object.hasOwn(files, path) ? files[path] : undefined;
    if (path.startsWith("..")) return { ok: false, problem: "outside" } as const;
    return text === undefined ? ({ ok: false, problem: "missing" } as const) : ({ ok: true, text } as const);
  };
  const names = siblings === null ? null : new Set(siblings);
  const subject = { skill: { ...skill, ...of.skill }, readFile, siblings: names, sidecar };
  const block = await checkTriggering(subject, diagnostics);
  const found = diagnostics.list();
  return {
    block,
    found,
    lines: found.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`),
  };
}

const positives = [
  "does this bill add up to what it says at the bottom",
  "the supplier wants 1,240 euros, is that what the lines come to",
  "look whether VAT was worked out properly here",
  "something is off with the sum in this PDF, find it",
  "compare the line items with the amount due",
  "请看看这份账单算得对不对",
  "这张单据的金额有没有算错",
  "合计跟明细对得上吗",
  "verify quantity times price for each row",
  "did they overcharge us on this one",
];
const negatives = [
  "what's the weather in San Francisco",
  "write an invoice for March",
  "translate this letter into French",
  "帮我开一张发票",
  "what is an invoice number good for",
  "explain what this file does",
  "make slides about our sales",
  "总结一下这份会议纪要",
  "remind me to call the dentist",
  "refactor src/foo.py to remove the global state",
];

const listed = (name: string, texts: readonly string[]) =>
  [`  ${name}:`, ...texts.map((text) => `    - ${JSON.stringify(text)}`)].join("\n");
const block = (should: readonly string[] = positives, shouldNot: readonly string[] = negatives, more = "") =>
  `triggering:\n${listed("should_match", should)}\n${listed("should_not_match", shouldNot)}\n${more}`;

/** Changes that make a good block invalid, and the diagnostics. The block's queries begin in lines 3 and 14. */
const bad: [code: string, what: string, of: Case, line: string][] = [
  ["TRG01", "a block that is a list", { eval: "triggering: [a]" }, "eval.yaml:1 triggering is a list"],
  [
    "TRG01",
    "a block that is empty",
    { eval: "a: 1\ntriggering:\n".slice(5) },
    "eval.yaml:1 triggering is empty",
  ],
  ["TRG01", "what is not a map", { eval: "- triggering" }, "eval.yaml:1 eval.yaml is a list, not a map"],
  ["TRG01", "what is no YAML", { eval: "cases: []\ntriggering: [" }, "eval.yaml:2 eval.yaml:2: unclosed ["],
  [
    "TRG01",
    "a key twice",
    { eval: "cases: []\ncases: []\n" },
    'eval.yaml:2 eval.yaml:2: a second key "cases" is not allowed',
  ],
  [
    "TRG01",
    "an alias bomb",
    { eval: `a: &a [x, x]\nb: &b [${"*a,".repeat(9)}]\nc: [${"*b,".repeat(9)}]\n` },
    "eval.yaml:3 eval.yaml:3: more than 10 aliases",
  ],
  [
    "TRG01",
    "deep nesting",
    { eval: `triggering: ${"[".repeat(33)}` },
    "eval.yaml:1 eval.yaml:1: nesting deeper than 32 levels is not allowed",
  ],
  [
    "TRG01",
    "a file beyond 1 MiB",
    { eval: block().padEnd(1024 * 1024 + 1, "\n") },
    "eval.yaml:null eval.yaml: larger than 1 MiB",
  ],
  [
    "TRG02",
    "no list and no import",
    { eval: "triggering:\n  judge: { repeats: 4 }\n" },
    "eval.yaml:1 triggering has no queries",
  ],
  [
    "TRG03",
    "a list that is text",
    { eval: "triggering:\n  should_match: fix it\n" },
    "eval.yaml:2 should_match: must be a list, not text",
  ],
  ["TRG03", "a blank query", { eval: block([...positives, " "]) }, "eval.yaml:13 should_match[10]: is empty"],
  [
    "TRG03",
    "a long query",
    { eval: block([...positives, "好".repeat(4001)]) },
    "eval.yaml:13 should_match[10]: has 4001 characters, limit 4000",
  ],
  [
    "TRG03",
    "a number",
    { eval: block(undefined, undefined, "    - 404") },
    "eval.yaml:24 should_not_match[10]: must be text or a map with a query, not 404",
  ],
  [
    "TRG03",
    "an unquoted colon",
    { eval: block(undefined, undefined, "    - fix: this") },
    "eval.yaml:24 should_not_match[10]: is a map without a query",
  ],
  [
    "TRG03",
    "tags that are text",
    { eval: block(undefined, undefined, "    - { query: hi, tags: a }") },
    "eval.yaml:24 should_not_match[10]: tags must be a list, not text",
  ],
  [
    "TRG03",
    "an id used twice",
    { eval: block(undefined, undefined, "    - { query: hi, id: 7 }\n    - { query: ho, id: 7 }") },
    'eval.yaml:25 should_not_match[11]: duplicate id "7", also in should_not_match[10]',
  ],
  [
    "TRG03",
    "imports that are no list",
    { eval: block(undefined, undefined, "  import: a.json") },
    "eval.yaml:24 import: must be a list of paths, not text",
  ],
  [
    "TRG03",
    "an imported query that is empty",
    {
      eval: block(undefined, undefined, "  import: [a.json]"),
      files: { "a.json": '[\n{"query":" ","should_trigger":true}]' },
    },
    "a.json:2 a.json[0]: is empty",
  ],
  [
    "TRG04",
    "a misspelt list",
    { eval: block().replace("should_match", "shoud_match") },
    "eval.yaml:2 unknown key shoud_match",
  ],
  [
    "TRG04",
    "a misspelt block",
    { eval: "trigering:\n  should_match: []\n" },
    "eval.yaml:1 unknown key trigering",
  ],
  [
    "TRG04",
    "a block of another name",
    { eval: "triggers:\n  should_match: [hi]\n" },
    "eval.yaml:1 unknown key triggers",
  ],
  [
    "TRG04",
    "a list that is not indented",
    { eval: "should_match:\n  - hi\n" },
    "eval.yaml:1 unknown key should_match",
  ],
  [
    "TRG04",
    "a misspelt setting",
    { eval: block(undefined, undefined, "  judge: { repeat: 8 }") },
    "eval.yaml:24 unknown key repeat",
  ],
  [
    "TRG04",
    "a misspelt query",
    { eval: block(undefined, undefined, "    - { qurey: hi }") },
    "eval.yaml:24 unknown key qurey",
  ],
  [
    "TRG05",
    "a query on both sides",
    { eval: block(undefined, [...negatives, "DID they  overcharge us on this one"]) },
    'eval.yaml:24 "DID they  overcharge us on this one" in both lists',
  ],
  [
    "TRG05",
    "a query on both sides, in full width",
    { eval: block(["ＡＢＣ 发票金额", ...positives], [...negatives, "abc 发票金额"]) },
    'eval.yaml:25 "abc 发票金额" in both lists',
  ],
  [
    "TRG06",
    "a kind of judge nobody knows",
    { eval: block(undefined, undefined, "  judge: { kind: modell }") },
    'eval.yaml:24 judge.kind: may not be "modell": did you mean model?',
  ],
  [
    "TRG06",
    "no repeats",
    { eval: block(undefined, undefined, "  judge: { repeats: 0 }") },
    "eval.yaml:24 judge.repeats: must be at least 1",
  ],
  [
    "TRG06",
    "more repeats than anybody can wait for",
    { eval: block(undefined, undefined, "  judge: { repeats: 1000000000 }") },
    "eval.yaml:24 judge.repeats: must be at most 1000",
  ],
  [
    "TRG06",
    "a threshold of 1",
    { eval: block(undefined, undefined, "  judge:\n    threshold: 1") },
    "eval.yaml:25 judge.threshold: must be between 0 and 1",
  ],
  [
    "TRG06",
    "a judge that is text",
    { eval: block(undefined, undefined, "  judge: router") },
    "eval.yaml:24 judge: must be a map, not text",
  ],
  [
    "TRG06",
    "a gate out of reach",
    { eval: block(undefined, undefined, "  gate: { recall: 90 }") },
    "eval.yaml:24 gate.recall: must be at most 1",
  ],
  [
    "TRG06",
    "a model that is not a text",
    { eval: `defaults: { model: 4 }\n${block()}` },
    "eval.yaml:1 defaults.model: must be a model id",
  ],
  [
    "TRG07",
    "a card without text",
    { eval: block(), skill: { description: " ", triggers: [], notFor: [], examples: [] } },
    "skill.json:null description or summary not found",
  ],
  [
    "TRG07",
    "a sibling that is not there",
    {
      eval: block(undefined, undefined, "    - { query: hi, belongs_to: explain-cod }"),
      siblings: ["explain-code"],
    },
    "eval.yaml:24 sibling explain-cod not found",
  ],
  [
    "TRG07",
    "itself as a sibling",
    { eval: block(undefined, undefined, "    - { query: hi, belongs_to: invoices }") },
    "eval.yaml:24 sibling invoices not found: it is this skill",
  ],
  [
    "TRG07",
    "a missing import",
    { eval: block(undefined, undefined, "  import: [a.json]") },
    "eval.yaml:24 import a.json not found",
  ],
  [
    "TRG07",
    "an import outside",
    { eval: block(undefined, undefined, "  import: [../a.json]") },
    "eval.yaml:24 import ../a.json is outside the skill folder",
  ],
  [
    "TRG07",
    "an absolute import",
    { eval: block(undefined, undefined, "  import: [/etc/passwd]") },
    "eval.yaml:24 import /etc/passwd is outside the skill folder",
  ],
  [
    "TRG07",
    "an import that is no JSON",
    { eval: block(undefined, undefined, "  import: [./a.json]"), files: { "./a.json": "[\n{," } },
    "a.json:2 import a.json: unexpected comma",
  ],
  [
    "TRG07",
    "an import of another shape",
    { eval: block(undefined, undefined, "  import: [a.json]"), files: { "a.json": "7" } },
    "a.json:null import a.json: neither a list of {query, should_trigger} nor {skill_name, evals}",
  ],
  [
    "TRG07",
    "an imported query without a side",
    { eval: block(undefined, undefined, "  import: [a.json]"), files: { "a.json": '[{"query":"hi"}]' } },
    "a.json:1 import a.json: $[0].should_trigger is required and missing",
  ],
  [
    "TRG07",
    "evals of another skill",
    {
      eval: block(undefined, undefined, "  import: [a.json]"),
      files: { "a.json": '{"skill_name":"pdf","evals":[]}' },
    },
    'a.json:1 import a.json: skill_name is "pdf", not invoice-check',
  ],
  [
    "TRG07",
    "evals of no skill",
    { eval: block(undefined, undefined, "  import: [a.json]"), files: { "a.json": '{"evals":[]}' } },
    "a.json:null import a.json: skill_name is missing",
  ],
  [
    "TRG10",
    "two empty lists",
    { eval: "triggering:\n  should_match: []\n  should_not_match:\n" },
    "eval.yaml:1 both lists are empty; the trigger suite will be skipped",
  ],
  [
    "TRG10",
    "an import of nothing",
    { eval: "triggering:\n  import: [a.json]\n", files: { "a.json": "[]" } },
    "eval.yaml:1 both lists are empty; the trigger suite will be skipped",
  ],
  [
    "TRG11",
    "the same query twice",
    { eval: block([...positives, `  ${positives[0]?.toUpperCase()}`]) },
    "eval.yaml:13 should_match[0] and should_match[10] are alike (1.00)",
  ],
  [
    "TRG11",
    "nearly the same query",
    { eval: block([...positives, `${positives[1]}?`]) },
    "eval.yaml:13 should_match[1] and should_match[10] are alike (0.98)",
  ],
  [
    "TRG11",
    "nearly the same query in Chinese",
    {
      eval: block([
        ...positives,
        "这张单据的金额到底有没有真的算错呢请看一看",
        "这张单据的金额到底有没有真的算错呢请看一看吧",
      ]),
    },
    "eval.yaml:14 should_match[10] and should_match[11] are alike (0.95)",
  ],
  ["TRG12", "one side", { eval: block(positives, []) }, "eval.yaml:1 10 positive, 0 negative"],
  [
    "TRG12",
    "seven on one side",
    { eval: block(positives.slice(0, 7)) },
    "eval.yaml:1 7 positive, 10 negative",
  ],
  [
    "TRG12",
    "more than three times as many",
    {
      eval: block(
        positives.slice(0, 8),
        [...negatives, ..."abcdefghijklmno"].map((text, index) => `${text} ${index}`),
      ),
    },
    "eval.yaml:1 8 positive, 25 negative",
  ],
  [
    "TRG13",
    "no near miss",
    {
      eval: block(undefined, [...negatives.filter((text) => !/invoice|发票/.test(text)), "tell a joke"]),
    },
    "eval.yaml:13 no negative shares a term with the card",
  ],
  [
    "TRG14",
    "a query with a trigger in it",
    { eval: block([...positives, "please Check the  sums of an invoice now"]) },
    'eval.yaml:13 "please Check the  sums of an invoice now" quotes trigger "check the sums of an invoice"',
  ],
  [
    "TRG14",
    "a query with an example in it",
    { eval: block([...positives, "你好，帮我核对这张发票的合计"]) },
    'eval.yaml:13 "你好，帮我核对这张发票的合计" quotes trigger "帮我核对这张发票的合计"',
  ],
  [
    "TRG15",
    "a description over 1,024 characters",
    { eval: block(), skill: { description: "invoices ".repeat(114) } },
    "skill.json:null card: description has 1026 characters, advised 1024",
  ],
  [
    "TRG15",
    "a description that is cut",
    { eval: block(), skill: { description: "invoices ".repeat(300) } },
    "skill.json:null card: description has 2700 characters and is cut at 2000",
  ],
  [
    "TRG15",
    "a trigger that is cut",
    { eval: block(), skill: { triggers: ["a", "票".repeat(301)] } },
    "skill.json:null card: triggers[1] has 301 characters and is cut at 300",
  ],
  [
    "TRG15",
    "a list that is cut",
    {
      eval: block(),
      skill: {
        kind: "agent-skill",
        manifest: null,
        instructions: { path: "SKILL.md", format: "md" },
        notFor: Array.from({ length: 41 }, (_, index) => `n${index}`),
      },
    },
    "SKILL.md:null card: not_for has 41 entries and is cut at 40",
  ],
  [
    "TRG15",
    "another description in meta.yml",
    { eval: block(), sidecar: { description: "Draws trees", triggers: [], notFor: [] } },
    "meta.yml:null card: different description in skill.json",
  ],
  [
    "TRG15",
    "other triggers in meta.yml",
    { eval: block(), sidecar: { description: null, triggers: ["核对发票"], notFor: ["开具发票"] } },
    "meta.yml:null card: different triggers in skill.json",
  ],
];

test.for(bad)("%s is reported for %s, and nothing else", async ([code, , of, line]) => {
  expect((await check(of)).lines).toEqual([`${code} ${line}`]);
});

test("that a description is long is said once, by whoever read it", async () => {
  const description = "invoices ".repeat(114);
  const diagnostics = new Diagnostics("strict", "invoice-check");
  diagnostics.add("SKM07", { file: "SKILL.md", line: 3 }, "description has 1026 characters, limit 1024");
  const readFile = () => ({ ok: true, text: block() }) as const;
  const reported = async (manifest: string | null) => {
    const { kind, instructions } = {
      kind: "agent-skill",
      instructions: { path: "SKILL.md", format: "md" },
    } as const;
    const subject = { ...skill, kind, instructions, description, manifest };
    await checkTriggering({ skill: subject, readFile, siblings: null, sidecar: null }, diagnostics);
    return diagnostics.list().map(({ code, file }) => `${code} ${file}`);
  };

  expect(await reported(null)).toEqual(["SKM07 SKILL.md"]);
  expect(await reported("/a/skill.json")).toEqual(["SKM07 SKILL.md", "TRG15 skill.json"]);
});

test.for([
  ["ten queries on either side", { eval: block() }],
  [
    "eight and twenty-four",
    {
      eval: block(
        positives.slice(0, 8),
        [...negatives, ..."abcdefghijklmn"].map((text, index) => `${text} ${index}`),
      ),
    },
  ],
  [
    "a sibling that is there",
    {
      eval: block(
        undefined,
        undefined,
        "    - { query: hi, id: q7, tags: [near-miss], belongs_to: explain-code }",
      ),
      siblings: ["explain-code"],
    },
  ],
  [
    "a sibling nobody can know of",
    { eval: block(undefined, undefined, "    - { query: hi, belongs_to: explain-code }") },
  ],
  [
    "every setting",
    {
      eval: block(
        undefined,
        undefined,
        "  judge: { kind: model, model: m, repeats: 8, threshold: 0.5, reask: 2, rank: top1, min_kappa: 0.6 }\n  gate: { recall: 0.9, precision: 0.9, mcc: 0.5 }",
      ),
    },
  ],
  [
    "short triggers inside queries",
    {
      eval: block(["核对发票，谢谢", "check it now please", ...positives]),
      skill: { triggers: ["核对发票", "check it now"].map((text) => text.slice(0, 11)) },
    },
  ],
  [
    "what its meta.yml repeats",
    {
      eval: block(),
      sidecar: {
        description: "Checks  invoices for wrong totals",
        triggers: ["Check the sums of an invoice", "核对发票"],
        notFor: [],
      },
    },
  ],
  ["no eval.yaml", {}],
  ["an eval.yaml for other levels", { eval: "defaults: {}\ntools: {}\ncases: []\nsomething: 1\n" }],
  ["an empty eval.yaml", { eval: "# nothing yet\n" }],
] satisfies [string, Case][])("nothing is reported for %s", async ([, of]) => {
  expect((await check(of)).lines).toEqual([]);
});

test("an unknown key that resembles none is a warning", async () => {
  const { found } = await check({
    eval: block(undefined, undefined, "    - { query: hi, colour: red }\nx: 1"),
  });
  expect(
    found.map(({ code, severity, jsonPath, line, message }) => [code, severity, jsonPath, line, message]),
  ).toEqual([
    ["TRG04", "warning", "$.triggering.should_not_match[10].colour", 24, "unknown key colour"],
    ["TRG04", "warning", "$.x", 25, "unknown key x"],
  ]);
});

test("everything that is wrong is reported, not only the first thing", async () => {
  const { lines } = await check({
    eval: "triggering:\n  should_match: [1, '']\n  judge: { repeats: 0, threshold: 2 }\n  import: [a.json, 7]\n",
  });
  expect(lines.map((line) => line.slice(0, 5))).toEqual([
    "TRG03",
    "TRG03",
    "TRG06",
    "TRG06",
    "TRG03",
    "TRG07",
  ]);
});

test("a block is read with its imports, queries trimmed and in one spelling", async () => {
  const { block: read, lines } = await check({
    eval: block(
      [" re\u0301sume\u0301 ", ...positives],
      undefined,
      [
        "    - { query: hi, id: q7, belongs_to: explain-code, tags: [near-miss] }",
        "  judge: { model: ' m ', repeats: 8 }",
        "  gate: { recall: 0.9 }",
        "  import: [set.json, evals/evals.json]",
        "defaults: { model: n }",
      ].join("\n"),
    ),
    files: {
      "set.json":
        '[{"query":"yes please","should_trigger":true},\n{"query":"no thanks","should_trigger":false}]',
      "evals/evals.json":
        '{"skill_name":"invoices","evals":[{"id":3,"prompt":"三号 one","expected_output":"x"},\n {"prompt":"nope","should_trigger":false}]}',
    },
  });
  expect(lines).toEqual([]);
  expect(read?.judge).toEqual({ model: "m", repeats: 8 });
  expect(read).toMatchObject({
    gate: { recall: 0.9 },
    defaultModel: "n",
    imports: ["set.json", "evals/evals.json"],
  });
  expect(read).not.toHaveProperty("evalFile");
  expect(read?.queries).toHaveLength(10 + 1 + 10 + 1 + 4);
  expect(read?.queries[0]).toMatchObject({ text: "résumé", id: "e9f7b5b69666", side: "should_match" });
  expect(read?.queries.slice(21)).toEqual([
    {
      id: "q7",
      text: "hi",
      side: "should_not_match",
      tags: ["near-miss"],
      belongsTo: "explain-code",
      location: expect.objectContaining({ line: 25, jsonPath: "$.triggering.should_not_match[10]" }),
    },
    {
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      text: "yes please",
      side: "should_match",
      tags: [],
      belongsTo: null,
      location: { file: "set.json", line: 1, column: 2, jsonPath: "$[0]" },
    },
    {
      id: expect.anything(),
      text: "no thanks",
      side: "should_not_match",
      tags: [],
      belongsTo: null,
      location: { file: "set.json", line: 2, column: 1, jsonPath: "$[1]" },
    },
    {
      id: "3",
      text: "三号 one",
      side: "should_match",
      tags: [],
      belongsTo: null,
      location: { file: "evals/evals.json", line: 1, column: 35, jsonPath: "$.evals[0]" },
    },
    {
      id: expect.anything(),
      text: "nope",
      side: "should_not_match",
      tags: [],
      belongsTo: null,
      location: expect.objectContaining({ line: 2 }),
    },
  ]);
});

test("a query that stands twice on one side is kept once", async () => {
  const { block: read } = await check({ eval: block([...positives, ...positives]) });
  expect(read?.queries).toHaveLength(20);
});

test("a file that cannot be read is reported", async () => {
  const diagnostics = new Diagnostics("strict", "x");
  const readFile = () => ({ ok: false, problem: "not UTF-8" }) as const;
  await checkTriggering({ skill, readFile, siblings: null, sidecar: null }, diagnostics);
  expect(diagnostics.list().map(({ code, message }) => `${code} ${message}`)).toEqual([
    "TRG01 eval.yaml: not UTF-8",
  ]);
});

test("nothing that a file says makes it throw", async () => {
  const yaml = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => `triggering:\n  should_match: [${text}]`),
    fc.jsonValue().map((value) => JSON.stringify({ triggering: value })),
    fc
      .record({
        should_match: fc.jsonValue(),
        should_not_match: fc.jsonValue(),
        judge: fc.jsonValue(),
        import: fc.jsonValue(),
      })
      .map((value) => JSON.stringify({ triggering: value, defaults: value.judge })),
    fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }).map((texts) => block(texts, texts)),
  );
  await fc.assert(
    fc.asyncProperty(yaml, fc.oneof(fc.json(), fc.string()), async (text, other) => {
      const files = Object.fromEntries(["a.json", "", "0"].map((name) => [name, other]));
      const { found } = await check({ eval: text, files });
      for (const { code } of found) expect(code).toMatch(/^TRG/);
    }),
    { numRuns: 100 },
  );
});

test("of thousands of siblings that are not there, the first are reported with what was most likely meant", async () => {
  const queries = Array.from({ length: 1500 }, (_, n) => `    - { query: q${n}, belongs_to: skil-${n} }\n`);
  const { found } = await check({
    eval: `triggering:\n  should_not_match:\n${queries.join("")}`,
    siblings: Array.from({ length: 2000 }, (_, n) => `skill-${n}`),
  });

  const strangers = found.filter(({ code }) => code === "TRG07");
  expect(strangers).toHaveLength(1000);
  expect([strangers[0]?.hint, strangers[20]?.hint]).toEqual([
    "did you mean skill-0?",
    "name an installed skill in belongs_to",
  ]);
});
