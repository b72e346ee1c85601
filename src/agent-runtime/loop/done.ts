import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { Audit } from "../../contract/agent-record.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { Observation } from "./observations.ts";

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
