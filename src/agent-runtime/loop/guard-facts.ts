import type { SkillRef } from "../../contract/agent-action.ts";
import type { AgentError, AgentErrorCode } from "../../contract/agent-error.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import type { AgentGuardrails, LimitName } from "../../contract/limits.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { Budget } from "./budget.ts";
import { quotedText } from "./quoted-text.ts";

/** What guards look at besides the action. */
export interface GuardFacts {
  catalog: AgentCatalog;
  selected: readonly AgentSkill[];
  invoked: ReadonlySet<string>;
  guardrails: Pick<AgentGuardrails, "max_skills_per_select">;
  budget: Budget;
}

/** An action with everything it names found. */
export type Work =
  | { kind: "select"; skills: readonly AgentSkill[] }
  | { kind: "load"; skill: AgentSkill; relativePath: string; sectionHint?: string | undefined }
  | { kind: "tool"; tool: string; skill: AgentSkill | null; params: JsonObject }
  | { kind: "answer"; content: string };

export type Checked =
  | { ok: true; work: Work; warnings: readonly string[] }
  /** With the limit where one is used up. */
  | { ok: false; error: AgentError; limit?: LimitName };

export function refuse(code: AgentErrorCode, message: string): Checked & { ok: false } {
  return { ok: false, error: { code, message } };
}

/** Several of one name may be selected, each from its own source: then the one that hides the others is meant. */
export function selectedSkill({ name, source }: SkillRef, facts: GuardFacts): AgentSkill | null {
  const meant = facts.catalog.find(name, source);
  if (meant !== null && facts.selected.includes(meant)) return meant;
  const id = meant?.name ?? name;
  return (
    facts.selected.find((skill) => skill.name === id && (source === undefined || skill.source === source)) ??
    null
  );
}

export function notSelected(name: string): Checked {
  return refuse("SkillNotSelected", `the skill ${quotedText(name, 80)} is not selected; select it first`);
}

/** Whether a model may choose a skill: its author lets it, or the user named it. */
export function isOffered(skill: AgentSkill, invoked: ReadonlySet<string>): boolean {
  return skill.modelInvocable || invoked.has(skill.name);
}
