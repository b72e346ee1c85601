import type { AgentSkill } from "../../contract/agent-parts.ts";
import { inOrder } from "../../shared/async/in-order.ts";
import { quotedText } from "./quoted-text.ts";
import { shownName, toolSignature } from "./tool-signature.ts";

/** The tools of the selected skills that a model may call now, as a prompt lists them: one line each, by skill and name. */
export function toolLines(allowed: ReadonlySet<string>, selected: readonly AgentSkill[]): string[] {
  return selected
    .flatMap((skill) => skill.tools.map((tool) => ({ ...tool, skill: skill.name })))
    .filter(({ name }) => allowed.has(name))
    .sort((a, b) => inOrder(a.skill, b.skill) || inOrder(a.name, b.name))
    .map(({ name, description, parameters, skill }) => {
      const about = quotedText(description, maxAboutLength);
      return `${toolSignature(name, parameters)} — ${about} @${shownName(skill)}`;
    });
}

const maxAboutLength = 300;
