import * as z from "zod";
import { Decision } from "../../contract/agent-action.ts";
import { toolArguments } from "../../contract/agent-tools.ts";
import type { Json, JsonObject, JsonSchema } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { closedSchema } from "./closed-schema.ts";

/** A tool that a selected skill declares, and what it takes. */
export interface DeclaredTool {
  name: string;
  parameters: JsonSchema | null;
}

/** What a reply must look like, exactly. */
export const replySchema: JsonObject = toJsonSchema(Decision);

/** What each built-in tool takes. */
export const argumentSchemas: ReadonlyMap<string, JsonObject> = new Map(
  Object.entries(toolArguments).map(([name, schema]) => [name, toJsonSchema(schema)]),
);

/** The same for a prompt, in one line. */
export const schemaHint: string = JSON.stringify(replySchema);

/**
 * The nearest that providers can enforce. The strictest of them know closed objects only, whose members are all there:
 * so a member that may be left out may be null, lengths and patterns are left to our own check, and each tool has a form
 * of its own. Without the list of declared tools any tool may be called with anything, which some providers refuse.
 */
export function decisionSchema(
  skillNames: readonly string[],
  tools: readonly DeclaredTool[] | null = null,
): JsonSchema {
  const forms = actionForms.flatMap((form): Json[] => {
    if (actionType(form) === "call_tool") return callForms(tools);
    return [withSkillNames(form, skillNames)];
  });
  return {
    ...enforced,
    properties: { ...(enforced.properties as JsonObject), action: { anyOf: forms } },
  };
}

function toJsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...body } = z.toJSONSchema(schema, {
    target: "draft-07",
    io: "input", // what has a default may be left out
    unrepresentable: "any",
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames; // in JSON every name is text
      if (jsonSchema.type === "integer") {
        delete jsonSchema.minimum; // the bounds of safe integers, which no schema of ours sets
        delete jsonSchema.maximum;
      }
    },
  }) as JsonObject;
  return body;
}

/** A provider that cannot take a free object cannot take a call to any tool: those are added one by one. */
const { actionForms, enforced } = (() => {
  const { action, ...others } = replySchema.properties as JsonObject;
  const forms = (action as { oneOf: Json[] }).oneOf;
  return {
    actionForms: forms.map((form) =>
      actionType(form) === "call_tool" ? form : closedSchema(form as JsonObject),
    ),
    enforced: closedSchema({
      ...replySchema,
      properties: { action: { type: "null" }, ...others },
    }) as JsonObject,
  };
})();

function callForms(tools: readonly DeclaredTool[] | null): Json[] {
  const forms = [...argumentSchemas].map(([name, schema]) => callForm({ const: name }, schema));
  if (tools === null) return [...forms, callForm({}, null)];
  const declared = tools.filter(({ name }) => !argumentSchemas.has(name));
  return [...forms, ...declared.map(({ name, parameters }) => callForm({ const: name }, parameters))];
}

/** Without `type` where anything goes: a library makes a free object one that must be empty. */
function callForm(tool: JsonObject, parameters: JsonSchema | null): JsonObject {
  const payload = closedObject({
    tool: { type: "string", ...tool },
    arguments: (parameters === null ? null : closedSchema(parameters)) ?? {},
  });
  return closedObject({ type: { type: "string", const: "call_tool" }, payload });
}

function closedObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** Some providers refuse longer enums; every name is in three actions. */
const maxNames = 250;

/** The form with the possible skill names instead of any text. */
function withSkillNames(form: Json, names: readonly string[]): Json {
  if (names.length === 0 || names.length > maxNames) return form;
  if (Array.isArray(form)) return form.map((item) => withSkillNames(item, names));
  if (!isMap(form)) return form;
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(form as JsonObject))
    copy[key] =
      key === "name" && isMap(value)
        ? { ...(value as JsonObject), enum: [...names] }
        : withSkillNames(value, names);
  return copy;
}

function actionType(form: Json | JsonSchema | null): unknown {
  const { properties } = form as { properties: { type: { const: unknown } } };
  return properties.type.const;
}
