/** What a run of an agent may use. Null: no limit. */
export interface AgentLimits {
  max_turns: number;
  max_tool_calls: number;
  max_script_runs: number;
  max_resource_loads: number | null;
  max_model_calls: number;
  max_context_chars: number;
  timeout_ms: number;
  max_cost_usd: number | null;
}
export type LimitName = keyof AgentLimits;

/** What a run has used. */
export interface AgentCounts {
  turns: number;
  tool_calls: number;
  script_runs: number;
  resource_loads: number;
  model_calls: number;
}

/** When a run that turns in circles is stopped, and how much of a skill is shown. */
export interface AgentGuardrails {
  max_skills_per_select: number;
  max_consecutive_failures: number;
  no_progress_window: number;
  max_skill_body_lines: number;
  max_skill_body_chars: number;
  resource_suffixes: readonly string[];
  /** Suffix → program. */
  interpreters: Readonly<Record<string, string>>;
}

/** Which tools a run may use, and who is asked. */
export interface AgentPolicy {
  mode: "interactive" | "flags" | "scripted";
  /** Medium and high risk tools that were switched on. */
  enable_tools: readonly string[];
  deny_tools: readonly string[];
  require_approval_for: readonly string[];
  allowed_tools_policy: "report" | "restrict";
  /** Hosts that `network_request` may reach. */
  network_hosts: readonly string[];
  /** The least containment a case accepts. */
  sandbox: SandboxFloor | null;
}

/** How often a scripted or typed rule grants a call. */
export const approvalScopes = ["call", "run"] as const;
export type ApprovalScope = (typeof approvalScopes)[number];

export const recordings = ["minimal", "full", "raw"] as const;
/** How much of a run is written down. */
export type Recording = (typeof recordings)[number];

// Upper limits of a run, on the command line, in a file and for programs alike.
export const maxTrials = 1000;
export const maxRetries = 20;
export const maxConcurrency = 1024;

/** A timer that is set for longer fires at once. */
export const longestTimerMs = 2_147_483_647;

/** How much containment there can be, the most first. Apart from containment.ts, which needs zod and `--help` does not. */
export const sandboxLevels = ["strict", "reduced", "process", "off"] as const;
export type SandboxLevel = (typeof sandboxLevels)[number];

/** Levels that a file may demand. What is weaker is only ever a word on a command line. */
export const sandboxFloors = ["strict", "reduced"] as const;
export type SandboxFloor = (typeof sandboxFloors)[number];

/** Names the Python that tools of skills run on: set by `--python`, or by the user. */
export const pythonVariable = "EVAL_SKILLS_PYTHON";

/** An id is shown in every table and is part of every key: longer ones are a text in the wrong place. */
export const maxIdCharacters = 1000;
