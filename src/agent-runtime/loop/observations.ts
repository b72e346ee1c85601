import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { Audit } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { quotedText } from "./quoted-text.ts";

/** The result of an action, as the model sees it. */
export interface Observation {
  success: boolean;
  summary: string;
  /** Where all of it is kept. */
  storage_ref?: string | undefined;
  sha256: string;
}

/** One that stands in the log. */
export interface RecordedObservation extends Observation {
  callId: string;
  /** The tool, or the type of the action. */
  doing: string;
}

export function observationOf(success: boolean, summary: string): Observation {
  return { success, summary, sha256: sha256(summary) };
}

export function failedObservation({ code, message }: AgentError): Observation {
  return observationOf(false, `${code}: ${message}`);
}

/** An observation in a prompt: what a stranger wrote stands between marks that do not occur in it. */
export function observationText(observation: RecordedObservation): string {
  const { summary } = observation;
  let mark = `=== ${observation.callId} ===`;
  while (summary.includes(mark)) mark = `=${mark}=`;
  return `${headOf(observation)}\n${mark}\n${summary}\n${mark}`;
}

/** The same in one line, with the place where the rest can be found. */
export function observationLine(observation: RecordedObservation): string {
  return `${headOf(observation)} ${quotedText(observation.summary, maxLineLength)}`;
}

const maxLineLength = 160;

/** Points by the id of the call: numbers of lines differ when a recorded run is played again, and its prompts must not. */
function headOf({ callId, doing, success, storage_ref }: RecordedObservation): string {
  const place = storage_ref === undefined ? "" : `, whole text in ${storage_ref}`;
  return `OBSERVATION ${callId} of ${doing}, ${success ? "ok" : "failed"}${place}:`;
}

/** What carrying out an action came to. */
export interface Done {
  /** Facts for the log. */
  executed: {
    tool?: string;
    skill?: { name: string; source: AgentSkill["source"] };
    /** Whether an effect began. */
    started: boolean;
    ok: boolean;
    error?: AgentError;
    result: JsonObject;
    audit?: Audit;
  };
  /** What the model sees; null after an answer. */
  observation: Observation | null;
  hasNewSkill: boolean;
}

export function nameOf({ name, source }: AgentSkill): { name: string; source: AgentSkill["source"] } {
  return { name, source };
}
