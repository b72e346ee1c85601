import type { AgentSkill } from "../../contract/agent-parts.ts";
import { quotedText } from "./quoted-text.ts";

/** How much of a description a model is shown, and how much where there is no room. */
export const maxDescriptionLength = 1024;
export const shortDescription = 200;

/** The skills a model may choose among: one line each, nothing of their bodies. */
export function indexLines(skills: readonly AgentSkill[], longest: number): string {
  const lines = skills.map(({ name, description, source }) => {
    return `- ${quotedText(name, maxDescriptionLength)}: ${quotedText(description, longest)} (${source})`;
  });
  return ["SKILLS you can select (name: description, source):", ...lines].join("\n");
}
