import type { JsonObject } from "../../shared/json/json.ts";
import { sharedOperations, textOperations, textParts } from "./document-operations.ts";
import { id, type Operation, planHosts, ref, text } from "./field-types.ts";
import { sheetOperations, sheetParts } from "./sheet-operations.ts";
import { slideOperations } from "./slide-operations.ts";

/** The name that plans bear themselves, as `schema_version`. */
export const planSchemaName = "ah32.plan.v1";

/** All operations, by name. */
export const planOperations: Readonly<Record<string, Operation>> = {
  ...sharedOperations,
  ...textOperations,
  ...sheetOperations,
  ...slideOperations,
};

const hostOperations = planHosts.map((host) => ({
  host,
  names: Object.entries(planOperations)
    .filter(([, { hosts }]) => hosts.includes(host))
    .map(([name]) => name),
}));

/** A plan: what is to be done to a document, as data that a program carries out. It may hold nothing that is not named here. */
export const planSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `urn:eval-skills:schema:${planSchemaName}`,
  title: "Plan of changes to a document",
  description:
    "Stricter than the service on purpose: schema_version and host_app are required, and an id has no blanks around it. 1.0 is an integer here, as everywhere in JSON. That a table has no more data than rows and columns is checked besides this schema.",
  type: "object",
  additionalProperties: false,
  required: ["schema_version", "host_app", "actions"],
  properties: {
    schema_version: { const: planSchemaName },
    host_app: { enum: [...planHosts], description: "wps: text document, et: spreadsheet, wpp: slides." },
    meta: { type: "object", description: "Notes for people and logs; not used otherwise." },
    actions: { type: "array", minItems: 1, description: "Carried out in this order." },
  },
  allOf: planHosts.map((host) => ({
    if: { required: ["host_app"], properties: { host_app: { const: host } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { actions: { items: ref(`${host}_action`) } } },
  })),
  $defs: {
    ...Object.fromEntries(
      hostOperations.map(({ host, names }) => [`${host}_action`, actionSchema(host, names)]),
    ),
    ...Object.fromEntries(Object.entries(planOperations).map(([op, one]) => [op, operationSchema(op, one)])),
    ...Object.fromEntries(
      Object.entries({ ...textParts, ...sheetParts }).map(([name, part]) => [name, closedObject(part)]),
    ),
  },
};

/** One of several operations. Chosen by its name, so that errors are reported about that one alone. */
function actionSchema(host: string, names: readonly string[]): JsonObject {
  return {
    type: "object",
    required: ["op"],
    properties: { op: { enum: [...names] } },
    allOf: names.map((op) => ({
      if: { type: "object", required: ["op"], properties: { op: { const: op } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: op === "upsert_block" ? { allOf: [ref(op), blockItems(host)] } : ref(op),
    })),
  };
}

/** What is in a block is for the same program. */
function blockItems(host: string): JsonObject {
  return { properties: { actions: { items: ref(`${host}_action`) } } };
}

/** Four operations have a `title` of their own; everywhere else it is for the person who approves the action. */
function operationSchema(op: string, { needs = {}, may = {}, ...rest }: Operation): JsonObject {
  const common = { id, ...("title" in may ? {} : { title: text(200) }) };
  return closedObject({ needs: { op: { const: op }, ...common, ...needs }, may, ...rest });
}

function closedObject({ needs = {}, may = {}, oneOf = [] }: Omit<Operation, "hosts">): JsonObject {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(needs),
    properties: { ...needs, ...may },
    ...(oneOf.length === 0 ? {} : { not: nothingSet(oneOf) }),
  };
}

/** Holds where none of these members is set. Unset ones may be left out or written as `null`. */
function nothingSet(members: NonNullable<Operation["oneOf"]>): JsonObject {
  const unset = members.map((member) =>
    typeof member === "string" ? [member, { const: null }] : [member[0], { enum: [null, ""] }],
  );
  const names = unset.map(([name]) => String(name));
  return {
    description: `needs at least one of ${names.join(", ")}`,
    properties: Object.fromEntries(unset),
  };
}
