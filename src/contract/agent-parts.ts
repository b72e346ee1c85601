import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import type { ActionType, Decision } from "./agent-action.ts";
import type { AgentError } from "./agent-error.ts";
import type { EventData } from "./agent-event.ts";
import type { ApprovalRequest, Audit, LoadReport, PathAudit } from "./agent-record.ts";
import type { ApprovalScope, LimitName } from "./limits.ts";
import type { SkillControls, SkillSource, SkillTool } from "./skill.ts";

/** A message to a model of an agent. */
export interface AgentMessage {
  role: "system" | "developer" | "user" | "assistant";
  text: string;
}

/** How a call to the model of an agent ended. */
export type AgentReply =
  | {
      status: "answered";
      /** All of it, as text where it is valid UTF-8. */
      text: string;
      usage: { input_tokens: number | null; output_tokens: number | null; cost_usd: number | null } | null;
      /** What a script had to say about this call. */
      mock?: EventData<"model_response">["mock"];
    }
  | {
      status: "failed";
      /** `retryable`: the provider was at fault and may not be next time. */
      fault: "retryable" | "final" | "cassette-miss" | "budget" | "mock-exhausted";
      message: string;
      retryAfterMs?: number | undefined;
      mock?: EventData<"model_response">["mock"];
    };

/** What an agent asks, one call at a time. A script fits it, and so does any `Model`. */
export interface AgentModel {
  /** `mock`, or `<provider>/<model>`. */
  readonly id: string;
  readonly identity: Json;
  /** `onBytes` gets the reply as it comes, cut anywhere. Throws only the signal's reason. */
  call(
    request: {
      messages: readonly AgentMessage[];
      schema: JsonSchema /** Of the answered calls of this run, from 1: recordings tell calls apart by it. */;
      ordinal: number;
    },
    call: { signal: AbortSignal; onBytes?: ((bytes: Uint8Array) => void) | undefined },
  ): Promise<AgentReply>;
  /** How many lines of a script were used and were left. */
  scriptUse?(): { used: number; unused: number };
}

export interface DecideRequest {
  messages: readonly AgentMessage[];
  /** Names a provider may be restricted to. */
  skillNames: readonly string[];
  /** The tools that the selected skills declare; absent where nobody says, and then no call of a tool can be enforced. */
  tools?: readonly Pick<SkillTool, "name" | "parameters">[] | undefined;
  telemetry: { run_id: string; turn: number };
  budget: {
    max_output_chars: number;
    max_retries: number;
    allow_streaming: boolean;
    /** How long a request may be: a correction shows as much of the reply as fits. */
    max_context_chars?: number | undefined;
  };
}

/** Listens to the steps of a decision, as they happen. */
export interface DecideListener {
  /** Called before every single call, with its messages; a limit that is used up ends the decision. A call that is allowed counts. */
  mayCall(messages: readonly AgentMessage[]): LimitName | null;
  /** A call begins, with all its messages: those of a correction are longer. */
  request(fact: { attempt: number; try: number; messages: readonly AgentMessage[] }): void | Promise<void>;
  /** Known early; nobody may act on it. */
  type?(type: ActionType): void;
  skill?(name: string): void;
  /** A try that broke off may have emitted some as well: of an attempt, those after its last request are its reply. */
  delta(attempt: number, path: string, text: string): void;
  response(fact: EventData<"model_response">, raw: string): void;
}

export type DecideOutcome =
  | ({ status: "decided" } & Decision & {
        attempts: number;
        recovered: "none" | "extracted";
        warnings: readonly string[];
      })
  | { status: "invalid"; error: AgentError }
  | { status: "unavailable"; error: AgentError }
  | { status: "exhausted"; limit: LimitName }
  | { status: "mock-exhausted" };

/** One logical decision: a question, a correction where the reply is not an action, retries where nobody answers. */
export type Decide = (
  request: DecideRequest,
  on: DecideListener,
  signal: AbortSignal,
) => Promise<DecideOutcome>;

