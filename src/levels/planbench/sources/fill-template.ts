import { templateNames } from "../../../contract/planbench-file.ts";
import type { Json } from "../../../shared/json/json.ts";

/** What a template can name; a session is unique for every sample. */
export type TemplateValues = Record<(typeof templateNames)[number], string>;

const named = new RegExp(`\\$\\{(${templateNames.join("|")})\\}`, "g");

/** A template with its values put in as data: once, so that what looks like a name inside a value stays a text. */
export function fillTemplate(template: Json, values: TemplateValues): Json {
  if (typeof template === "string")
    return template.replace(named, (_, name: keyof TemplateValues) => values[name]);
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values));
  if (typeof template !== "object" || template === null) return template;
  // `fromEntries` takes `__proto__` for a name like any other.
  return Object.fromEntries(
    Object.entries(template).map(([name, member]) => [name, fillTemplate(member, values)]),
  );
}
