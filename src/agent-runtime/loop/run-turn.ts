import type { Action, PlanUpdate } from "../../contract/agent-action.ts";
import type { EventData } from "../../contract/agent-event.ts";
import type { AgentRun } from "./agent-run.ts";
import { askModel } from "./ask-model.ts";
import { carryOut, endsRun } from "./carry-out.ts";
import { checkAction } from "./check-action.ts";
import { type Checked, refuse } from "./guard-facts.ts";
import { failedObservation, type Observation } from "./observations.ts";
import { quotedText } from "./quoted-text.ts";
import { type Stop, stopAtLimit } from "./stop.ts";

type RecordedAction = EventData<"action_planned">["action"];

/** One decision, and the one action it yields. Null: the run goes on. */
export async function runTurn(run: AgentRun): Promise<Stop | null> {
  startTurn(run);
  const decided = await askModel(run);
  if (decided.status === "stopped") return breakOff(run, decided.stop);
  const { action, diagnostics } = decided;
  const hasNewStatus = notePlan(run, decided.plan_update);
  const call_id = run.callId;
  run.emit("action_planned", {
    call_id,
    action: action as RecordedAction,
    ...(diagnostics !== null && { diagnostics }),
  });

  const checked = mayAct(run, action) ? checkAction(action, run) : onlyAnAnswer(run);
  if (!checked.ok) {
    run.emit("action_validated", { call_id, ok: false, error: { ...checked.error }, warnings: [] });
    return refused(run, action, checked, hasNewStatus);
  }
  run.emit("action_validated", { call_id, ok: true, warnings: [...checked.warnings] });

  const { executed, observation, hasNewSkill } = await carryOut(run, checked.work);
  const { error } = executed;
  run.emit("action_executed", { call_id, action: action.type, ...executed } as EventData<"action_executed">);
  if (checked.work.kind === "answer") {
    finishTurn(run, "answered");
    return { reason: "final_answer", answer: checked.work.content };
  }
  if (observation === null) throw new Error(`${action.type} has no observation`);
  const stop = observed(run, action, observation, hasNewStatus || hasNewSkill);
  if (error !== undefined && endsRun(error)) {
    finishTurn(run, "stopped");
    return { reason: "internal_error", error };
  }
  finishTurn(run, "observed");
  return stop;
}

function startTurn(run: AgentRun): void {
  const { budget, context, lastChance } = run;
  budget.used.turns++;
  run.isTurnOpen = true;
  const isLast = !budget.hasTurnLeft;
  if (lastChance !== null)
    context.addNotice(`ANSWER NOW: ${lastChance} is used up. Only final_answer is accepted.`);
  else if (isLast) context.addNotice("ANSWER NOW: this is the last turn. Reply with final_answer.");
  run.emit("turn_started", {
    remaining: budget.remaining(),
    near_limit: budget.nearLimits(),
    answer_now: lastChance !== null || isLast,
  });
}

function finishTurn(run: AgentRun, outcome: EventData<"turn_finished">["outcome"]): void {
  run.isTurnOpen = false;
  run.emit("turn_finished", { outcome });
}

/** Ends a turn without a result, with the reason where the end of the run does not give it. */
export function breakOff(run: AgentRun, stop: Stop): Stop {
  if (stop.error !== undefined) {
    const { code, message } = stop.error;
    run.emit("error_occurred", { code, message, fatal: true });
  }
  if (run.isTurnOpen) finishTurn(run, "stopped");
  return stop;
}

/** Applies the model's changes to its plan; true where the status of a step changed. */
function notePlan(run: AgentRun, update: PlanUpdate | null): boolean {
  if (update === null) return false;
  const change = run.plan.apply(update);
  if (!change.ok) {
    const message = `the plan update was ignored: ${change.problem}`;
    run.emit("error_occurred", { code: "InvalidAction", message, fatal: false });
    run.context.addNotice(`NOTICE: ${message}`);
    return false;
  }
  const { plan, version } = change;
  if (change.isFirst) run.emit("plan_created", { plan, version });
  else run.emit("plan_updated", update.mode === "patch" ? { ops: update.ops, version } : { plan, version });
  return change.hasNewStatus;
}

function mayAct(run: AgentRun, action: Action): boolean {
  return run.lastChance === null || action.type === "final_answer";
}

function onlyAnAnswer({ lastChance }: AgentRun): Checked & { ok: false } {
  return refuse("BudgetExceeded", `${lastChance} is used up; only final_answer was left`);
}

/** A limit that is used up leaves one turn for an answer, if there is one; anything else may be tried differently. */
function refused(
  run: AgentRun,
  action: Action,
  { error, limit }: Checked & { ok: false },
  hasMoved: boolean,
): Stop | null {
  const stop = observed(run, action, failedObservation(error), hasMoved);
  if (run.lastChance !== null) {
    finishTurn(run, "stopped");
    return stopAtLimit(run.lastChance);
  }
  finishTurn(run, "refused");
  if (limit === undefined) return stop;
  run.lastChance = limit;
  return run.budget.hasTurnLeft ? null : stopAtLimit(limit);
}

/** Reports the result of the action; returns the stop where it was one futile turn too many. */
function observed(run: AgentRun, action: Action, observation: Observation, hasMoved: boolean): Stop | null {
  const doing = actionLabel(action);
  run.observe(doing, observation);
  const { success, sha256 } = observation;
  const reason = run.progress.note({ doing, success, observation: sha256, hasMoved });
  return reason === null ? null : { reason };
}

/** Any text can be called a tool until a guard has looked. */
function actionLabel(action: Action): string {
  if (action.type !== "call_tool") return action.type;
  const { tool } = action.payload;
  return /^[A-Za-z0-9_-]{1,64}$/.test(tool) ? tool : quotedText(tool, 64);
}
