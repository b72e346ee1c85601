import type { ActionOf } from "../../contract/agent-action.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { type Checked, type GuardFacts, refuse } from "./guard-facts.ts";
import { isOffered } from "./offered-skills.ts";
import { quotedText } from "./quoted-text.ts";

/** Finds the skills that a model selects. One that may not be selected refuses them all. */
export function checkSelection(
  { skills: refs, reason }: ActionOf<"select_skills">["payload"],
  facts: GuardFacts,
): Checked {
  const { catalog, invoked, guardrails } = facts;
  const skills: AgentSkill[] = [];
  for (const { name, source } of refs) {
    const skill = catalog.find(name, source);
    if (skill === null) return refuse("SkillNotFound", notFoundWords(name, source, facts));
    if (!isOffered(skill, invoked))
      return refuse("SkillNotInvocable", `the skill ${quotedText(name, 80)} is only for users to choose`);
    if (!skills.includes(skill)) skills.push(skill);
  }
  const most = guardrails.max_skills_per_select;
  if (refs.length > most)
    return refuse(
      "TooManySkills",
      `${refs.length} skills were selected; at most ${countOf(most, "skill")} at once`,
    );
  const warnings = reason === undefined ? ["select_skills has no reason"] : [];
  return { ok: true, work: { kind: "select", skills }, warnings };
}

function notFoundWords(name: string, source: string | undefined, { catalog, invoked }: GuardFacts): string {
  const shown = quotedText(name, 80);
  if (source !== undefined && catalog.find(name) !== null)
    return `the source ${source} has no skill ${shown}`;
  const known = catalog.skills.filter((skill) => isOffered(skill, invoked)).map((skill) => skill.name);
  const near = nearest(name, known);
  return `there is no skill ${shown}${near === null ? "" : `; did you mean ${quotedText(near, 80)}?`}`;
}
