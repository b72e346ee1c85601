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
  /** Where all of it is stored. */
  storage_ref?: string | undefined;
  sha256: string;
}

export interface RecordedObservation extends Observation {
  callId: string;
  /** The tool, or the type of the action. */
  doing: string;
}

export function makeObservation(success: boolean, summary: string): Observation {
  return { success, summary, sha256: sha256(summary) };
}

export function failedObservation({ code, message }: AgentError): Observation {
  return makeObservation(false, `${code}: ${message}`);
}

/** An observation in a prompt: untrusted text is put between delimiters that do not occur in it. */
export function observationText(observation: RecordedObservation): string {
  const { summary } = observation;
  let delimiter = `=== ${observation.callId} ===`;
  while (summary.includes(delimiter)) delimiter = `=${delimiter}=`;
  return `${observationHeader(observation)}\n${delimiter}\n${summary}\n${delimiter}`;
}

/** The same in one line, with the location of the rest. */
export function observationLine(observation: RecordedObservation): string {
  return `${observationHeader(observation)} ${quotedText(observation.summary, maxLineLength)}`;
}

const maxLineLength = 160;

/** Points by the id of the call: numbers of lines differ when a recorded run is played again, and its prompts must not. */
function observationHeader({ callId, doing, success, storage_ref }: RecordedObservation): string {
  const location = storage_ref === undefined ? "" : `, whole text in ${storage_ref}`;
  return `OBSERVATION ${callId} of ${doing}, ${success ? "ok" : "failed"}${location}:`;
}

/** The result of carrying out an action. */
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

export function skillReference({ name, source }: AgentSkill): { name: string; source: AgentSkill["source"] } {
  return { name, source };
}
