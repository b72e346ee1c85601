import type { Action } from "../../contract/agent-action.ts";
import type { LimitName } from "../../contract/agent-limits.ts";
import type { Budget } from "./budget.ts";
import { checkSelection } from "./check-selection.ts";
import { checkToolCall } from "./check-tool-call.ts";
import {
  type Checked,
  type GuardFacts,
  notSelected,
  refuse,
  selectedSkill,
  type Work,
} from "./guard-facts.ts";

/** Whether an action may be handed on. Paths, policy and approvals are checked on execution. */
export function checkAction(action: Action, facts: GuardFacts): Checked {
  const checked = checkWhatItNames(action, facts);
  if (!checked.ok) return checked;
  const limit = limitOf(checked.work, facts.budget);
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
      const { relative_path, args } = action.payload;
      const skill = selectedSkill(action.payload.skill, facts);
      if (skill === null) return notSelected(action.payload.skill.name);
      const params = { skill: { name: skill.name, source: skill.source }, relative_path, args };
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

function limitOf(work: Work, budget: Budget): LimitName | null {
  switch (work.kind) {
    case "load":
      return budget.refusal("resource");
    case "tool":
      return budget.refusal(work.skill === null ? "tool" : "script");
    default:
      return null;
  }
}

const maxArgs = 64;
const maxArgLength = 4096;

function argsProblem(args: readonly string[]): Checked | null {
  if (args.length > maxArgs)
    return refuse("ArgsTooLong", `args has ${args.length} elements; at most ${maxArgs} are allowed`);
  const place = args.findIndex(({ length }) => length > maxArgLength);
  if (place === -1) return null;
  const { length } = args[place] ?? "";
  return refuse(
    "ArgsTooLong",
    `args[${place}] has ${length} characters; at most ${maxArgLength} are allowed`,
  );
}
