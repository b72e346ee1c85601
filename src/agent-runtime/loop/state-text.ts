import type { Plan } from "../../contract/agent-action.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import { listed } from "../../shared/text/phrases.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import type { Budget } from "./budget.ts";
import { quotedText } from "./quoted-text.ts";
import { shownName, toolSignature } from "./tool-signature.ts";

interface StateFacts {
  budget: Budget;
  plan: Plan | null;
  selected: readonly AgentSkill[];
  invoked: readonly string[];
  inputFiles: readonly string[];
  /** As the tools runtime allows them now. */
  allowedTools: readonly string[];
}

/** The state of a run, as its model sees it. */
export function stateText(facts: StateFacts): string {
  const { budget, selected, invoked, inputFiles, allowedTools } = facts;
  const skills = selected.map(({ name, source }) => `${quotedText(name, maxNameLength)} (${source})`);
  const lines = [
    `RUN STATE at turn ${budget.used.turns} of ${budget.limits.max_turns}`,
    `Left after this turn: ${leftWords(budget)}`,
    `Loaded skills: ${skills.join(", ") || "none"}`,
  ];
  if (invoked.length > 0) lines.push(`Skills the user asks you to select: ${names(invoked)}`);
  if (inputFiles.length > 0) lines.push(`Input files in the workspace: ${names(inputFiles)}`);
  lines.push(...toolWords(allowedTools, selected), ...planWords(facts.plan));
  return lines.join("\n");
}

const maxNameLength = 300;
const maxWordsLength = 1000;
const maxNames = 200;

function names(texts: readonly string[]): string {
  return listed(
    texts.map((text) => quotedText(text, maxNameLength)),
    maxNames,
  );
}

/** Only what the actions of the run decide: time and retries differ when a recorded run is played again, and its prompts must not. */
function leftWords({ limits, used }: Budget): string {
  const left = [
    `turns ${limits.max_turns - used.turns}`,
    `tool calls ${limits.max_tool_calls - used.tool_calls}`,
    `script runs ${limits.max_script_runs - used.script_runs}`,
  ];
  if (limits.max_resource_loads !== null)
    left.push(`resource loads ${limits.max_resource_loads - used.resource_loads}`);
  return left.join(", ");
}

/** The parameters of the built-in tools are in the rules. */
function toolWords(allowedTools: readonly string[], selected: readonly AgentSkill[]): string[] {
  const allowed = new Set(allowedTools);
  const own = builtInTools.filter((name) => name !== "run_script" && allowed.has(name));
  const ofSkills = toolLines(allowed, selected).map((line) => `- ${line}`);
  return [
    `You may run scripts: ${allowed.has("run_script") ? "yes" : "no"}`,
    `Tools you may call: ${own.join(", ") || "none"}`,
    ...(ofSkills.length === 0 ? [] : ["Tools of loaded skills that you may call:", ...ofSkills]),
  ];
}

function planWords(plan: Plan | null): string[] {
  if (plan === null) return ["Plan: none yet"];
  const steps = plan.steps.map(({ id, title, status, reason, dependencies = [] }) => {
    const after = dependencies.length === 0 ? "" : `, after ${dependencies.join(", ")}`;
    const why = reason === undefined ? "" : `, because ${quotedText(reason, maxWordsLength)}`;
    return `- ${id}: ${quotedText(title, maxWordsLength)} is ${status}${after}${why}`;
  });
  const more = (
    [
      ["Assumptions", plan.assumptions],
      ["Constraints", plan.constraints],
    ] as const
  ).flatMap(([heading, texts = []]) => (texts.length === 0 ? [] : [`${heading}: ${names(texts)}`]));
  return [`Plan, version ${plan.version}: ${quotedText(plan.goal, maxWordsLength)}`, ...steps, ...more];
}

/** The tools of the selected skills that a model may call now, as a prompt lists them: one line each, by skill and name. */
function toolLines(allowed: ReadonlySet<string>, selected: readonly AgentSkill[]): string[] {
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
