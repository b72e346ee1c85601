import type { RecordedRun } from "../../../contract/agent-log.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";

/** A text as a log may hold it: itself, or its hash, with or without the file it is in. */
type Recorded = { text: string } | { sha256: string; ref: string | null };

/** Reads a text out of an event; null where there is none. */
export function recordedText(value: unknown): Recorded | null {
  if (typeof value === "string") return { text: value };
  if (typeof value !== "object" || value === null) return null;
  const { sha256: hash, ref } = value as { sha256?: unknown; ref?: unknown };
  return typeof hash === "string" ? { sha256: hash, ref: typeof ref === "string" ? ref : null } : null;
}

/** Whether a text that was recorded is this one, by itself or by its hash. */
export function isRecorded(recorded: Recorded, text: string): boolean {
  return "text" in recorded ? recorded.text === text : isHashOf(recorded.sha256, text);
}

/** The text itself, from its file where it has one; null where only its hash is left, or the file is another. */
export function wholeText(run: RecordedRun, recorded: Recorded): string | null {
  if ("text" in recorded) return recorded.text;
  const bytes = recorded.ref === null ? null : run.read(recorded.ref);
  return bytes !== null && isHashOf(recorded.sha256, bytes) ? new TextDecoder().decode(bytes) : null;
}

/** Whether a hash is that of these bytes, with or without the `sha256:` prefix. */
export function isHashOf(hash: string, content: string | Uint8Array): boolean {
  return isSameHash(hash, sha256(content));
}

export function isSameHash(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

function bare(hash: string): string {
  return hash.toLowerCase().replace(/^sha256:/, "");
}
