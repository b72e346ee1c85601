import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { Audit, PathAudit } from "../../contract/agent-record.ts";
import type { PathRefusal } from "../../shared/files/path-guard.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { shownText, truncationTag } from "../../shared/text/visible-text.ts";
import type { WorkspaceChanges } from "./workspace-changes.ts";

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
  /** For the audit: `exit_code`, `timeout`, where the streams are stored. */
  ended?: Omit<Audit["result"], "ok"> | undefined;
  hashes?: Audit["hashes"] | undefined;
  /** Of a command: what it did to the files of the workspace, where that could be compared. */
  changes?: WorkspaceChanges | undefined;
}

/** Work that was refused, with the reason. */
export function refusedWork(error: AgentError, more: Partial<ToolWork> = {}): ToolWork {
  return { started: false, error, result: {}, observation: plainObservation(error.message), ...more };
}

/** An observation that is all in its words. */
export function plainObservation(summary: string): ToolWork["observation"] {
  return { summary, sha256: sha256(summary) };
}

/** A refusal of the path guard, as an agent error. */
export function errorOfPath({ code, reason, message }: PathRefusal): AgentError {
  return { code, message, reason };
}

/** Why nothing of a skill runs whose files were edited since the run began. */
export function skillChanged({ name }: Pick<AgentSkill, "name">): AgentError {
  return { code: "SkillChanged", message: `the files of ${shownText(name)} are not those that were indexed` };
}

/** The first characters of a text, with a tag where there is more. Never cuts a character in half. */
export function takeBeginning(text: string, limit: number): { text: string; isCut: boolean } {
  if (text.length <= limit) return { text, isCut: false };
  const end = /[\ud800-\udbff]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
  const cut = `${truncationTag} ${end} of ${text.length} characters are shown`;
  return { text: `${text.slice(0, end)}\n${cut}`, isCut: true };
}
