import { describe, expect, test } from "vitest";
import { compileContract } from "../../scorers/output-contract.ts";
import { planSchema } from "./plan-schema.ts";

const contract = compileContract({
  markers: [],
  maxChars: null,
  schemas: [{ name: "ah32.plan.v1", schema: planSchema }],
});
const violationsOf = (plan: unknown) => {
  if (!contract.ok) throw new Error(contract.problem);
  return contract
    .check(typeof plan === "string" ? plan : JSON.stringify(plan))
    .map(({ pointer, reason }) => `${pointer} ${reason}`);
};

const head = { id: "a1", title: "Do it" };
const insert = { ...head, op: "insert_text", text: "hello" };
const formula = { ...head, op: "set_cell_formula", cell: "B2", formula: "=SUM(B1:B9)" };
const block = { ...head, op: "upsert_block", block_id: "b", anchor: "end", actions: [insert] };
const value = { ...head, op: "set_cell_value", cell: "B2", value: null };
const sheet = { ...head, op: "add_sheet", name: "Totals" };
const replace = { ...head, op: "replace_text", find: "a", replace: "", occurrences: "all" };
const style = { ...head, op: "set_style", target: "B2:B9", style: { bold: true, color: "#00ff00" } };
const table = { ...head, op: "insert_table", rows: [["a", ""]], header: true };
const slide = { ...head, op: "add_slide", layout: "content", heading: "Risks", bullets: ["one"] };
const notes = { ...head, op: "set_notes", slide: 2, text: "say hello" };
const plan = (host_app: string, ...actions: unknown[]) => ({
  schema_version: "ah32.plan.v1",
  host_app,
  actions,
});

test.each([
  plan("wps", insert, replace, style, table, block, { ...block, actions: [block, table] }),
  plan("et", insert, style, value, formula, sheet),
  plan("wpp", insert, replace, style, table, slide, notes),
  { ...plan("wps", insert), meta: { any: [1] } },
  `\n ${JSON.stringify(plan("et", formula), null, 2)}\n`,
])("a plan: %j", (good) => {
  expect(violationsOf(good)).toEqual([]);
});

test.each<[unknown, string]>([
  [{}, "/schema_version is required"],
  [[], " must be object"],
  ["", " is not one JSON value: Unexpected end"],
  [`Here it is: ${JSON.stringify(plan("et", formula))}`, " is not one JSON value"],
  ['{"schema_version":"ah32.plan.v1","schema_version":"x"}', 'duplicate key "schema_version"'],
  [{ ...plan("et", formula), schema_version: "ah32.plan.v2" }, "/schema_version must be equal to constant"],
  [plan("writer", insert), "/host_app must be equal to one of the allowed values"],
  [plan("wps"), "/actions must NOT have fewer than 1 items"],
  [{ ...plan("wps", insert), note: 1 }, "/note is not allowed"],
  [plan("wps", formula), "/actions/0/op must be equal to one of the allowed values"],
  [plan("et", insert, block), "/actions/1/op must be equal to one of the allowed values"],
  [plan("wpp", value), "/actions/0/op must be equal to one of the allowed values"],
  [plan("wps", { ...block, actions: [formula] }), "/actions/0/actions/0/op must be equal to one of"],
  [plan("wps", { ...block, actions: [] }), "/actions/0/actions must NOT have fewer than 1 items"],
  [plan("wps", { ...block, anchor: "top" }), "/actions/0/anchor must be equal to one of"],
  [plan("wps", { ...insert, note: 1 }), "/actions/0/note is not allowed"],
  [plan("wps", { ...insert, text: "" }), "/actions/0/text must NOT have fewer than 1 characters"],
  [plan("wps", { ...insert, id: "a b" }), "/actions/0/id must match pattern"],
  [plan("wps", { ...insert, title: undefined }), "/actions/0/title is required"],
  [plan("wps", { ...head, text: "x" }), "/actions/0/op is required"],
  [plan("wps", "insert_text"), "/actions/0 must be object"],
  [plan("wps", { ...style, style: {} }), "/actions/0/style must NOT have fewer than 1 properties"],
  [plan("et", { ...style, style: { colour: "red" } }), "/actions/0/style/colour is not allowed"],
  [plan("et", { ...value, value: [1] }), "/actions/0/value must be string,number,boolean,null"],
  [plan("wpp", { ...slide, layout: "fancy" }), "/actions/0/layout must be equal to one of"],
  [plan("wpp", { ...notes, slide: 0 }), "/actions/0/slide must be >= 1"],
])("no plan: %j", (bad, expected) => {
  const found = violationsOf(bad);
  expect(
    found.some((line) => line.includes(expected)),
    found.join("\n"),
  ).toBe(true);
});

