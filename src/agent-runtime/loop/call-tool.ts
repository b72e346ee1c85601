import type { ApprovalListener, ToolEnd } from "../../contract/agent-parts.ts";
import type { AgentRun } from "./agent-run.ts";
import type { Work } from "./guard-facts.ts";
import { type Done, skillReference } from "./observations.ts";

type ToolWork = Extract<Work, { kind: "tool" }>;

/** Hands a call to the tools runtime. It counts from then on, whether it is allowed or not. */
export async function callTool(run: AgentRun, work: ToolWork): Promise<Done> {
  const { tool, skill } = work;
  run.budget.used.tool_calls++;
  const end = await runTool(run, work);
  if (end.started && (skill !== null || tool === "run_command")) run.budget.used.script_runs++;
  const { started, ok, error, result, audit, observation, changes } = end;
  if (changes !== undefined) run.emit("workspace_diff", { ...changes, by: "shell" });
  return {
    executed: {
      tool,
      ...(skill !== null && { skill: skillReference(skill) }),
      started,
      ok,
      ...(error !== undefined && { error }),
      result,
      audit,
    },
    observation: { success: ok, ...observation, summary: withCode(observation.summary, error?.code) },
    hasNewSkill: false,
  };
}

/** A model that knows the code need not guess from the words. */
function withCode(summary: string, code: string | undefined): string {
  return code === undefined || summary.startsWith(code) ? summary : `${code}: ${summary}`;
}

/** A call that is broken off leaves its trace before the run ends. */
async function runTool(run: AgentRun, { tool, skill, params }: ToolWork): Promise<ToolEnd> {
  const { callId, selected, budget } = run;
  const signal = run.interruption.toolSignal;
  let isWaiting = false;
  const on: ApprovalListener = {
    required(request) {
      isWaiting = true;
      run.emit("approval_required", request);
    },
    granted(fact) {
      isWaiting = false;
      run.emit("approval_granted", fact);
    },
    denied: (fact) => void run.emit("approval_denied", fact),
  };
  const call = {
    callId,
    tool,
    params,
    skill,
    selected: [...selected],
    remainingMs: Math.ceil(budget.remainingMs),
  };
  try {
    return await run.setup.tools.call(call, on, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    run.emit("action_executed", {
      call_id: callId,
      action: tool === "run_script" ? "run_script" : "call_tool",
      tool,
      ...(skill !== null && { skill: skillReference(skill) }),
      // Nobody can say how far it came; only what waits for approval has surely not started.
      started: !isWaiting,
      ok: false,
      error: { code: "Timeout", message: "the run ended while the call was under way", reason: "run_ended" },
      result: {},
    });
    throw error;
  }
}
