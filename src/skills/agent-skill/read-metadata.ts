import type { DiagnosticLocation, Diagnostics } from "../../contract/diagnostics.ts";
import type { SkillControls } from "../../contract/skill.ts";
import { isMap, kindOfValue } from "../../shared/json/json-values.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { AgentSkillFields } from "./read-fields.ts";

/** What a skill says under `metadata`, client fields at the top level included. */
export interface SkillMetadata {
  /** Flat strings by key. */
  texts: Map<string, string>;
  /** Values that are not strings. */
  nested: Record<string, unknown>;
  /** The location of a key. */
  locate: (key: string) => DiagnosticLocation;
}

/** Reads `metadata`, and the client fields written at the top level; those under `metadata` win. */
export function readMetadata({ fields, locate }: AgentSkillFields, diagnostics: Diagnostics): SkillMetadata {
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
    diagnostics.add("SKM08", locate(["metadata"]), `metadata is ${kindOfValue(metadata)}`, {
      hint: "write keys below it, each with a string value",
    });
  for (const [key, value] of Object.entries(isMap(metadata) ? metadata : {})) {
    steps.set(key, ["metadata", key]);
    if (typeof value === "string") texts.set(key, value.trim());
    else {
      nested[key] = value;
      diagnostics.add(
        "SKM08",
        locate(["metadata", key]),
        `metadata.${shownText(key, 100)} is ${kindOfValue(value)}`,
        {
          hint: Array.isArray(value)
            ? "write it as one string, separated by ;"
            : "write each part as its own string",
        },
      );
    }
  }
  return { texts, nested, locate: (key) => locate(steps.get(key) ?? []) };
}

/** A list at the top level, such as `requires`, is read as text; a map is not ours to read. */
function asText(value: unknown): string | null {
  if (typeof value === "string") return value.trim();
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value.join(" ") : null;
}

/** Fields of other clients, read at the top level with a warning, and what they are called under `metadata`. */
export const clientFields: ReadonlyMap<string, string> = new Map([
  ["disable-model-invocation", "eval-skills.disable-model-invocation"],
  ["user-invocable", "eval-skills.user-invocable"],
  ["requires", "eval-skills.requires"],
  ["version", "version"],
  ["author", "author"],
]);

/** Keys under `metadata` whose meaning is in the model of a skill. */
export const modelledKeys: ReadonlySet<string> = new Set([
  "version",
  "tags",
  "triggers",
  "not_for",
  "eval-skills.disable-model-invocation",
  "eval-skills.user-invocable",
  "eval-skills.requires",
]);

/** Who may use a skill, and what it needs. */
export function readControls(
  metadata: SkillMetadata,
  diagnostics: Diagnostics,
): Pick<SkillControls, "modelInvocable" | "userInvocable" | "requires"> {
  readSwitch("eval-skills.allow-network", true, metadata, diagnostics);
  checkTime("eval-skills.max-script-time-sec", metadata, diagnostics);
  return {
    modelInvocable: !readSwitch("eval-skills.disable-model-invocation", false, metadata, diagnostics),
    userInvocable: readSwitch("eval-skills.user-invocable", true, metadata, diagnostics),
    requires: (metadata.texts.get("eval-skills.requires") ?? "").split(/\s+/).filter((id) => id !== ""),
  };
}

function readSwitch(
  key: string,
  defaultValue: boolean,
  metadata: SkillMetadata,
  diagnostics: Diagnostics,
): boolean {
  const word = metadata.texts.get(key)?.toLowerCase();
  if (word === undefined || word === "true" || word === "false")
    return word === undefined ? defaultValue : word === "true";
  reportUnread(key, 'write "true" or "false"', metadata, diagnostics);
  return defaultValue;
}

function checkTime(key: string, metadata: SkillMetadata, diagnostics: Diagnostics): void {
  const seconds = metadata.texts.get(key);
  if (seconds !== undefined && !/^(?=.*[1-9])\d{1,9}(?:\.\d{1,9})?$/.test(seconds))
    reportUnread(key, 'write a number of seconds, such as "30"', metadata, diagnostics);
}

/** A switch with an unknown value has no effect, and its author should know. */
function reportUnread(key: string, hint: string, metadata: SkillMetadata, diagnostics: Diagnostics): void {
  const word = shownText(metadata.texts.get(key) ?? "", 40);
  diagnostics.add("SKM08", metadata.locate(key), `metadata.${key} is "${word}"`, {
    severity: "warning",
    hint,
  });
}
