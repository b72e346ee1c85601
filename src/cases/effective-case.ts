import type { Config } from "../contract/config.ts";
import type { AgentGuardrails, AgentLimits, AgentPolicy } from "../contract/limits.ts";
import type { LoadedAgentCase } from "../contract/loaded-case.ts";

/** The default number of model calls per turn. */
const callsPerTurn = 3;

/** The limits of a run: the configuration, overridden by the case. */
export function effectiveLimits(
  agent: Config["agent"],
  overrides: Partial<{ [Name in keyof AgentLimits]: number | null | undefined }> = {},
): AgentLimits {
  const max_turns = overrides.max_turns ?? agent.max_turns;
  return {
    max_turns,
    max_tool_calls: overrides.max_tool_calls ?? agent.max_tool_calls,
    max_script_runs: overrides.max_script_runs ?? agent.max_script_runs,
    max_resource_loads: overrides.max_resource_loads ?? agent.max_resource_loads,
    max_model_calls: overrides.max_model_calls ?? agent.max_model_calls ?? callsPerTurn * max_turns,
    max_context_chars: overrides.max_context_chars ?? agent.max_context_chars,
    timeout_ms: overrides.timeout_ms ?? agent.timeout_ms,
    max_cost_usd: overrides.max_cost_usd ?? agent.max_cost_usd,
  };
}

export function caseLimits(agent: Config["agent"], { case: caseFile }: LoadedAgentCase): AgentLimits {
  return effectiveLimits(agent, { ...caseFile.constraints, timeout_ms: caseFile.timeout_ms });
}

/** Who may do what in the run of a case: its script of approvals decides, and nobody else. */
export function casePolicy(agent: Config["agent"], { case: caseFile }: LoadedAgentCase): AgentPolicy {
  const { deny_tools, require_approval_for, allowed_tools_policy, network_hosts, sandbox } =
    caseFile.constraints;
  return {
    mode: "scripted",
    enable_tools: caseFile.enable_tools,
    deny_tools,
    require_approval_for,
    allowed_tools_policy: allowed_tools_policy ?? agent.allowed_tools_policy,
    network_hosts,
    sandbox: sandbox ?? null,
  };
}

export function readGuardrails(agent: Config["agent"]): AgentGuardrails {
  const { max_skills_per_select, max_consecutive_failures, no_progress_window } = agent;
  const { max_skill_body_lines, max_skill_body_chars, resource_suffixes, interpreters } = agent;
  return {
    max_skills_per_select,
    max_consecutive_failures,
    no_progress_window,
    max_skill_body_lines,
    max_skill_body_chars,
    resource_suffixes,
    interpreters,
  };
}
