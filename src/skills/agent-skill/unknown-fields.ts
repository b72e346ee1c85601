import type { Diagnostics } from "../../contract/diagnostics.ts";
import { nearestSpelling } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { AgentSkillFields } from "./read-fields.ts";
import { clientFields } from "./read-metadata.ts";

/** The only fields that the specification knows at the top level. */
export const definedFields = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

/** Reports every field at the top level that the specification does not know. */
export function reportUnknownFields({ fields, locate }: AgentSkillFields, diagnostics: Diagnostics): void {
  for (const key of Object.keys(fields)) {
    if (definedFields.includes(key)) continue;
    diagnostics.add("SKM10", locate([key]), `unknown field "${shownText(key, 100)}"`, {
      hint: hintFor(key, fields),
    });
  }
}

/** Fields that are semicolon-separated text under `metadata`, which has no lists. */
export const listedFields: ReadonlySet<string> = new Set(["tags", "triggers", "not_for"]);

function hintFor(key: string, fields: AgentSkillFields["fields"]): string | undefined {
  const clientKey = clientFields.get(key);
  if (clientKey !== undefined) return `move it under metadata, as ${clientKey}`;
  if (listedFields.has(key)) return "move it under metadata, as a string separated by ;";
  const near = meantField(key, fields);
  return near === null ? undefined : `did you mean ${near}?`;
}

/** The field that an unknown one was most likely meant to be, or null. */
export function meantField(key: string, fields: AgentSkillFields["fields"]): string | null {
  return nearestSpelling(
    key,
    definedFields.filter((field) => !Object.hasOwn(fields, field)),
  );
}
