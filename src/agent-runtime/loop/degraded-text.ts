import type { Plan, PlanStep } from "../../contract/agent-action.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Stop } from "./stop.ts";

/** The fallback answer: what is done, why it stopped, and what could be next. Written by code, not by a model. */
export function degradedText(run: AgentRun, stop: Stop): string {
  return [
    "# Stopped without an answer",
    "",
    whyWords(run, stop),
    "",
    "## Done so far",
    "",
    ...doneLines(run),
    "",
    "## Next step",
    "",
    ...nextLines(run, stop),
    "",
  ].join("\n");
}

const maxLineLength = 200;

function whyWords({ budget, guardrails }: AgentRun, { reason, budget: limit, error }: Stop): string {
  const details = error === undefined ? "" : ` (\`${error.code}\`: ${code(error.message)})`;
  switch (reason) {
    case "budget_exhausted":
      return `Why: a limit of the run is used up: \`${limit}\` = ${limit === undefined ? "?" : budget.limits[limit]}.`;
    case "consecutive_failures":
      return `Why: the same action failed ${pluralize(guardrails.max_consecutive_failures, "time")} in a row.`;
    case "no_progress":
      return `Why: ${pluralize(guardrails.no_progress_window, "turn")} in a row brought nothing new.`;
    case "invalid_model_output":
      return `Why: the model did not reply with a valid action, also after a correction${details}.`;
    case "mock_exhausted":
      return "Why: the script of the model is used up, and none of its actions was an answer.";
    case "model_unavailable":
      return `Why: the model could not be reached${details}.`;
    case "cancelled":
      return "Why: the run was cancelled.";
    case "internal_error":
      return `Why: the run failed for a reason unrelated to the agent or its skills${details}.`;
    case "final_answer":
      return "Why: the agent answered.";
    default:
      return reason satisfies never;
  }
}

function doneLines({ plan: { plan }, selected, observations, budget }: AgentRun): string[] {
  const skills = selected.map(({ name }) => code(name)).join(", ");
  return [
    `- ${pluralize(budget.used.turns, "turn")}, ${pluralize(budget.used.tool_calls, "tool call")}`,
    `- Skills loaded: ${skills || "none"}`,
    ...planLines(plan),
    ...(observations.length === 0 ? ["- Nothing was observed."] : ["- Observations:"]),
    ...observations.map(({ callId, doing, success, summary, storage_ref }) => {
      const storage = storage_ref === undefined ? "" : ` (all of it: ${code(storage_ref)})`;
      return `  - ${callId} ${code(doing)} ${success ? "ok" : "failed"}: ${code(summary)}${storage}`;
    }),
  ];
}

const marks: Readonly<Record<PlanStep["status"], string>> = {
  pending: "[ ]",
  in_progress: "[ ]",
  completed: "[x]",
  failed: "[ ]",
  skipped: "[ ]",
};

function planLines(plan: Plan | null): string[] {
  if (plan === null) return ["- There was no plan."];
  const steps = plan.steps.map(({ title, status }) => `  - ${marks[status]} ${code(title)} (${status})`);
  return [`- Plan: ${code(plan.goal)}`, ...steps];
}

function nextLines({ plan: { plan } }: AgentRun, stop: Stop): string[] {
  const open = plan?.steps.find(({ status }) => status === "in_progress" || status === "pending");
  const step = open === undefined ? [] : [`- Go on with the plan: ${code(open.title)}`];
  return [
    ...step,
    `- ${adviceOn(stop)}`,
    "- Read `events.jsonl` in the run directory: it records every turn.",
  ];
}

function adviceOn({ reason, budget }: Stop): string {
  switch (reason) {
    case "budget_exhausted":
      return `Raise \`${budget}\`, or ask for less.`;
    case "consecutive_failures":
      return "Look at the last observations: the action cannot succeed as it is.";
    case "no_progress":
      return "Make the request more precise, or give the agent what it lacks.";
    case "invalid_model_output":
      return "Try another model, or one that is made to reply with JSON.";
    case "mock_exhausted":
      return "Add entries to the script; the last should be a `final_answer`.";
    case "model_unavailable":
      return "Check the address, the key and the recordings of the model, and run again.";
    case "cancelled":
      return "Run again.";
    case "internal_error":
      return "Fix the error above and run again.";
    case "final_answer":
      return "Nothing.";
    default:
      return reason satisfies never;
  }
}

/** Untrusted text in Markdown: short, on one line, and never active. */
function code(text: string): string {
  const line = shownText(text.trim(), maxLineLength) || " ";
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}
