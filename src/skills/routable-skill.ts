import { basename } from "node:path";
import type { RoutableSkill } from "../contract/routing.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";

/** The parts of a skill that may decide whether a request is meant for it. */
export function routableSkill(skill: DescribedSkill): RoutableSkill {
  const { id, kind, name, description, tags, intents, triggers, notFor, examples, controls, output } = skill;
  return {
    id,
    aliases: otherNames(skill),
    name,
    kind,
    group: controls.group,
    description,
    tags,
    intents,
    triggers,
    notFor,
    examples,
    outputSchema: outputText(output?.output_schema),
    styleHints: styleHints(output?.styleSpecHints),
    hosts: controls.hosts,
    priority: controls.priority,
    // What a model may not invoke is never offered to one.
    isEnabled: controls.enabled && controls.modelInvocable,
    // Other kinds are called, or are read as written.
    hasPrompt: kind !== "prompt-tool" || skill.instructions !== null,
    toolNames: skill.tools.map((tool) => tool.name),
  };
}

/** The folder's name is the one it is installed under. */
function otherNames({ id, aliases, dir }: DescribedSkill): string[] {
  return [...new Set([...aliases, basename(dir)])].filter((name) => name !== id && name !== "");
}

function outputText(written: NonNullable<DescribedSkill["output"]>["output_schema"]): string | null {
  return typeof written === "object" ? written.join("\n") : (written ?? null);
}

function styleHints(hints: NonNullable<DescribedSkill["output"]>["styleSpecHints"]): string | null {
  if (hints === undefined || typeof hints === "string") return hints ?? null;
  return canonicalJson(hints);
}
