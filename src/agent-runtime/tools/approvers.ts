import type { ApprovalRule } from "../../contract/agent-case.ts";
import type { ApprovalDecision, Approver } from "../../contract/agent-parts.ts";
import type { ApprovalRequest } from "../../contract/agent-record.ts";
import { toolRisk } from "../../contract/agent-tools.ts";
import { type ApprovalScope, approvalScopes } from "../../contract/limits.ts";
import { fitsPart } from "../../shared/json/json-values.ts";

/** Decides by the rules of a case: the first that fits, and no where none does. */
export function scriptedApprover(rules: readonly ApprovalRule[]): Approver {
  async function decide({ tool, params }: ApprovalRequest): Promise<ApprovalDecision> {
    const index = rules.findIndex((rule) => rule.tool === tool && fitsPart(rule.match ?? {}, params));
    const rule = rules[index];
    const by = rule === undefined ? "scripted" : `scripted: rule ${index + 1}`;
    if (rule?.decision === "grant") return { decision: "grant", scope: rule.scope, by };
    const reason = rule === undefined ? "no rule grants it" : `rule ${index + 1} denies it`;
    return { decision: "deny", by, reason };
  }
  return { mode: "scripted", decide };
}

/** A tool that a flag lets be called, and how. */
export interface ApproveFlag {
  tool: string;
  scope: ApprovalScope;
}

/** Reads `--approve <tool>[:call|:run]`, or says what is wrong with it. */
export function parseApproveFlag(typed: string): ApproveFlag | { problem: string } {
  const [tool = "", scope = "call", ...rest] = typed.split(":");
  if (tool === "") return { problem: "names no tool" };
  if (rest.length > 0 || !isScope(scope)) return { problem: "must end in :call or :run" };
  if (scope === "run" && toolRisk(tool) === "high")
    return {
      problem: `cannot cover the whole run: ${tool} is approved call by call, use --approve ${tool}`,
    };
  return { tool, scope };
}

/** Decides by flags. Without a flag the call is undecided: there is nobody to ask. */
export function flagsApprover(flags: readonly ApproveFlag[]): Approver {
  return {
    mode: "flags",
    decide: async (request) =>
      byFlag(flags, request) ?? undecided("no --approve names it, and there is no terminal to ask at"),
  };
}

/** What a person says to a request; `run`: yes, and to later calls of this tool and skill too. */
export type Ask = (request: ApprovalRequest, signal: AbortSignal) => Promise<"yes" | "run" | "no">;

/** Decides by flags, then asks. */
export function interactiveApprover(ask: Ask, flags: readonly ApproveFlag[] = []): Approver {
  async function decide(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    const flagged = byFlag(flags, request);
    if (flagged !== null) return flagged;
    const answer = await ask(request, signal);
    const by = "terminal";
    if (answer === "yes" || answer === "run")
      return { decision: "grant", scope: answer === "run" ? "run" : "call", by };
    return { decision: "deny", by, reason: "the answer was no" };
  }
  return { mode: "interactive", decide };
}

function byFlag(flags: readonly ApproveFlag[], { tool }: ApprovalRequest): ApprovalDecision | null {
  const flag = flags.find((candidate) => candidate.tool === tool);
  return flag === undefined ? null : { decision: "grant", scope: flag.scope, by: "flag" };
}

function undecided(reason: string): ApprovalDecision {
  return { decision: "unasked", reason };
}

function isScope(text: string): text is ApprovalScope {
  return (approvalScopes as readonly string[]).includes(text);
}
