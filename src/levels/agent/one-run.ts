import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeDecide } from "../../agent-runtime/decide/make-decide.ts";
import { openLoader } from "../../agent-runtime/loader/open-loader.ts";
import { type AgentEnd, type LiveListener, runAgent } from "../../agent-runtime/loop/run-agent.ts";
import { callSkillTool } from "../../agent-runtime/tools/call-skill-tool.ts";
import { openTools } from "../../agent-runtime/tools/open-tools.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { Origin } from "../../contract/agent-origin.ts";
import type { AgentCatalog, AgentModel, AgentSkill, Approver } from "../../contract/agent-parts.ts";
import type { IsolationData } from "../../contract/agent-record.ts";
import type { Profile } from "../../contract/findings.ts";
import type { AgentGuardrails, AgentLimits, AgentPolicy } from "../../contract/limits.ts";
import type { InputFile } from "../../contract/loaded-case.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { HostedTool, ToolHosts } from "../../contract/tool-host.ts";
import { hostedTool } from "../../engine/skills/prompted-skills.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { UserError } from "../../shared/user-error.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";

/** Everything one run of an agent is made of. */
interface OneRun {
  request: string;
  /** What is copied into the workspace. */
  inputs: readonly InputFile[];
  catalog: AgentCatalog;
  profile: Profile;
  /** Skills the user names. */
  invoked: readonly string[];
  model: AgentModel;
  fallback: AgentModel | null;
  streaming: boolean;
  limits: AgentLimits;
  guardrails: AgentGuardrails;
  policy: AgentPolicy;
  approver: Approver;
  /** Opened on the first script. */
  sandbox: Sandbox;
  isolation: IsolationData;
  /** Call the tools that skills declare. */
  hosts: ToolHosts;
  /** Of the evaluation it belongs to. */
  evalRunId?: string | undefined;
  cellKey?: string | undefined;
  case?: { suite: string; id: string } | undefined;
  env: NodeJS.ProcessEnv;
  /** Variables that the user lets through to scripts. */
  variables: Readonly<Record<string, string>>;
  /** The command that began the run, word by word. */
  command?: readonly string[] | undefined;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  onLive?: LiveListener | undefined;
}

/** Runs an agent once and leaves a run directory. */
export async function oneRun(run: OneRun, log: RunLog): Promise<AgentEnd> {
  const { request, catalog, model, limits, guardrails, policy, clock, random, signal } = run;
  const inputFiles = copyInputs(run.inputs, log.workspace);
  const storedRequest = log.writeRequest(request);
  const loader = openLoader({ catalog, log, guardrails, profile: run.profile });
  const tools = openTools({
    policy,
    guardrails,
    catalog,
    log,
    sandbox: run.sandbox,
    isolation: run.isolation,
    approver: run.approver,
    clock,
    env: run.env,
    variables: run.variables,
    command: run.command,
    callSkillTool: callSkillTool(run.hosts, toolOfSkill, { catalog, log }),
  });
  return runAgent({
    request,
    inputFiles,
    limits,
    guardrails,
    policy,
    catalog,
    invoked: run.invoked,
    decide: makeDecide(model, { clock, random, fallback: run.fallback }),
    model,
    loader,
    tools,
    log,
    clock,
    signal,
    onLive: run.onLive,
    started: {
      request_ref: storedRequest.ref,
      request_sha256: storedRequest.sha256,
      model: modelFacts(model),
      streaming: run.streaming,
      isolation: run.isolation,
      origin: native,
      ...(run.evalRunId !== undefined && { eval_run_id: run.evalRunId }),
      ...(run.cellKey !== undefined && { cell_key: run.cellKey }),
      ...(run.case !== undefined && { case: run.case }),
    },
  });
}

const native: Origin = { kind: "native" };

function modelFacts({ id, identity }: AgentModel) {
  const slash = id.indexOf("/");
  return {
    provider: slash === -1 ? null : id.slice(0, slash),
    name: id.slice(slash + 1),
    params_sha256: sha256(canonicalJson(identity)),
  };
}

/** Copies the files of a case to where the agent and its scripts find them; says which those are. */
function copyInputs(inputs: readonly InputFile[], workspace: string): string[] {
  return inputs.map(({ name, path }) => {
    const to = join(workspace, "inputs", name);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(path, to);
    return `inputs/${name}`;
  });
}

/** A tool that a skill of an agent declares, ready to be called; null where it declares none of that name. */
async function toolOfSkill(skill: AgentSkill, name: string): Promise<HostedTool | null> {
  const tool = skill.tools.find((declared) => declared.name === name);
  if (tool === undefined) return null;
  const { name: id, dir, digest, scripts } = skill;
  const hosted = hostedTool({ id, dir, digest }, tool, await toolDeadline(dir, name));
  return scripts.network === null
    ? hosted
    : { ...hosted, skill: { ...hosted.skill, network: scripts.network } };
}

/** A broken `eval.yaml` is reported by `doctor`; here the default deadline applies. */
async function toolDeadline(dir: string, name: string): Promise<number | null> {
  try {
    return (await toolDeadlines(dir))(name);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
