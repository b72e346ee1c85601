import type { Action } from "../../contract/agent-action.ts";
import type { AgentCaseFile, ApprovalRule } from "../../contract/agent-case.ts";
import { toolRisk } from "../../contract/agent-tools.ts";
import { fitsPart } from "../../shared/json/json-values.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** Warns of scripted calls that will be refused although the case expects no refusal, with the fields to add. */
export function warnOfRefusals(file: AgentCaseFile, report: ProblemReporter): void {
  const granted = new Set<string>();
  for (const [index, { action }] of (file.mock?.turns ?? []).entries()) {
    const call = action === undefined ? null : callIn(action);
    if (call === null) continue;
    const refusal = findRefusal(call, file, granted);
    if (refusal === null || isExpected(refusal.codes, call.tool, file)) continue;
    const { shown, jsonPath } = report.locate(["mock", "turns", index]);
    report.warn(
      `${shown}: ${jsonPath} of case ${file.id} uses ${shownText(call.tool)}, which is ${refusal.why}: it will fail sequence (UnexpectedRefusal); ${refusal.advice}`,
    );
  }
}

interface Call {
  tool: string;
  params: Record<string, unknown>;
  /** Which later calls a grant for the whole run covers. */
  scope: string;
}

function callIn(action: Action): Call | null {
  if (action.type === "run_script")
    return {
      tool: "run_script",
      params: action.payload,
      scope: `run_script ${action.payload.skill.name}`,
    };
  if (action.type !== "call_tool") return null;
  const { tool, arguments: params } = action.payload;
  return { tool, params, scope: tool };
}

interface Refusal {
  why: string;
  /** Any of them says that the case knows. */
  codes: readonly string[];
  advice: string;
}

/** Refusals that come before an approval is requested. */
const earlier = ["InvalidAction", "AmbiguousTool", "SkillNotSelected", "BudgetExceeded", "ArgsTooLong"];

function findRefusal(call: Call, file: AgentCaseFile, granted: Set<string>): Refusal | null {
  const { tool, scope } = call;
  const { enable_tools, constraints, approvals } = file;
  const { deny_tools, require_approval_for } = constraints;
  const risk = toolRisk(tool);
  const notAllowed = [...earlier, "ToolNotAllowed"];
  if (deny_tools.includes(tool))
    return {
      why: "in constraints.deny_tools",
      codes: notAllowed,
      advice: `remove it there, or add "expect": {"errors": [{"code": "ToolNotAllowed", "tool": ${JSON.stringify(tool)}}]}`,
    };
  const needsApproval = risk !== "low" || require_approval_for.includes(tool);
  const rule = approvals.find((one) => one.tool === tool && fitsPart(one.match ?? {}, call.params));
  const approval = `"approvals": [${JSON.stringify({ tool, decision: "grant" })}]`;
  if (risk !== "low" && !enable_tools.includes(tool)) {
    const fields = [`"enable_tools": [${JSON.stringify(tool)}]`, ...(isGrant(rule) ? [] : [approval])];
    return { why: "not enabled", codes: notAllowed, advice: `add ${fields.join(" and ")}` };
  }
  if (!needsApproval || granted.has(scope)) return null;
  if (isGrant(rule)) {
    if (rule?.scope === "run" && risk !== "high") granted.add(scope);
    return null;
  }
  return {
    why: rule === undefined ? "not approved" : "denied by approvals",
    codes: [...earlier, "PathTraversalBlocked", "ApprovalDenied", "ApprovalRequired"],
    advice: `add ${approval}`,
  };
}

function isGrant(rule: ApprovalRule | undefined): boolean {
  return rule?.decision === "grant";
}

function isExpected(codes: readonly string[], tool: string, { expect }: AgentCaseFile): boolean {
  return expect.errors.some(
    (error) =>
      codes.includes(error.code) && (error.tool === undefined || error.tool === tool) && error.max !== 0,
  );
}
