import { isUtf8 } from "node:buffer";
import { posix } from "node:path";
import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentCatalog } from "../../contract/agent-parts.ts";
import type { PathAudit } from "../../contract/agent-record.ts";
import type { FileTooLarge } from "../../shared/files/guarded-file.ts";
import type { PathFacts, PathRefusal } from "../../shared/files/path-guard.ts";

/** Whether a path in the folder of a skill, as requested or with links resolved, is material that tests the skill. */
export function hides(
  { isHidden }: Pick<AgentCatalog, "isHidden">,
  { requested, resolved, inside }: PathFacts,
): boolean {
  const plain = posix.normalize(requested).replace(/\/$/, "");
  return inside && (isHidden(plain) || (resolved !== null && isHidden(resolved)));
}

/** Bytes as text without a byte order mark; null where they are not text. */
export function decodeText(bytes: Buffer): string | null {
  if (bytes.includes(0) || !isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** A refusal of the path guard, as an agent sees it. */
export function refusedLoad(refusal: PathRefusal | FileTooLarge): {
  ok: false;
  error: AgentError;
  path: PathAudit;
} {
  const { code, message, reason, path } = refusal;
  return { ok: false, error: { code, message, reason }, path: { ...path } };
}
