import { isMap } from "../../shared/json/is-map.ts";
import type { Json, JsonObject, JsonSchema } from "../../shared/json/json.ts";

/** The value without the nulls that stand for nothing: providers that enforce a schema have every member written. */
export function withoutNulls(value: Json, schema: JsonSchema): Json {
  if (!isMap(schema)) return value;
  const forms = formsOf(schema);
  if (forms !== null) {
    const meant = forms.find((form) => isMeant(value, form));
    return meant === undefined ? value : withoutNulls(value, meant);
  }
  if (Array.isArray(value))
    return isMap(schema.items) ? value.map((item) => withoutNulls(item, schema.items as JsonSchema)) : value;
  if (!isMap(value) || !isMap(schema.properties)) return value;
  const kept: [string, Json][] = [];
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const known = Object.hasOwn(schema.properties, name) ? (schema.properties[name] as JsonSchema) : true;
    if (member === null && !isRequired(schema, name) && !takesNull(known)) continue;
    kept.push([name, withoutNulls(member, known)]);
  }
  return Object.fromEntries(kept);
}

/** What a schema offers to choose from, choices among choices included; null where it is one thing. */
function formsOf(schema: Record<string, unknown>): JsonSchema[] | null {
  const forms = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(forms)) return null;
  return forms.flatMap((form) => (isMap(form) ? (formsOf(form) ?? form) : form));
}

/** Whether a value names itself as this form of several. */
function isMeant(value: Json, form: unknown): boolean {
  if (!isMap(value) || !isMap(form) || !isMap(form.properties)) return false;
  return Object.entries(form.properties).every(
    ([name, member]) => !isMap(member) || member.const === undefined || value[name] === member.const,
  );
}

function isRequired(schema: Record<string, unknown>, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

/** In doubt yes: what is not plainly of another type may be null. */
function takesNull(schema: JsonSchema): boolean {
  if (!isMap(schema)) return true;
  const forms = formsOf(schema);
  if (forms !== null) return forms.some(takesNull);
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  const { type } = schema;
  return type === undefined
    ? schema.const === undefined
    : type === "null" || (Array.isArray(type) && type.includes("null"));
}
