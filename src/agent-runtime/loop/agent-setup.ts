import type { ActionType } from "../../contract/agent-action.ts";
import type { RunStatus, StopReason } from "../../contract/agent-error.ts";
import type { EventData, EventType } from "../../contract/agent-event.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentModel, Decide, Loader, ToolsRuntime } from "../../contract/agent-parts.ts";
import type { AgentGuardrails, AgentLimits, AgentPolicy } from "../../contract/limits.ts";
import type { Clock } from "../../shared/async/clock.ts";

/** Everything a run of an agent is made of. */
export interface AgentSetup {
  request: string;
  /** Files in the workspace that the request is about, `/`-separated. */
  inputFiles: readonly string[];
  limits: AgentLimits;
  guardrails: AgentGuardrails;
  policy: AgentPolicy;
  /** Null: it could not be built. */
  catalog: AgentCatalog | null;
  /** Why it could not. */
  indexProblem?: string | undefined;
  /** Skills that the user named: a model may choose them whatever they say of themselves. */
  invoked: readonly string[];
  decide: Decide;
  model: AgentModel;
  loader: Loader;
  tools: ToolsRuntime;
  log: RunLog;
  clock: Clock;
  signal: AbortSignal;
  /** What the caller knows of the run. */
  started: Pick<
    EventData<"run_started">,
    | "request_ref"
    | "request_sha256"
    | "model"
    | "streaming"
    | "isolation"
    | "origin"
    | "eval_run_id"
    | "cell_key"
    | "case"
  >;
  onLive?: LiveListener | undefined;
}

/** Watches a run for people. Nothing depends on it. */
export interface LiveListener {
  /** What kind of action is coming. */
  type?(type: ActionType): void;
  /** A piece of the answer. */
  delta?(text: string): void;
  event?(turn: number, type: EventType, data: EventData<EventType>): void;
}

export interface AgentEnd {
  status: RunStatus;
  stop_reason: StopReason;
  /** The answer, or the fallback text. */
  final: string;
  degraded: boolean;
  runId: string;
  /** The run directory. */
  dir: string;
  /** What was thrown where a defect of ours ended the run. */
  defect?: unknown;
}
