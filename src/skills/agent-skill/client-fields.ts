import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { SkillControls } from "../../contract/skill.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { SkillMetadata } from "./read-metadata.ts";

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

function readSwitch(key: string, usual: boolean, metadata: SkillMetadata, diagnostics: Diagnostics): boolean {
  const word = metadata.texts.get(key)?.toLowerCase();
  if (word === undefined || word === "true" || word === "false")
    return word === undefined ? usual : word === "true";
  reportUnread(key, 'write "true" or "false"', metadata, diagnostics);
  return usual;
}

function checkTime(key: string, metadata: SkillMetadata, diagnostics: Diagnostics): void {
  const seconds = metadata.texts.get(key);
  if (seconds !== undefined && !/^(?=.*[1-9])\d{1,9}(?:\.\d{1,9})?$/.test(seconds))
    reportUnread(key, 'write a number of seconds, such as "30"', metadata, diagnostics);
}

/** A switch that nobody understands does nothing, and its author should know. */
function reportUnread(key: string, hint: string, metadata: SkillMetadata, diagnostics: Diagnostics): void {
  const word = shownText(metadata.texts.get(key) ?? "", 40);
  diagnostics.add("SKM08", metadata.placeOf(key), `metadata.${key} is "${word}"`, {
    severity: "warning",
    hint,
  });
}
