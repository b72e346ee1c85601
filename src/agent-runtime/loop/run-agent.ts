import { type AgentError, type RunStatus, statusOfStop } from "../../contract/agent-error.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { AgentRun } from "./agent-run.ts";
import type { AgentEnd, AgentSetup } from "./agent-setup.ts";
import { degradedText } from "./degraded-text.ts";
import { breakOff, runTurn } from "./run-turn.ts";
import { type Stop, stopAtLimit, watchInterruption } from "./stop.ts";

export type { AgentEnd, AgentSetup, LiveListener } from "./agent-setup.ts";

/** Runs an agent from its request to its end. Everything is recorded in its log; it throws only if the log cannot be written. */
export async function runAgent(setup: AgentSetup): Promise<AgentEnd> {
  using interruption = watchInterruption(setup.signal, setup.limits.timeout_ms);
  const run = new AgentRun(setup, interruption);
  emitStart(run);
  const stop = setup.catalog === null ? breakOff(run, indexMissing(setup)) : await takeTurns(run);
  return await finish(run, stop);
}

/** Written together once the index is complete: nothing has happened before it. */
function emitStart(run: AgentRun): void {
  const { setup, catalog } = run;
  const { policy, limits, log } = setup;
  run.emitForRun("run_started", {
    ...setup.started,
    limits: { ...limits },
    policy: {
      mode: policy.mode,
      allowed_tools: [...setup.tools.allowedTools([])],
      deny_tools: [...policy.deny_tools],
      require_approval_for: [...policy.require_approval_for],
      allowed_tools_policy: policy.allowed_tools_policy,
    },
    recording: log.recording,
    index_hash: catalog.indexed.index_hash,
    invoked: [...run.invoked],
  });
  run.emitForRun("skills_indexed", catalog.indexed);
}

function indexMissing({ indexProblem }: AgentSetup): Stop {
  const message = `the index of skills could not be built${indexProblem === undefined ? "" : `: ${indexProblem}`}`;
  return { reason: "internal_error", error: { code: "InternalError", message } };
}

/** Turn after turn, until one ends the run or something keeps the next from beginning. */
async function takeTurns(run: AgentRun): Promise<Stop> {
  try {
    for (;;) {
      const stop = stopBetweenTurns(run) ?? (await runTurn(run));
      if (stop !== null) return stop;
      writeState(run, "running");
    }
  } catch (error) {
    const isOurs = run.interruption.cause === null;
    return breakOff(run, (isOurs ? null : findInterruption(run)) ?? brokenBy(error));
  }
}

function stopBetweenTurns(run: AgentRun): Stop | null {
  return findInterruption(run) ?? (run.budget.hasTurnLeft ? null : stopAtLimit("max_turns"));
}

function findInterruption({ budget, interruption: { cause } }: AgentRun): Stop | null {
  if (cause === "cancelled") return { reason: "cancelled" };
  return cause === "timeout" || budget.isTimeUp ? stopAtLimit("timeout_ms") : null;
}

function brokenBy(defect: unknown): Stop {
  const { name, message } = defect instanceof Error ? defect : new Error(String(defect));
  // The record of a run must not hold paths of the machine.
  const words = shorten(message.replace(/\/[^\s'"]+/g, "(path)"), 300);
  const error: AgentError = { code: "InternalError", message: `${name}: ${words}` };
  return { reason: "internal_error", error, defect };
}

/** The text comes first, and the event that holds its hash is the last. */
async function finish(run: AgentRun, stop: Stop): Promise<AgentEnd> {
  const { log, model } = run.setup;
  const { reason, budget, defect } = stop;
  const status = statusOfStop[reason];
  const degraded = reason !== "final_answer";
  const text = stop.answer ?? degradedText(run, stop);
  const final = log.writeFinal(text);
  const mock = model.scriptUse?.();
  run.emitForRun("run_finished", {
    status,
    stop_reason: reason,
    ...(budget !== undefined && { budget }),
    degraded,
    final,
    usage: { ...run.budget.used, ...run.usage.facts() },
    ...(mock !== undefined && { mock }),
  });
  writeState(run, status);
  await log.synced();
  const ended = { status, stop_reason: reason, final: text, degraded, runId: log.runId, dir: log.dir };
  return defect === undefined ? ended : { ...ended, defect };
}

function writeState(run: AgentRun, status: RunStatus | "running"): void {
  const { budget, selected, plan, setup } = run;
  setup.log.writeState({
    run_id: setup.log.runId,
    status,
    turn: budget.used.turns,
    used: { ...budget.used },
    limit: budget.limits,
    loaded_skills: selected.map(({ name }) => name),
    plan: plan.plan,
  });
}
