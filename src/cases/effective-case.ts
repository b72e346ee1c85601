import type { Config } from "../contract/config.ts";
import type { AgentGuardrails, AgentLimits, AgentPolicy } from "../contract/limits.ts";
import type { LoadedAgentCase } from "../contract/loaded-case.ts";

/** How many calls to a model a turn gets where nobody says so. */
const callsPerTurn = 3;

/** What a run may use: the configuration, and over it what a case says. */
export function effectiveLimits(
  agent: Config["agent"],
  said: Partial<{ [Name in keyof AgentLimits]: number | null | undefined }> = {},
): AgentLimits {
  const max_turns = said.max_turns ?? agent.max_turns;
  return {
    max_turns,
    max_tool_calls: said.max_tool_calls ?? agent.max_tool_calls,
    max_script_runs: said.max_script_runs ?? agent.max_script_runs,
    max_resource_loads: said.max_resource_loads ?? agent.max_resource_loads,
    max_model_calls: said.max_model_calls ?? agent.max_model_calls ?? callsPerTurn * max_turns,
    max_context_chars: said.max_context_chars ?? agent.max_context_chars,
    timeout_ms: said.timeout_ms ?? agent.timeout_ms,
    max_cost_usd: said.max_cost_usd ?? agent.max_cost_usd,
  };
}

export function limitsOfCase(agent: Config["agent"], { case: said }: LoadedAgentCase): AgentLimits {
  return effectiveLimits(agent, { ...said.constraints, timeout_ms: said.timeout_ms });
}

/** Who may do what in the run of a case: its script of approvals decides, and nobody else. */
export function policyOfCase(agent: Config["agent"], { case: said }: LoadedAgentCase): AgentPolicy {
  const { deny_tools, require_approval_for, allowed_tools_policy, network_hosts, sandbox } = said.constraints;
  return {
    mode: "scripted",
    enable_tools: said.enable_tools,
    deny_tools,
    require_approval_for,
    allowed_tools_policy: allowed_tools_policy ?? agent.allowed_tools_policy,
    network_hosts,
    sandbox: sandbox ?? null,
  };
}

export function guardrailsOf(agent: Config["agent"]): AgentGuardrails {
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
