import type { AgentError } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type {
  AgentSkill,
  ApprovalListener,
  Approver,
  ToolCall,
  ToolEnd,
  ToolsRuntime,
} from "../../contract/agent-parts.ts";
import type { Audit, IsolationData } from "../../contract/agent-record.ts";
import { toolRisk } from "../../contract/agent-tools.ts";
import type { AgentPolicy } from "../../contract/limits.ts";
import { type Clock, isoTime } from "../../shared/async/clock.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { openApprovals } from "./approvals.ts";
import { type BuiltInOptions, builtInTools } from "./built-in-tools.ts";
import { effectiveTools, type PolicyProblem, policyProblem } from "./effective-tools.ts";
import type { PreparedCall, Refused } from "./prepared-call.ts";
import { plainObservation, refusedWork, skillChanged, type ToolOrder, type ToolWork } from "./tool-work.ts";

/** Calls a tool that a skill declares. */
type CallSkillTool = (
  order: ToolOrder<{ skill: AgentSkill; tool: string; params: JsonObject }>,
) => Promise<ToolWork>;

export interface ToolsOptions extends Omit<BuiltInOptions, "policy" | "log" | "variables"> {
  policy: AgentPolicy;
  log: Pick<RunLog, "runId" | "workspace" | "keep" | "paramsHash" | "synced">;
  isolation: IsolationData;
  approver: Approver;
  clock: Clock;
  /** Variables besides the allow-list that the user lets through to scripts. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** The command that began the run, word by word: what it takes to allow a call is added to it. */
  command?: readonly string[] | undefined;
  /** Absent: tools of skills cannot be called. */
  callSkillTool?: CallSkillTool | undefined;
}

/** The tools of one run: a call passes policy, path guard and approval, in this order, and only then does something. */
export function openTools(options: ToolsOptions): ToolsRuntime {
  const { policy, log, clock, isolation, catalog, callSkillTool } = options;
  const builtIn = builtInTools({ ...options, variables: options.variables ?? {} });
  const approvals = openApprovals({ ...options, command: options.command ?? defaultCommand });

  function prepare(call: ToolCall, params: JsonObject, signal: AbortSignal): PreparedCall | Refused {
    const { tool, skill, callId, selected, remainingMs } = call;
    if (isBuiltIn(tool)) return builtIn[tool](call, params, signal);
    if (skill === null || callSkillTool === undefined) return { ok: false, error: noSkillTools(tool) };
    const order = { callId, args: { skill, tool, params }, selected, remainingMs, signal };
    return { ok: true, work: () => callSkillTool(order) };
  }

  function isBuiltIn(tool: string): tool is keyof typeof builtIn {
    return Object.hasOwn(builtIn, tool);
  }

  async function call(call: ToolCall, on: ApprovalListener, signal: AbortSignal): Promise<ToolEnd> {
    signal.throwIfAborted();
    const { tool, skill: owner, selected } = call;
    const began = clock.now();
    const params = structuredClone(call.params);
    const paramsHash = log.paramsHash(params);
    const end = (work: ToolWork, verdict: Audit["policy"]) =>
      toToolEnd(work, {
        tool,
        risk: toolRisk(tool),
        ts_start: isoTime(began),
        ts_end: isoTime(clock.now()),
        params,
        params_sha256: paramsHash,
        policy: verdict,
        ...(runsCode(call) && { isolation }),
      });

    const problem = policyProblem(policy, tool, { owner, selected });
    if (problem !== null)
      return end(refusedWork(notAllowed(tool, problem)), { allowed: false, approved: false });
    const prepared = prepare(call, params, signal);
    if (!prepared.ok) {
      const { error, path } = prepared;
      const allowed = error.code !== "ToolNotAllowed";
      return end(refusedWork(error, { path }), { allowed, approved: false });
    }
    const decision = await approvals.ask({ call, params, paramsHash }, on, signal);
    if (!decision.ok)
      return end(refusedWork(decision.error), { allowed: true, approved: false, approval_id: decision.id });
    // The log must be on disk before the effect.
    if (toolRisk(tool) !== "low") await log.synced();
    const work = await prepared.work();
    const changed = work.started && runsCode(call) ? await findChanged(owner, selected) : null;
    return end(changed === null ? work : spoiled(work, changed), {
      allowed: true,
      approved: decision.approval !== undefined,
      ...(decision.approval !== undefined && {
        approval_scope: decision.approval.scope,
        approval_id: decision.approval.id,
      }),
    });
  }

  /** A skill whose files are no longer those that were indexed, after something ran that may have written there. */
  async function findChanged(owner: AgentSkill | null, selected: readonly AgentSkill[]) {
    for (const skill of new Set([...(owner === null ? [] : [owner]), ...selected]))
      if (!(await catalog.isUnchanged(skill, true))) return skill;
    return null;
  }

  return { allowedTools: (selected) => effectiveTools(policy, selected), call };
}

const defaultCommand = ["eval-skills", "agent", "run", "…"];

/** Work that changed a skill: whatever else it did, the run proves nothing about that skill any more. */
function spoiled(work: ToolWork, skill: AgentSkill): ToolWork {
  const error = skillChanged(skill);
  return { ...work, error, observation: plainObservation(error.message) };
}

function runsCode({ tool, skill }: ToolCall): boolean {
  return skill !== null || tool === "run_command";
}

function toToolEnd(work: ToolWork, facts: Omit<Audit, "path" | "result" | "hashes">): ToolEnd {
  const { started, error, result, observation, path, ended, hashes, changes } = work;
  const ok = error === undefined;
  return {
    ...{ started, ok, error, result, observation, changes },
    audit: {
      ...facts,
      ...(path !== undefined && { path }),
      result: { ok, ...ended },
      hashes: hashes ?? {},
    } as Audit,
  };
}

const policyWords: Readonly<Record<PolicyProblem, string>> = {
  denied: "it is denied",
  not_enabled: "it is not switched on",
  restricted: "the allowed-tools of the selected skills leave it out",
};

function notAllowed(tool: string, reason: PolicyProblem): AgentError {
  return { code: "ToolNotAllowed", message: `${tool} is not allowed: ${policyWords[reason]}`, reason };
}

function noSkillTools(tool: string): AgentError {
  const message = `${tool} is not allowed: tools of skills cannot be called in this run`;
  return { code: "ToolNotAllowed", message, reason: "no_skill_tools" };
}
