import { resolve } from "node:path";
import {
  type ApproveFlag,
  flagsApprover,
  interactiveApprover,
  parseApproveFlag,
} from "../../agent-runtime/tools/approvers.ts";
import { effectiveLimits } from "../../cases/effective-case.ts";
import { readMockFile } from "../../cases/files/check-mock.ts";
import { toolRisk } from "../../contract/agent-tools.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import { flagName, type OptionRow } from "../../contract/option-table.ts";
import {
  commonOutput,
  containmentOptions,
  modelSettings,
  projectRoot,
  type RunConfig,
} from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { defaultSkillRoots, type SkillRoot, typedRoots } from "../../engine/skills/skill-root-folders.ts";
import { type AgentRunFlags, agentRunTable } from "../../operations/agent/run-options.ts";
import { type SingleRun, singleRun } from "../../operations/agent/single-run.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { askApproval, forStdout, showAgent } from "../io/agent-terminal.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadRunConfig } from "../io/load-command-config.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";

/** `agent run`: one run, its answer on stdout, what happens meanwhile on stderr. */
export async function agentRunCommand(flags: AgentRunFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await loadRunConfig(io);
  const { cwd } = io;
  const { env } = loaded;
  const { record, replay } = flags;
  const runsDir = writtenPath(flags.runsDir, cwd);
  const output = commonOutput({ evalLog: null, maxCostUsd: flags.maxCostUsd }, loaded, cwd);
  const facts = makeRunContext({ ...loaded, env, cwd, output, record, replay });
  const run = await makeSingleRun(flags, loaded, runsDir, io);
  if (flags.mock !== undefined) warnOfIdleFlags(facts.judges, io);
  using interrupt = listenForInterrupt();
  using live = showAgent(io, { streams: flags.stream === true });
  const end = await singleRun(run, {
    env,
    version: facts.version,
    models: facts.judges,
    exclude: [...facts.exclude, runsDir],
    permissions: loaded.permissions,
    signal: interrupt.signal,
    onLive: live.listener,
    onContainment: (containment) => {
      if (containment.level !== "strict") io.warn(describeContainment(containment));
    },
    warn: io.warn,
  });
  live[Symbol.dispose]();
  const dir = nearPath(end.dir, cwd);
  const { status, stop_reason, degraded, final, runId } = end;
  const exitCode = interrupt.signal.aborted
    ? exitCodeOfSignal[interrupt.signal.reason.signal as "SIGINT"]
    : runExitCode(status);
  io.note(`${status}: ${stop_reason} · ${dir} · eval-skills agent replay ${dir}`);
  const document = { status, stop_reason, degraded, answer: final, run_id: runId, run_dir: dir, exitCode };
  // Text streamed before a reply failed is not the answer.
  io.result(document, live.hasShownAnswer && !degraded ? "" : forStdout(final, io));
  return exitCode;
}

function runExitCode(status: "completed" | "stopped" | "failed"): ExitCode {
  return ({ completed: 0, stopped: 1, failed: 3 } as const)[status];
}

async function makeSingleRun(
  flags: AgentRunFlags,
  loaded: RunConfig,
  runsDir: string,
  io: CommandIo,
): Promise<SingleRun> {
  const { cwd } = io;
  const { config } = loaded;
  const { agent } = config;
  if (flags.mock !== undefined && flags.model !== undefined)
    throw new UserError("usage", "--mock and --model cannot be combined");
  const root = projectRoot(loaded.files, cwd);
  const roots: SkillRoot[] =
    flags.skills === undefined ? defaultSkillRoots(config.skills.roots, root) : typedRoots(flags.skills, cwd);
  const approvals = (flags.approve ?? []).map(readApproval);
  checkedTools(
    approvals.map(({ tool }) => tool),
    "--approve",
  );
  for (const { tool } of approvals)
    if (toolRisk(tool) !== "low" && !(flags.enableTool ?? []).includes(tool))
      io.warn(`--approve ${tool} has no effect: enable the tool with --enable-tool ${tool}`);
  const ask = io.ask === undefined || io.json ? null : askApproval(io.ask);
  return {
    request: flags.request,
    roots,
    invoked: flags.skill ?? [],
    model:
      flags.mock === undefined
        ? { id: flags.model ?? config.llm.model }
        : { script: await readMockFile(resolve(cwd, flags.mock), flags.mock) },
    modelOptions: {
      settings: modelSettings(config),
      fallback: flags.mock === undefined ? agent.fallback_model : null,
    },
    agent,
    limits: effectiveLimits(agent, {}),
    policy: {
      mode: ask === null ? "flags" : "interactive",
      enable_tools: checkedTools(flags.enableTool, "--enable-tool"),
      deny_tools: checkedTools(flags.denyTool, "--deny-tool"),
      require_approval_for: [],
      allowed_tools_policy: agent.allowed_tools_policy,
      network_hosts: flags.networkHost ?? [],
      sandbox: null,
    },
    approver: ask === null ? flagsApprover(approvals) : interactiveApprover(ask, approvals),
    containment: containmentOptions(flags.sandbox, loaded),
    recording: flags.recordRaw === true ? "raw" : "minimal",
    streaming: true,
    command: rerunCommand(flags, io),
    runsDir,
    cwd,
  };
}

function readApproval(typed: string): ApproveFlag {
  const flag = parseApproveFlag(typed);
  if (!("problem" in flag)) return flag;
  throw new UserError("usage", `--approve ${JSON.stringify(typed)} ${flag.problem}`, {
    hint: "--approve run_script:run",
  });
}

/** A misspelt tool would silently enable nothing. Tools of skills have their own names. */
function checkedTools(names: readonly string[] | undefined, flag: string): readonly string[] {
  for (const name of names ?? []) {
    if ((builtInTools as readonly string[]).includes(name)) continue;
    const near = nearest(name, builtInTools);
    if (near !== null)
      throw new UserError("usage", `unknown tool ${JSON.stringify(name)} in ${flag}`, {
        hint: `did you mean ${near}?`,
      });
  }
  return names ?? [];
}

/** The command that repeats this run with the same sandbox and limits; flags that allow a call are appended. */
function rerunCommand(
  { request, stream: _, ...flags }: AgentRunFlags,
  { configPath }: Pick<CommandIo, "configPath">,
): string[] {
  const words = Object.entries(flags).flatMap(([name, value]) => {
    const { flag, default: defaultValue }: OptionRow = agentRunTable[name as keyof typeof flags];
    if (value === undefined || value === defaultValue) return [];
    return value === true ? [flagName({ flag })] : [flagName({ flag }), ...[value].flat().map(String)];
  });
  const config = configPath === undefined ? [] : ["-c", configPath];
  return ["eval-skills", "agent", "run", request, ...config, ...words];
}
