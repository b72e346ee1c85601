import { definedFields, meantField } from "../../skills/agent-skill/unknown-fields.ts";
import type { WrittenField } from "./written-fields.ts";

/** Whether a field that is missing stands there in other letters, which its author has to fix: a placeholder would bury it. */
export function isMisspelt(field: string, fields: readonly WrittenField[]): boolean {
  const values = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
  return fields.some(({ key }) => !definedFields.includes(key) && meantField(key, values) === field);
}
