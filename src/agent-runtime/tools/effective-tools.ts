import type { AgentSkill } from "../../contract/agent-parts.ts";
import { toolRisk } from "../../contract/agent-tools.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import type { AgentPolicy } from "../../contract/limits.ts";

/** Why a tool is outside the effective set, in a word; null where it is inside. */
export type PolicyProblem = "denied" | "not_enabled" | "restricted";

/**
 * Whether the policy lets a tool be called. Skills only ever take away: under `restrict` a call must be allowed by the skill
 * it belongs to, or else by any of those that are selected; one that says nothing allows all.
 */
export function policyProblem(
  { deny_tools, enable_tools, allowed_tools_policy }: AgentPolicy,
  tool: string,
  { owner, selected }: { owner: AgentSkill | null; selected: readonly AgentSkill[] },
): PolicyProblem | null {
  if (deny_tools.includes(tool)) return "denied";
  if (toolRisk(tool) !== "low" && !enable_tools.includes(tool)) return "not_enabled";
  if (allowed_tools_policy === "report") return null;
  const deciding = owner === null ? selected : [owner];
  return deciding.length === 0 || deciding.some((skill) => allows(skill, tool)) ? null : "restricted";
}

/**
 * The tools that may be called, those of skills last. While no skill is selected, every tool that was switched on by its
 * name is among them: some skill may bring it.
 */
export function effectiveTools(policy: AgentPolicy, selected: readonly AgentSkill[]): string[] {
  const builtIn = builtInTools.filter(
    (tool) => policyProblem(policy, tool, { owner: null, selected }) === null,
  );
  const isBuiltIn = (tool: string) => (builtInTools as readonly string[]).includes(tool);
  const brought =
    selected.length === 0
      ? policy.enable_tools.filter((tool) => !policy.deny_tools.includes(tool))
      : selected.flatMap((owner) =>
          owner.tools
            .map(({ name }) => name)
            .filter((name) => policyProblem(policy, name, { owner, selected }) === null),
        );
  return [...builtIn, ...new Set(brought.filter((tool) => !isBuiltIn(tool)))];
}

function allows({ allowedTools }: AgentSkill, tool: string): boolean {
  return allowedTools === null || allowedTools.mapped.includes(tool);
}
