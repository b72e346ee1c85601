import type { Json, JsonObject, JsonSchema } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";

/**
 * A JSON Schema in the words that all providers know: closed objects with all their members, `anyOf`, `enum`, `const`.
 * Optional members may be null; optional members that cannot be expressed are left out; null where nothing can be expressed.
 */
export function closedSchema(schema: JsonSchema): JsonObject | null {
  if (!isMap(schema) || otherWords.some((word) => word in schema)) return null;
  const { type, description, anyOf, oneOf } = schema as JsonObject;
  const about: JsonObject = typeof description === "string" ? { description } : {};
  const forms = anyOf ?? oneOf;
  if (forms !== undefined) {
    const closed = closedForms(forms);
    return closed === null ? null : { ...about, anyOf: closed };
  }
  if (Array.isArray(schema.enum)) return { ...about, ...typed(type), enum: schema.enum };
  if (schema.const !== undefined) return { ...about, ...typed(type), const: schema.const as Json };
  if (type === "object") return closedObject(schema as JsonObject, about);
  if (type === "array") {
    const items = closedSchema((schema.items ?? true) as JsonSchema);
    return items === null ? null : { ...about, type, items };
  }
  return isPlainType(type) ? { ...about, type: type as Json } : null;
}

const otherWords = ["$ref", "allOf", "not", "if", "patternProperties", "dependentSchemas", "dependencies"];

function closedForms(forms: unknown): JsonObject[] | null {
  if (!Array.isArray(forms)) return null;
  const closed = forms.map((form) => closedSchema(form));
  return closed.includes(null) ? null : (closed as JsonObject[]).flatMap(unfolded);
}

/** A choice among choices is one choice. */
function unfolded(form: JsonObject): JsonObject[] {
  return Array.isArray(form.anyOf) ? (form.anyOf as JsonObject[]) : [form];
}

function closedObject(schema: JsonObject, about: JsonObject): JsonObject | null {
  if (!isMap(schema.properties) || Object.keys(schema.properties).length === 0) return null;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties: JsonObject = {};
  for (const [name, member] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
    const closed = closedSchema(member);
    // A member with a default can be written instead of left out.
    const isNeeded = required.has(name) || (isMap(member) && "default" in member);
    if (closed !== null)
      properties[name] = isNeeded ? closed : { anyOf: [...unfolded(closed), { type: "null" }] };
    else if (required.has(name)) return null;
  }
  return {
    ...about,
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function typed(type: Json | undefined): JsonObject {
  return type === undefined ? {} : { type };
}

const plainTypes = ["string", "number", "integer", "boolean", "null"];

function isPlainType(type: unknown): boolean {
  return Array.isArray(type)
    ? type.every((one) => plainTypes.includes(one))
    : plainTypes.includes(type as string);
}
