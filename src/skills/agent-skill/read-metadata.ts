import type { DiagnosticPlace, Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { kindOfValue } from "../../shared/json/kind-of-value.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { clientFields } from "./client-fields.ts";
import type { AgentSkillFields } from "./read-fields.ts";

/** What a skill says under `metadata`, client fields at the top level included. */
export interface SkillMetadata {
  /** Flat strings by key. */
  texts: Map<string, string>;
  /** What is no string. */
  nested: Record<string, unknown>;
  /** Where a key stands. */
  placeOf: (key: string) => DiagnosticPlace;
}

/** Reads `metadata`, and the client fields that somebody wrote beside it; what stands under `metadata` wins. */
export function readMetadata({ fields, placeOf }: AgentSkillFields, diagnostics: Diagnostics): SkillMetadata {
  const texts = new Map<string, string>();
  const nested: Record<string, unknown> = {};
  const steps = new Map<string, string[]>();
  for (const [field, key] of clientFields) {
    const text = asText(fields[field]);
    if (text === null) continue;
    texts.set(key, text);
    steps.set(key, [field]);
  }
  const { metadata = "" } = fields;
  if (!isMap(metadata) && metadata !== "")
    diagnostics.add("SKM08", placeOf(["metadata"]), `metadata is ${kindOfValue(metadata)}`, {
      hint: "write keys below it, each with a string value",
    });
  for (const [key, value] of Object.entries(isMap(metadata) ? metadata : {})) {
    steps.set(key, ["metadata", key]);
    if (typeof value === "string") texts.set(key, value.trim());
    else {
      nested[key] = value;
      diagnostics.add(
        "SKM08",
        placeOf(["metadata", key]),
        `metadata.${shownText(key, 100)} is ${kindOfValue(value)}`,
        {
          hint: Array.isArray(value)
            ? "write it as one string, separated by ;"
            : "write each part as its own string",
        },
      );
    }
  }
  return { texts, nested, placeOf: (key) => placeOf(steps.get(key) ?? []) };
}

/** A list at the top level, such as of what a skill requires, is words; a map is none of ours. */
function asText(value: unknown): string | null {
  if (typeof value === "string") return value.trim();
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(" ") : null;
}
