import type { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { kindOfValue } from "../../shared/json/kind-of-value.ts";
import type { AgentSkillFields } from "./read-fields.ts";

const longestDescription = 1024;
const longestCompatibility = 500;

/** The description; null where there is none. */
export function readDescription(
  { file, fields, placeOf }: AgentSkillFields,
  diagnostics: Diagnostics,
): string | null {
  const { description = "" } = fields;
  const place = placeOf(["description"]);
  if (typeof description !== "string") {
    diagnostics.add("SKM06", place, `${file}: description is ${kindOfValue(description)}`);
    return null;
  }
  if (description.trim() === "") {
    diagnostics.add("SKM06", place, `${file}: description missing or blank`);
    return null;
  }
  const { length } = [...description];
  if (length > longestDescription)
    diagnostics.add("SKM07", place, `description has ${length} characters, limit ${longestDescription}`);
  return description.trim();
}

/** Judges license and compatibility, which nobody here reads further. */
export function checkNotes({ fields, placeOf }: AgentSkillFields, diagnostics: Diagnostics): void {
  for (const name of ["license", "compatibility"]) {
    const value = fields[name];
    if (Array.isArray(value) || isMap(value))
      diagnostics.add("SKM08", placeOf([name]), `${name} is ${kindOfValue(value)}`, {
        hint: "write one string",
      });
  }
  const { compatibility } = fields;
  if (typeof compatibility !== "string") return;
  const length = compatibility.trim() === "" ? 0 : [...compatibility].length;
  if (length > 0 && length <= longestCompatibility) return;
  diagnostics.add(
    "SKM07",
    placeOf(["compatibility"]),
    `compatibility has ${length} characters, limit ${longestCompatibility}`,
    length === 0 ? { hint: "say what it needs, or remove the field" } : {},
  );
}
