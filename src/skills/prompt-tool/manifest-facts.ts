import type { PromptToolManifest } from "../../contract/prompt-tool-manifest.ts";
import type { Instructions, SkillTool } from "../../contract/skill.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { defaultControls, type SkillFacts } from "../folder/skill-facts.ts";
import { isFreeKey } from "./check-manifest.ts";

/** What a manifest says, in the words of the model that all kinds of skill share. */
export function manifestFacts(
  { meta, routing, delivery, capabilities, output, tools }: PromptToolManifest,
  value: Readonly<Record<string, unknown>>,
  file: string,
  instructions: Instructions | null,
): SkillFacts {
  return {
    id: meta.id,
    aliases: [],
    name: meta.name,
    version: meta.version,
    description: meta.description,
    tags: routing.tags,
    intents: routing.intents,
    triggers: routing.triggers,
    notFor: textsIn(value[notForKey]),
    examples: routing.examples.map(exampleText),
    manifest: file,
    instructions,
    tools: tools.map(toolOf),
    adapter: null,
    controls: {
      ...defaultControls,
      enabled: meta.enabled,
      priority: meta.priority,
      group: meta.group ?? null,
      // `*` is every host, which the model says by naming none.
      hosts: routing.hosts.includes("*") ? [] : routing.hosts,
    },
    output: output ?? null,
    extra: {
      ...given({ delivery, capabilities }),
      ...Object.fromEntries(Object.entries(value).filter(([key]) => isFreeKey(key) && key !== notForKey)),
    } as JsonObject,
  };
}

const notForKey = "x-not_for";

function toolOf(tool: PromptToolManifest["tools"][number]): SkillTool {
  const { name, description, parameters } = typeof tool === "string" ? { ...nameless, name: tool } : tool;
  return {
    name,
    description,
    parameters: (parameters ?? null) as SkillTool["parameters"],
    script: `scripts/${name}.py`,
  };
}

const nameless = { description: "", parameters: undefined };

function exampleText(example: PromptToolManifest["routing"]["examples"][number]): string {
  if (typeof example === "string") return example;
  return String("user" in example ? example.user : example.input);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function given(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
