import type { JsonObject } from "../shared/json/json.ts";

/** Everything that can go wrong in a run of an agent, by who says it. Cases and people's CI read these words. */
const codesByOrigin = {
  model: ["InvalidModelOutput", "ModelUnavailable", "CassetteMiss", "MockExhausted"],
  core: [
    "InvalidAction",
    "SkillNotFound",
    "SkillNotSelected",
    "SkillNotInvocable",
    "TooManySkills",
    "AmbiguousTool",
    "BudgetExceeded",
    "ArgsTooLong",
  ],
  loader: [
    "InvalidFrontmatter",
    "SkillBodyTooLarge",
    "PathTraversalBlocked",
    "FileTooLarge",
    "SectionNotFound",
    "SkillChanged",
    "IOError",
  ],
  tools: [
    "ToolNotAllowed",
    "ApprovalRequired",
    "ApprovalDenied",
    "UnsupportedInterpreter",
    "SandboxUnavailable",
    "SandboxHid",
    "Timeout",
    "ExitNonZero",
    "OutputLimit",
    "ToolFailed",
  ],
  run: ["InternalError"],
} as const;

export type AgentErrorCode = (typeof codesByOrigin)[keyof typeof codesByOrigin][number];
export const agentErrorCodes: readonly AgentErrorCode[] = Object.values(codesByOrigin).flat();

/** What went wrong, without paths of the machine and without secrets. */
export interface AgentError {
  code: AgentErrorCode;
  message: string;
  /** Why, in a word: `not_found`, `unsupported_type`. */
  reason?: string | undefined;
  details?: JsonObject | undefined;
}

/** Why a run ended, with the state it leaves. Those of `failed` give no verdict unless a case expects them. */
export const statusOfStop = {
  final_answer: "completed",
  budget_exhausted: "stopped",
  consecutive_failures: "stopped",
  no_progress: "stopped",
  invalid_model_output: "stopped",
  mock_exhausted: "stopped",
  model_unavailable: "failed",
  cancelled: "failed",
  internal_error: "failed",
} as const;
export type StopReason = keyof typeof statusOfStop;
export type RunStatus = (typeof statusOfStop)[StopReason];
export const stopReasons: readonly StopReason[] = Object.keys(statusOfStop) as StopReason[];