/** A skill as an agent knows it: metadata only. */
export interface AgentSkill {
  /** Its id. */
  name: string;
  source: SkillSource;
  description: string;
  digest: string;
  /** Absolute. */
  dir: string;
  modelInvocable: boolean;
  allowedTools: SkillControls["allowedTools"];
  tools: readonly SkillTool[];
  /** What it asks for its own scripts: less than they would get, never more. */
  scripts: { network: "none" | null; maxMs: number | null };
  /** Relative to the folder. */
  instructions: { path: string; format: "md" | "txt" | "docx" };
}

/** The skills of a run as they were when it began. */
export interface AgentCatalog {
  /** One per name, in the order the model sees them; those that a model may not choose among them. */
  skills: readonly AgentSkill[];
  /** By name; with a source that source's own, also where another hides it. */
  find(name: string, source?: SkillSource): AgentSkill | null;
  indexed: EventData<"skills_indexed">;
  /** The file of its instructions: bytes, and the body without frontmatter, BOM and CR. */
  readBody(
    skill: AgentSkill,
  ): Promise<{ ok: true; bytes: Uint8Array; body: string } | { ok: false; error: AgentError }>;
  /** Whether its files are still those that were indexed. `isJustDone`: something ran that could write there, so it is looked at now. */
  isUnchanged(skill: AgentSkill, isJustDone?: boolean): boolean | Promise<boolean>;
  /** Whether a path in the folder of a skill, `/`-separated, is material that tests it: it does not exist for an agent. */
  isHidden(relativePath: string): boolean;
}

/** Text that was read for the model. */
export type Loaded =
  | {
      ok: true;
      report: LoadReport;
      /** The excerpt. */
      text: string;
      /** The excerpt with its header between delimiters, as prompts show it. */
      block: string;
      /** What a prompt shows instead when there is no space. */
      outline: string;
      path: PathAudit;
    }
  | { ok: false; error: AgentError; path?: PathAudit | undefined };

/** Discloses what a skill holds, one request at a time. */
export interface Loader {
  body(skill: AgentSkill, callId: string): Promise<Loaded>;
  resource(
    skill: AgentSkill,
    request: { relativePath: string; sectionHint?: string | undefined },
    callId: string,
  ): Promise<Loaded>;
}

/** A call that is handed to the tools runtime: `run_script`, a built-in tool, or a tool of a skill. */
export interface ToolCall {
  callId: string;
  tool: string;
  /** As approvals match and bind them: for `run_script` skill, relative_path and args. */
  params: JsonObject;
  /** For `run_script` and tools of skills. */
  skill: AgentSkill | null;
  /** The skills that are selected at this moment. */
  selected: readonly AgentSkill[];
  /** At most this long, the rest of the run. */
  remainingMs: number;
}

export interface ToolEnd {
  started: boolean;
  ok: boolean;
  error?: AgentError | undefined;
  /** Small facts for the event: `exit_code`, `stdout_chars`, `entries`. */
  result: JsonObject;
  audit: Audit;
  /** What the model is told; long output is stored separately and named. */
  observation: { summary: string; storage_ref?: string | undefined; sha256: string };
  /** What a command did to the files of the workspace. */
  changes?: { added: string[]; changed: string[]; deleted: string[] } | undefined;
}

/** Listens to approvals while a call waits for one. */
export interface ApprovalListener {
  required(request: ApprovalRequest): void;
  granted(fact: EventData<"approval_granted">): void;
  denied(fact: EventData<"approval_denied">): void;
}

/** Checks policy, path and approval, in this order, and then executes it. */
export interface ToolsRuntime {
  /** The tools a model may call now, for the prompt and for `run_started`. */
  allowedTools(selected: readonly AgentSkill[]): readonly string[];
  call(call: ToolCall, on: ApprovalListener, signal: AbortSignal): Promise<ToolEnd>;
}

/** Who says yes or no. `unasked`: nobody could be asked. */
export type ApprovalDecision =
  | { decision: "grant"; scope: ApprovalScope; by: string }
  | { decision: "deny"; by: string; reason: string }
  | { decision: "unasked"; reason: string };

export interface Approver {
  readonly mode: "interactive" | "flags" | "scripted";
  decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
