import type { Action, ActionOf } from "../../contract/agent-action.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { LimitName } from "../../contract/limits.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import type { Budget } from "./budget.ts";
import { checkToolCall } from "./check-tool-call.ts";
import {
  type Checked,
  type GuardFacts,
  isOffered,
  notSelected,
  refuse,
  selectedSkill,
  type Work,
} from "./guard-facts.ts";
import { quotedText } from "./quoted-text.ts";

/** Whether an action may be handed on. Paths, policy and approvals are checked on execution. */
export function checkAction(action: Action, facts: GuardFacts): Checked {
  const checked = checkWhatItNames(action, facts);
  if (!checked.ok) return checked;
  const limit = reachedLimit(checked.work, facts.budget);
  if (limit !== null)
    return { ...refuse("BudgetExceeded", `${limit} is used up (${facts.budget.limits[limit]})`), limit };
  return action.type === "run_script" ? (argsProblem(action.payload.args) ?? checked) : checked;
}

function checkWhatItNames(action: Action, facts: GuardFacts): Checked {
  switch (action.type) {
    case "select_skills":
      return checkSelection(action.payload, facts);
    case "load_resource": {
      const { relative_path: relativePath, section_hint: sectionHint } = action.payload;
      const skill = selectedSkill(action.payload.skill, facts);
      if (skill === null) return notSelected(action.payload.skill.name);
      return { ok: true, work: { kind: "load", skill, relativePath, sectionHint }, warnings: [] };
    }
    case "run_script": {
      const { relative_path, args, as_module } = action.payload;
      const skill = selectedSkill(action.payload.skill, facts);
      if (skill === null) return notSelected(action.payload.skill.name);
      const params = {
        skill: { name: skill.name, source: skill.source },
        relative_path,
        args,
        ...(as_module === true && { as_module }),
      };
      return { ok: true, work: { kind: "tool", tool: "run_script", skill, params }, warnings: [] };
    }
    case "call_tool":
      return checkToolCall(action.payload, facts);
    case "final_answer":
      return { ok: true, work: { kind: "answer", content: action.payload.content }, warnings: [] };
    default:
      return action satisfies never;
  }
}

function reachedLimit(work: Work, budget: Budget): LimitName | null {
  switch (work.kind) {
    case "load":
      return budget.refusal("resource");
    case "tool":
      return budget.refusal(work.skill === null && work.tool !== "run_command" ? "tool" : "script");
    default:
      return null;
  }
}

const maxArgs = 64;
const maxArgLength = 4096;

function argsProblem(args: readonly string[]): Checked | null {
  if (args.length > maxArgs)
    return refuse("ArgsTooLong", `args has ${args.length} elements; at most ${maxArgs} are allowed`);
  const index = args.findIndex(({ length }) => length > maxArgLength);
  if (index === -1) return null;
  const { length } = args[index] ?? "";
  return refuse(
    "ArgsTooLong",
    `args[${index}] has ${length} characters; at most ${maxArgLength} are allowed`,
  );
}

/** Finds the skills that a model selects. One that may not be selected refuses them all. */
function checkSelection(
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
      `${refs.length} skills were selected; at most ${pluralize(most, "skill")} at once`,
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