describe("beside the smaller schema that was published first", () => {
  const published = compileContract({
    markers: [],
    maxChars: null,
    schemas: [{ name: "published", schema: publishedSchema() }],
  });
  const shared = [insert, formula, block];
  const spoilt = shared.flatMap((action) => [
    action,
    ...Object.keys(action).map((key) => ({ ...action, [key]: undefined })),
    ...Object.keys(action).map((key) => ({ ...action, [key]: 7 })),
    ...Object.keys(action).map((key) => ({ ...action, [key]: "" })),
    { ...action, extra: true },
    { ...action, title: "x".repeat(201) },
    null,
  ]);
  const plans = ["wps", "et", "word", undefined].flatMap((host) => [
    ...spoilt.map((action) => plan(host as string, action)),
    ...shared.map((action) => plan(host as string, { ...block, actions: [action, insert] })),
    ...shared.map((action) => ({ ...plan(host as string, insert, action), meta: {} })),
    ...shared.map((action) => ({ ...plan(host as string, action), meta: 1 })),
  ]);

  test("each says the same about every plan for its programs and operations", () => {
    if (!published.ok) throw new Error(published.problem);
    const verdicts = plans.map((one) => [JSON.stringify(one), violationsOf(one).length === 0]);
    expect(verdicts).toEqual(
      plans.map((one) => [JSON.stringify(one), published.check(JSON.stringify(one)).length === 0]),
    );
    expect(verdicts.filter(([, isGood]) => isGood).length).toBeGreaterThan(8);
  });
});

function publishedSchema() {
  const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength });
  const base = { $ref: "#/$defs/base", unevaluatedProperties: false };
  const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:example:plan-v1",
    type: "object",
    additionalProperties: false,
    required: ["schema_version", "host_app", "actions"],
    properties: {
      schema_version: { const: "ah32.plan.v1" },
      host_app: { enum: ["wps", "et"] },
      meta: { type: "object" },
      actions: { type: "array", minItems: 1 },
    },
    if: { properties: { host_app: { const: "et" } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { actions: { items: ref("et_action") } } },
    else: { properties: { actions: { items: ref("wps_action") } } },
    $defs: {
      wps_action: { oneOf: [ref("insert_text"), ref("wps_block")] },
      et_action: { oneOf: [ref("insert_text"), ref("set_cell_formula")] },
      base: {
        type: "object",
        required: ["id", "title", "op"],
        properties: { id: { type: "string", pattern: "^[a-zA-Z0-9_\\-:.]{1,64}$" }, title: text(200) },
      },
      insert_text: {
        ...base,
        required: ["text"],
        properties: { op: { const: "insert_text" }, text: text(200_000) },
      },
      set_cell_formula: {
        ...base,
        required: ["cell", "formula"],
        properties: { op: { const: "set_cell_formula" }, cell: text(32), formula: text(5_000) },
      },
      wps_block: {
        ...base,
        required: ["block_id", "actions"],
        properties: {
          op: { const: "upsert_block" },
          block_id: text(64),
          anchor: { enum: ["cursor", "end"] },
          actions: { type: "array", minItems: 1, items: ref("wps_action") },
        },
      },
    },
  };
}
