import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sampleEvent } from "../../../test/builders/sample-event.ts";
import { cellReader, sampleCells, sampleDocument, sampleUnitCell } from "../../../test/sample-document.ts";
import { initialConfig } from "../../cli/commands/initial-config.ts";
import { Config } from "../../contract/config.ts";
import { SkillManifest } from "../../contract/unit-skill.ts";
import { jsonFormat } from "../../report/formats/json.ts";
import { checkDocument } from "../../shared/files/check-document.ts";
import { fileSchema } from "./file-schemas.ts";
import { type SchemaName, schemaNames } from "./schema-names.ts";

const root = join(import.meta.dirname, "../../..");
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

const checks = new Map<SchemaName, ValidateFunction>();

function checkOf(name: SchemaName): ValidateFunction {
  const check = checks.get(name) ?? new Ajv({ allErrors: true, strict: false }).compile(fileSchema(name));
  checks.set(name, check);
  return check;
}

/** What a schema has to say about a value. */
function faultsOf(name: SchemaName, value: unknown): string[] {
  const check = checkOf(name);
  return check(value)
    ? []
    : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const skill = {
  id: "calc",
  name: "Calc",
  version: "1.0.0",
  description: "Adds",
  adapterType: "subprocess",
  entrypoint: "python3 calc.py",
};
const manifest = {
  schema_version: "ah32.skill.v1",
  meta: { id: "invoice-check", name: "发票核对" },
  entry: { system_prompt: "SYSTEM.md" },
};
const agentCase = { id: "a", input: "do it" };
const conversation = { id: "c", kind: "conversation", input: "do it" };
const bench = { id: "plans", schema: "ah32.plan.v1", cases: [{ id: "a", input: "do it" }] };
const task = { id: "t", inputData: null, expectedOutput: { type: "exact", value: { any: [1] } } };

/** A plan is data for programs; all others are files that people write, in editors. */
const ofPeople = schemaNames.filter((name) => name !== "ah32.plan.v1");

test.each(ofPeople)("%s is a draft-07 schema with a name of its own that compiles", (name) => {
  const schema = fileSchema(name);

  expect(schema).toMatchObject({
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: `urn:eval-skills:schema:${name}`,
    title: expect.any(String),
  });
  expect(checkOf(name)).toBeTypeOf("function");
});

describe("what comes with the product fits", () => {
  const benchmarks = readdirSync(join(root, "benchmarks")).filter((name) => name.endsWith(".json"));
  test.each(benchmarks)("benchmarks/%s", (name) => {
    expect(faultsOf("benchmark", readJson(`benchmarks/${name}`))).toEqual([]);
    for (const one of readJson(`benchmarks/${name}`).tasks) expect(faultsOf("task", one)).toEqual([]);
  });

  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" });
  test.each(examples.filter((name) => name.endsWith("skill.json")))("examples/%s", (name) => {
    const found = readJson(`examples/${name}`);
    expect(faultsOf(found.schema_version === undefined ? "skill" : "ah32.skill.v1", found)).toEqual([]);
  });
  test.each(examples.filter((name) => name.endsWith("adapter.config.json")))("examples/%s", (name) => {
    expect(faultsOf("adapter-config", readJson(`examples/${name}`))).toEqual([]);
  });

  test("every eval.yaml of the examples, and one without trigger tests", () => {
    const files = examples.filter((name) => name.endsWith("eval.yaml"));
    for (const name of files)
      expect([name, faultsOf("eval", parse(readFileSync(join(root, "examples", name), "utf8")))]).toEqual([
        name,
        [],
      ]);
    expect(files.length).toBeGreaterThan(0);
    expect(faultsOf("eval", { defaults: { model: "m", any: 1 }, cases: [], tools: {} })).toEqual([]);
  });

  test("an eval.yaml with everything the reference names", () => {
    const gate = { recall: 0.9, precision: 0.9, mcc: 0.5 };
    const judge = {
      kind: "model",
      model: "m",
      repeats: 8,
      threshold: 0.5,
      reask: 1,
      rank: "top1",
      min_kappa: 0.6,
    };
    const near = { query: "explain", id: "q7", belongs_to: "explain-code", tags: ["near-miss"] };
    const triggering = {
      judge,
      should_match: ["a"],
      should_not_match: ["b", near],
      import: ["set.json"],
      gate,
    };
    expect(faultsOf("eval", { triggering })).toEqual([]);
    expect(faultsOf("eval", { triggering: { should_match: null, judge: null, gate: null } })).toEqual([]);
  });

  test("cases with little and with much, of an agent and of a pure function, and a suite of them", () => {
    const action = { type: "select_skills", payload: { skills: [{ name: "k" }] } };
    const whole = {
      ...agentCase,
      input: { file: "inputs/request.txt" },
      setup: { skill_roots: ["k", { source: "user", path: "u" }], preinstall_skills: ["k.zip"] },
      approvals: [{ tool: "run_script", match: { any: [1] }, decision: "grant" }],
      constraints: { max_turns: 3, sandbox: "strict" },
      expect: {
        skills_none_of: ["*"],
        action_sequence_constraints: [{ must_occur: "grep", before: ["run_script"] }, { forbid: "grep" }],
        errors: [{ code: "IOError", max: 2 }],
        output: { regex_match: { pattern: "a", flags: "i" }, json_schema: { type: "object", any: 1 } },
      },
      mock: { turns: [{ action, expect_context: { contains: ["x"] } }, { raw: "no" }] },
    };
    const pure = { id: "p", kind: "path", input: "../x", expect: { code: "PathTraversalBlocked" } };
    for (const one of [agentCase, whole, pure, { $schema: "x", ...agentCase }])
      expect(faultsOf("case", one)).toEqual([]);
    const defaults = { constraints: { max_turns: 6 }, input: "x" };
    expect(faultsOf("suite", { suite: "s", defaults, cases: [whole, pure, { id: "b" }] })).toEqual([]);
  });

  test("a conversation with little and with much, in a suite of its own and beside others", () => {
    const whole = {
      ...conversation,
      setup: {
        skill_roots: ["./skills"],
        host: "writer",
        document: "inputs/a.docx",
        route: { forced: "k" },
      },
      mock: { turns: [{ call: { name: "t", arguments: { a: 1 } } }, { raw: "no" }, { final: "done" }] },
      expect: {
        skills_all_of: ["k"],
        tool_calls: [{ name: "t", arguments: { a: 1 }, result: "ok" }],
        uses_result: ["$[0].total"],
        output: { contract: true, contains_all: ["x"] },
      },
      constraints: { max_turns: 6, max_tool_calls: 5 },
    };
    for (const one of [conversation, whole, { $schema: "x", ...conversation }])
      expect(faultsOf("case", one)).toEqual([]);
    const defaults = { kind: "conversation", setup: { host: "wps" } };
    expect(faultsOf("suite", { defaults, cases: [whole, { id: "b", input: "x" }] })).toEqual([]);
    expect(faultsOf("suite", { cases: [agentCase, whole] })).toEqual([]);
    expect(faultsOf("eval", { cases: [whole] })).toEqual([]);
  });

  test("a report as it is written, of several levels and of none", () => {
    const text = [...jsonFormat.render({ report: sampleDocument(), cells: cellReader(sampleCells) })].join(
      "",
    );
    const empty = sampleDocument({ suites: [], subjects: [], gates: [], cases: [], skipped: [] });

    expect(faultsOf("report", JSON.parse(text))).toEqual([]);
    expect(faultsOf("report", { ...empty, cells: [] })).toEqual([]);
    expect(faultsOf("report", { ...empty, cells: [], ofALaterVersion: { any: 1 } })).toEqual([]);
  });

  test("an event of telemetry with little and with much", () => {
    const event = sampleEvent();
    for (const one of [event, { ...event, run_id: "r", block_id: "b", extra: { any: [1] }, later: 1 }])
      expect(faultsOf("telemetry-event", one)).toEqual([]);
  });

  test("a bench with little and with much", () => {
    const whole = {
      ...bench,
      target: { type: "sse", url: "http://127.0.0.1:1/plan", headers: { a: "b" }, body: { any: ["x"] } },
      route: { forced: "doc-formatter" },
      samples: 3,
      max_repairs: 0,
      executor: ["node", "run.mjs"],
      cases: [
        ...bench.cases,
        { id: "b", input: "x", host: "wps", tags: ["t"], overlay: { properties: { any: true } } },
        { id: "c", input: "x", source: "fixed", outputs: [{}, "text"] },
        { id: "d", input: "x", source: "local", tool: "s#t", arguments: { a: 1 }, mock: ["{}"] },
      ],
    };
    for (const one of [bench, whole, { $schema: "x", ...bench }])
      expect(faultsOf("planbench", one)).toEqual([]);
  });

  test("the configuration of a new project, an empty one, and all defaults", () => {
    expect(
      faultsOf("config", parse(initialConfig.split("\n").slice(2).join("\n").replace(/^# /gm, ""))),
    ).toEqual([]);
    expect(faultsOf("config", {})).toEqual([]);
    const entry = { case: "a/b-*", level: "unit", until: "2027-01-31", reason: "x" };
    expect(faultsOf("config", { quarantine: [entry], owners: [{ skill: "a", owner: "@b" }] })).toEqual([]);
    expect(faultsOf("config", Config.parse({}))).toEqual([]);
  });

  test("a strategy as the documentation writes it, and an empty one", () => {
    const filters = { minCompletionRate: 0.8, adapterTypes: ["http"], requiredTags: ["production-ready"] };
    expect(faultsOf("strategy", { filters, sortBy: "latency", order: "asc", topK: 5 })).toEqual([]);
    expect(faultsOf("strategy", {})).toEqual([]);
  });
});

describe("what the loader refuses is refused", () => {
  test.each<[SchemaName, unknown]>([
    ["skill", { ...skill, descripton: "x" }],
    ["skill", { ...skill, id: "Not Allowed" }],
    ["skill", { ...skill, adapterType: "carrier-pigeon" }],
    ["skill", { ...skill, entrypoint: undefined }],
    ["adapter-config", { type: "http", authtype: "bearer" }],
    ["adapter-config", { type: "subprocess", bodyMode: "input" }],
    ["adapter-config", { timeoutMs: 5 }],
    ["ah32.skill.v1", { ...manifest, note: 1 }],
    ["ah32.skill.v1", { ...manifest, $schema: "x" }],
    ["ah32.skill.v1", { ...manifest, schema_version: "ah32.skill.v2" }],
    ["ah32.skill.v1", { ...manifest, meta: { id: "A", name: "x" } }],
    ["ah32.skill.v1", { ...manifest, meta: { id: "a".repeat(65), name: "x" } }],
    ["ah32.skill.v1", { ...manifest, meta: { id: "ab", name: "核".repeat(65) } }],
    ["ah32.skill.v1", { ...manifest, meta: { ...manifest.meta, "x-owner": 1 } }],
    ["ah32.skill.v1", { ...manifest, entry: undefined }],
    ["ah32.skill.v1", { ...manifest, routing: { hosts: ["excel"] } }],
    ["ah32.skill.v1", { ...manifest, capabilities: { active_doc_max_chars: 200_001 } }],
    ["ah32.skill.v1", { ...manifest, capabilities: { writeback: { at: "end" } } }],
    ["ah32.skill.v1", { ...manifest, tools: [{ name: "a", script: "a.py" }] }],
    ["ah32.skill.v1", { ...manifest, tools: [{ name: "a", parameters: true }] }],
    ["task", { ...task, expectedOutput: { keyword: ["a"] } }],
    ["task", { ...task, evaluator: { caseSensitiv: true } }],
    ["task", { id: "t", expectedOutput: {} }],
    ["benchmark", { id: "b", name: "B", version: "1", tasks: [{ ...task, tag: ["x"] }] }],
    ["benchmark", { id: "b", name: "B", version: "1", tasks: [] }],
    ["strategy", { filters: { minCompletion: 0.8 } }],
    ["strategy", { topK: 0 }],
    ["config", { concurency: 4 }],
    ["eval", { trigering: {} }],
    ["eval", { triggering: [] }],
    ["eval", { triggering: { judge: {} } }],
    ["eval", { triggering: { should_match: "one" } }],
    ["eval", { triggering: { should_match: [""] } }],
    ["eval", { triggering: { should_match: ["x".repeat(4001)] } }],
    ["eval", { triggering: { should_match: [{ text: "a" }] } }],
    ["eval", { triggering: { should_match: [{ query: "a", tag: ["b"] }] } }],
    ["eval", { triggering: { should_match: [], judge: { kind: "oracle" } } }],
    ["eval", { triggering: { should_match: [], judge: { repeats: 0 } } }],
    ["eval", { triggering: { should_match: [], judge: { threshold: 1 } } }],
    ["eval", { triggering: { should_match: [], gate: { recal: 0.9 } } }],
    ["case", { ...agentCase, id: "-a" }],
    ["case", { ...agentCase, constraint: {} }],
    ["case", { ...agentCase, expect: { errors: [{ code: "IoError" }] } }],
    ["case", { ...agentCase, expect: { output: { contains_any: [] } } }],
    ["case", { ...agentCase, mock: { turns: [{ action: { type: "plan", payload: {} } }] } }],
    ["case", { id: "a" }],
    ["case", { ...conversation, kind: "conversaton" }],
    ["case", { ...conversation, enable_tools: [] }],
    ["case", { ...conversation, setup: { route: "force" } }],
    ["case", { ...conversation, mock: { turns: [] } }],
    ["case", { ...conversation, mock: { turns: [{ action: {} }] } }],
    ["case", { ...conversation, expect: { tool_calls: [{ name: "t", result: "fine" }] } }],
    ["suite", { cases: [{ input: "x" }] }],
    ["suite", { cases: [{ ...conversation, setup: { hots: "x" } }] }],
    ["suite", { default: {} }],
    ["planbench", { ...bench, sample: 3 }],
    ["planbench", { ...bench, cases: [] }],
    ["planbench", { ...bench, cases: [{ id: "a", input: "x", inputs: "y" }] }],
    ["planbench", { ...bench, target: { type: "sse" } }],
    ["telemetry-event", { ...sampleEvent(), source: "somebody" }],
    ["telemetry-event", { ...sampleEvent(), run_id: 7 }],
    ["report", sampleDocument()],
    ["report", { ...sampleDocument(), cells: [], schemaVersion: 1 }],
    ["report", { ...sampleDocument(), cells: [], run: undefined }],
    ["report", { ...sampleDocument(), cells: [], exitCode: 4 }],
    ["report", { ...sampleDocument(), cells: [{ ...sampleUnitCell(), status: "great" }] }],
    ["report", { ...sampleDocument(), cells: [{ ...sampleUnitCell(), key: undefined }] }],
    ["config", { sandbox: { memory: 5 } }],
    ["config", { models: { lab: { url: "x" } } }],
    ["config", { concurrency: 0 }],
    ["config", { quarantine: [{ case: "a/b", until: "2027-01-31" }] }],
    ["config", { quarantine: [{ case: "b", until: "2027-01-31", reason: "x" }] }],
    ["config", { quarantine: [{ case: "a/b", until: "31.1.2027", reason: "x" }] }],
    ["config", { owners: [{ skill: "a" }] }],
  ])("%s: %j", (name, value) => {
    expect(faultsOf(name, value)).not.toEqual([]);
  });
});

test("what is open stays open: metadata, schemas of others, any input and value", () => {
  const open = {
    ...skill,
    metadata: { team: "x", pricing: { inputPerMTok: 1, outputPerMTok: 2, note: "open below too" } },
    inputSchema: { anything: [1] },
  };

  expect(faultsOf("skill", open)).toEqual([]);
  expect(checkDocument(open, SkillManifest, { path: "skill.json", code: "skill-invalid" }).warnings).toEqual(
    [],
  );
  for (const inputData of [1, "x", null, [], { a: { b: 1 } }])
    expect(faultsOf("task", { ...task, inputData })).toEqual([]);
  expect(
    faultsOf("benchmark", { id: "b", name: "B", version: "1", metadata: { x: 1 }, tasks: [task] }),
  ).toEqual([]);
  expect(faultsOf("config", { models: { anything: { apiKeyEnv: "KEY" } } })).toEqual([]);
});

test("the manifest of a prompt is open where it says so: keys x-… at its root, delivery and capabilities", () => {
  const open = {
    ...manifest,
    meta: { ...manifest.meta, name: "𝒳".repeat(64) },
    routing: { examples: ["one", { user: "two" }, { input: "three" }] },
    delivery: { default_writeback: "direct", any: 1 },
    capabilities: { any: { thing: 1 } },
    output: { styleSpecHints: { any: 1 } },
    tools: ["count_words", { name: "sum", parameters: { type: "object" } }],
    "x-not_for": ["开具发票"],
    "x-any": { thing: [] },
  };

  expect(faultsOf("ah32.skill.v1", open)).toEqual([]);
});

test("an editor shows what the keys of a skill are for", () => {
  const { properties } = fileSchema("skill") as { properties: Record<string, { description?: string }> };

  expect(properties.entrypoint?.description).toContain("command line");
});

test("a file may name its schema, whichever shape it has", () => {
  const $schema = "node_modules/eval-skills/schemas/skill.schema.json";

  expect(faultsOf("skill", { $schema, ...skill })).toEqual([]);
  expect(faultsOf("adapter-config", { $schema, type: "mcp" })).toEqual([]);
  expect(faultsOf("config", { $schema })).toEqual([]);
});
