import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { Audit, PathAudit } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** An approved call: what a tool is to do. */
export interface ToolOrder<Arguments> {
  callId: string;
  args: Arguments;
  /** The skills that are selected at this moment. */
  selected: readonly AgentSkill[];
  /** At most this long, the rest of the run. */
  remainingMs: number;
  signal: AbortSignal;
}

/** The result of a tool; approvals are recorded elsewhere. */
export interface ToolWork {
  /** Whether an effect began. */
  started: boolean;
  /** Absent where it succeeded. */
  error?: AgentError | undefined;
  /** Small facts for the event: `exit_code`, `stdout_chars`, `entries`. */
  result: JsonObject;
  /** What the model sees; the hash is that of the stored text where there is one. */
  observation: { summary: string; storage_ref?: string | undefined; sha256: string };
  path?: PathAudit | undefined;
  /** For the audit: `exit_code`, `timeout`, where the streams are kept. */
  ended?: Omit<Audit["result"], "ok"> | undefined;
  hashes?: Audit["hashes"] | undefined;
}

/** Work that was refused, with the reason. */
export function refusedWork(error: AgentError, more: Partial<ToolWork> = {}): ToolWork {
  return { started: false, error, result: {}, observation: plainObservation(error.message), ...more };
}

/** An observation that is all in its words. */
export function plainObservation(summary: string): ToolWork["observation"] {
  return { summary, sha256: sha256(summary) };
}
