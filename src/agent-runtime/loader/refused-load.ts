import type { AgentError } from "../../contract/agent-error.ts";
import type { PathAudit } from "../../contract/agent-record.ts";
import type { FileTooLarge } from "../../shared/files/guarded-file.ts";
import type { PathRefusal } from "../../shared/files/path-guard.ts";

/** A refusal of the path guard, as an agent sees it. */
export function refusedLoad(refusal: PathRefusal | FileTooLarge): {
  ok: false;
  error: AgentError;
  path: PathAudit;
} {
  const { code, message, reason, path } = refusal;
  return { ok: false, error: { code, message, reason }, path: { ...path } };
}
