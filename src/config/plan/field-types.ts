import type { Json, JsonObject } from "../../shared/json/json.ts";

/** The programs that carry plans out: a text document, a spreadsheet, slides. */
export const planHosts = ["wps", "et", "wpp"] as const;
type PlanHost = (typeof planHosts)[number];

/** An operation: the programs that know it, and its members besides `id`, `title` and `op`. */
export interface Operation {
  hosts: readonly PlanHost[];
  needs?: JsonObject;
  may?: JsonObject;
  /** Members of which at least one must be set: `null` is not, and an empty text is not where `[name, ""]` says so. */
  oneOf?: readonly (string | readonly [name: string, empty: ""])[];
}

/** A text; its length counts code points. */
export const text = (maxLength?: number, minLength = 1): JsonObject => ({
  type: "string",
  ...(minLength > 0 ? { minLength } : {}),
  ...(maxLength === undefined ? {} : { maxLength }),
});
/** A text that may be empty. */
export const anyText = (maxLength?: number): JsonObject => text(maxLength, 0);
export const int = (minimum: number, maximum?: number): JsonObject => ({
  type: "integer",
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
export const num = (minimum: number, maximum: number): JsonObject => ({ type: "number", minimum, maximum });
export const above0: JsonObject = { type: "number", exclusiveMinimum: 0 };
export const flag: JsonObject = { type: "boolean" };
export const oneOf = (...values: string[]): JsonObject => ({ enum: values });
export const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
export const id: JsonObject = { type: "string", pattern: "^[a-zA-Z0-9_\\-:.]{1,64}$" };
export const list = (items: Json, minItems = 0, maxItems?: number): JsonObject => ({
  type: "array",
  items,
  ...(minItems > 0 ? { minItems } : {}),
  ...(maxItems === undefined ? {} : { maxItems }),
});

/** The same type, or `null`: programs write out every member, and unset ones as `null`. */
export function orNull(type: JsonObject): JsonObject {
  if (Array.isArray(type.enum)) return { enum: [...type.enum, null] };
  return { ...type, type: [type.type ?? "string", "null"] };
}

/** The same for each member. */
export function allOrNull(members: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  return Object.fromEntries(Object.entries(members).map(([name, type]) => [name, orNull(type)]));
}

/** The format of characters. */
export const characterFormat = {
  font: anyText(200),
  size: above0,
  bold: flag,
  italic: flag,
  color: anyText(32),
};
/** The format of paragraphs. */
export const paragraphFormat = {
  alignment: oneOf("left", "center", "right", "justify"),
  line_spacing: oneOf("single", "1.5", "double"),
  space_before: num(0, 500),
  space_after: num(0, 500),
};
