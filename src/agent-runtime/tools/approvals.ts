import type { AgentError } from "../../contract/agent-error.ts";
import type { ApprovalListener, Approver, ToolCall } from "../../contract/agent-parts.ts";
import type { ApprovalRequest } from "../../contract/agent-record.ts";
import { toolRisk } from "../../contract/agent-tools.ts";
import type { AgentPolicy, ApprovalScope } from "../../contract/limits.ts";
import { canonicalJson } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { shellWord } from "../../shared/text/command-line.ts";

/** Whether a call may go on, and who approved it. `approval` is absent where none is needed. */
export type ApprovalResult =
  | { ok: true; approval?: { scope: ApprovalScope; id: string } | undefined }
  | { ok: false; error: AgentError; id: string };

/** A call as its approval is requested: with our own copy of its parameters, and their hash. */
export interface PendingCall {
  call: ToolCall;
  params: JsonObject;
  paramsHash: string;
}

export interface ApprovalsOptions {
  policy: AgentPolicy;
  approver: Approver;
  /** The command that began the run, word by word. */
  command: readonly string[];
}

/** The approvals of one run. A grant is for one exact call, or for later calls of the same tool and skill. */
export function openApprovals({ policy, approver, command }: ApprovalsOptions): {
  ask(pending: PendingCall, on: ApprovalListener, signal: AbortSignal): Promise<ApprovalResult>;
} {
  const runGrants = new Map<string, string>();

  async function ask(
    pending: PendingCall,
    on: ApprovalListener,
    signal: AbortSignal,
  ): Promise<ApprovalResult> {
    const { tool } = pending.call;
    const risk = toolRisk(tool);
    const needsApproval = policy.require_approval_for.includes(tool);
    if (risk === "low" && !needsApproval) return { ok: true };
    const given = runGrants.get(grantKey(pending.call));
    if (given !== undefined) return { ok: true, approval: { scope: "run", id: given } };

    const shown = canonicalJson(pending.params);
    const request = requestFor(pending, risk, command);
    const { approval_id: id, call_id, params_sha256 } = request;
    on.required(request);
    const answer = await approver.decide(request, signal);
    signal.throwIfAborted();
    if (answer.decision === "unasked") return { ok: false, id, error: unanswered(request, answer.reason) };
    const refuse = (by: string, reason: string, word: string): ApprovalResult => {
      on.denied({ approval_id: id, call_id, by, reason });
      return {
        ok: false,
        id,
        error: { code: "ApprovalDenied", message: `${tool}: ${reason}`, reason: word },
      };
    };
    if (answer.decision === "deny") return refuse(answer.by, answer.reason, "denied");
    // An approval is for what was shown, and what was shown is what is done.
    const isSame = [request.params, pending.params, pending.call.params].every(
      (params) => canonicalJson(params) === shown,
    );
    if (!isSame)
      return refuse("runtime", "its parameters changed while leave was asked for", "params_changed");

    const scope = answer.scope === "run" && risk === "medium" ? "run" : "call";
    if (scope === "run") runGrants.set(grantKey(pending.call), id);
    on.granted({ approval_id: id, call_id, scope, by: answer.by, params_sha256 });
    return { ok: true, approval: { scope, id } };
  }

  return { ask };
}

/** The approver gets its own copy: changes to it do not reach the call. */
function requestFor(
  { call, params, paramsHash }: PendingCall,
  risk: string,
  command: readonly string[],
): ApprovalRequest {
  const { callId, tool } = call;
  const enabled = command.indexOf("--enable-tool");
  const isEnabled = enabled !== -1 && command.includes(tool, enabled);
  const words = [...command, ...(isEnabled ? [] : ["--enable-tool", tool]), "--approve", `${tool}:call`];
  return {
    approval_id: `a${callId.replace(/^c/, "")}`,
    call_id: callId,
    tool,
    risk,
    reason: reasons[tool] ?? (risk === "low" ? "the policy requires approval" : "runs code of a skill"),
    params: structuredClone(params),
    params_sha256: paramsHash,
    replay: words.map(shellWord).join(" "),
  };
}

const reasons: Readonly<Record<string, string>> = {
  run_script: "runs a program that a skill brings",
  run_command: "runs a command that the model wrote",
  write_file: "writes a file in the workspace",
  delete_file: "deletes a file in the workspace",
  network_request: "sends a request over the network",
};

function unanswered({ tool, approval_id, params_sha256, replay }: ApprovalRequest, why: string): AgentError {
  return {
    code: "ApprovalRequired",
    message: `${tool} needs leave and nobody could be asked: ${why}. To allow it: ${replay}`,
    reason: "unasked",
    details: { approval_id, tool, params_sha256, replay },
  };
}

function grantKey({ tool, skill }: ToolCall): string {
  return JSON.stringify([tool, skill?.source, skill?.name]);
}
