import type { Json, JsonObject } from "../../shared/json/json.ts";

/** The name that plans bear themselves, as `schema_version`. */
export const planSchemaName = "ah32.plan.v1";

const text = (maxLength: number, minLength = 1): JsonObject => ({ type: "string", minLength, maxLength });
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const list = (items: Json, maxItems: number): JsonObject => ({ type: "array", minItems: 1, maxItems, items });

/** The operations, each with its own members; those with `?` may be left out. */
const operations: Readonly<Record<string, JsonObject>> = {
  insert_text: { text: text(200_000) },
  replace_text: { find: text(2_000), replace: text(200_000, 0), "occurrences?": { enum: ["first", "all"] } },
  set_style: { target: text(200), style: ref("style") },
  insert_table: { rows: list(list(text(5_000, 0), 100), 1_000), "header?": { type: "boolean" } },
  upsert_block: {
    block_id: text(64),
    "anchor?": { enum: ["cursor", "end"] },
    actions: { type: "array", minItems: 1, items: ref("wps_action") },
  },
  set_cell_value: {
    cell: text(32),
    value: { type: ["string", "number", "boolean", "null"], maxLength: 32_767 },
  },
  set_cell_formula: { cell: text(32), formula: text(5_000) },
  add_sheet: { name: text(31) },
  add_slide: {
    layout: { enum: ["title", "content", "two_columns", "section", "blank"] },
    "heading?": text(200),
    "bullets?": list(text(500), 30),
  },
  set_notes: { slide: { type: "integer", minimum: 1, maximum: 10_000 }, text: text(20_000) },
};

/** What each program can do: the text processor, the spreadsheet, the presentation. */
const hostOperations: Readonly<Record<string, readonly string[]>> = {
  wps: ["insert_text", "replace_text", "set_style", "insert_table", "upsert_block"],
  et: ["insert_text", "set_style", "set_cell_value", "set_cell_formula", "add_sheet"],
  wpp: ["insert_text", "replace_text", "set_style", "insert_table", "add_slide", "set_notes"],
};

const hosts = Object.keys(hostOperations);

/** A plan: what is to be done to a document, as data that a program carries out. It may hold nothing that is not named here. */
export const planSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `urn:eval-skills:schema:${planSchemaName}`,
  title: "Plan of changes to a document",
  type: "object",
  additionalProperties: false,
  required: ["schema_version", "host_app", "actions"],
  properties: {
    schema_version: { const: planSchemaName },
    host_app: { enum: hosts },
    meta: { type: "object", description: "Notes for people and logs; not used otherwise." },
    actions: { type: "array", minItems: 1, description: "Carried out in this order." },
  },
  allOf: hosts.map((host) => ({
    if: { required: ["host_app"], properties: { host_app: { const: host } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { actions: { items: ref(`${host}_action`) } } },
  })),
  $defs: {
    ...Object.fromEntries(hosts.map((host) => [`${host}_action`, actionSchema(hostOperations[host] ?? [])])),
    base: {
      type: "object",
      required: ["id", "title", "op"],
      properties: {
        id: { type: "string", pattern: "^[a-zA-Z0-9_\\-:.]{1,64}$" },
        title: { ...text(200), description: "For the person who approves it." },
      },
    },
    style: {
      type: "object",
      minProperties: 1,
      unevaluatedProperties: false,
      properties: {
        bold: { type: "boolean" },
        italic: { type: "boolean" },
        underline: { type: "boolean" },
        font: text(100),
        size: { type: "number", minimum: 1, maximum: 1_638 },
        color: { type: "string", pattern: "^#[0-9A-Fa-f]{6}$" },
        align: { enum: ["left", "center", "right", "justify"] },
        heading: { type: "integer", minimum: 0, maximum: 9, description: "0: plain text." },
      },
    },
    ...Object.fromEntries(
      Object.entries(operations).map(([op, members]) => [op, operationSchema(op, members)]),
    ),
  },
};

/** One of several operations. Chosen by its name, so that errors are reported about that one alone. */
function actionSchema(names: readonly string[]): JsonObject {
  return {
    type: "object",
    required: ["op"],
    properties: { op: { enum: [...names] } },
    allOf: names.map((op) => ({
      if: { type: "object", required: ["op"], properties: { op: { const: op } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: ref(op),
    })),
  };
}

function operationSchema(op: string, members: JsonObject): JsonObject {
  const needed = Object.keys(members).filter((name) => !name.endsWith("?"));
  const known = Object.entries(members).map(([name, member]) => [name.replace("?", ""), member]);
  return {
    ...ref("base"),
    unevaluatedProperties: false,
    required: needed,
    properties: { op: { const: op }, ...Object.fromEntries(known) },
  };
}
