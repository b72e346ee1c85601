import type { AgentError } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import { type AgentGuardrails, type AgentPolicy, sandboxLevels } from "../../contract/limits.ts";
import type { Sandbox, SkillCommand } from "../../contract/sandbox.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { findScript, interpreterName, interpreterPath, scriptPathProblem } from "./find-script.ts";
import type { Refused } from "./prepared-call.ts";
import { type ProgramRun, runToEnd } from "./run-to-end.ts";
import { scriptWork } from "./script-work.ts";
import { errorOfPath, refusedWork, skillChanged, type ToolOrder, type ToolWork } from "./tool-work.ts";

export interface ScriptOptions {
  policy: Pick<AgentPolicy, "sandbox">;
  catalog: Pick<AgentCatalog, "isHidden" | "isUnchanged">;
  guardrails: Pick<AgentGuardrails, "interpreters">;
  log: Pick<RunLog, "runId" | "workspace" | "keep">;
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  /** Variables besides the allow-list that the user lets through. */
  variables: Readonly<Record<string, string>>;
}

/** A script whose approval may be requested: only its path was checked, no file. */
interface ScriptCall {
  skill: AgentSkill;
  path: string;
  args: readonly string[];
  /** As `python -m` does. */
  asModule: boolean;
  program: string;
}

interface ScriptPayload {
  relative_path: string;
  args: readonly string[];
  as_module?: boolean | undefined;
}

const maxMs = 30_000;
const maxBytes = 1_048_576;

/** Reads the call of a script, and whether there is a program and a sandbox for it. */
export function checkScript(
  { relative_path: path, args, as_module: asModule = false }: ScriptPayload,
  skill: AgentSkill | null,
  options: ScriptOptions,
): { ok: true; ready: ScriptCall } | Refused {
  if (skill === null) throw new Error("a script without a skill");
  const problem = scriptPathProblem(path);
  if (problem !== null) return { ok: false, error: errorOfPath(problem), path: { ...problem.path } };
  if (args.some((arg) => arg.includes("\0"))) {
    const message = "run_script: no program takes an argument with a null character";
    return { ok: false, error: { code: "InvalidAction", message } };
  }
  if (asModule && moduleName(path) === null) {
    const message = `run_script: ${shownText(path)} is not a Python module`;
    return { ok: false, error: { code: "InvalidAction", message } };
  }
  const named = interpreterName(path, options.guardrails.interpreters);
  if (!named.ok) return named;
  const weak = weakerThanAsked(options);
  if (weak !== null) return { ok: false, error: weak };
  return { ok: true, ready: { skill, path, args, asModule, program: named.program } };
}

/** Runs a script that a skill brings: in the workspace, contained, without a shell. */
export async function runScript(
  { args: { skill, path, args, asModule, program }, callId, remainingMs, signal }: ToolOrder<ScriptCall>,
  options: ScriptOptions,
): Promise<ToolWork> {
  const { catalog, log, sandbox, env } = options;
  if (!(await catalog.isUnchanged(skill))) return refusedWork(skillChanged(skill));
  const script = findScript(skill.dir, path, catalog);
  const facts = { path: { ...script.path } };
  if (!script.ok) return refusedWork(errorOfPath(script), facts);
  const interpreter = await interpreterPath(program, skill.dir, env, sandbox.canReach);
  if (!interpreter.ok) return refusedWork(interpreter.error, facts);

  const { workspace } = log;
  const command = {
    argv: [interpreter.path, ...programWords(script.real, path, asModule), ...args] as const,
    ...{ cwd: workspace, workspace, folder: skill.dir, deadlineMs: codeLimits(skill, remainingMs) },
    ...(skill.scripts.network !== null && { network: skill.scripts.network }),
  };
  return {
    ...(await runContained({ command, skill, seesModules: asModule, callId, signal }, options)),
    ...facts,
  };
}

/** A file, or with `-m` the module that it is, seen from the folder of its skill. */
function programWords(file: string, path: string, asModule: boolean): string[] {
  return asModule ? ["-m", moduleName(path) ?? ""] : [file];
}

/** `scripts/pkg/tool.py` is `scripts.pkg.tool`; null for a path that is no module. */
function moduleName(path: string): string | null {
  const steps = path.split("/").filter((step) => step !== "." && step !== "");
  const name = steps
    .join(".")
    .replace(/\.py$/, "")
    .replace(/\.__main__$/, "");
  const isModule = path.endsWith(".py") && name.split(".").every((step) => /^[A-Za-z_]\w*$/.test(step));
  return isModule ? name : null;
}

/** How long code may run: as long as its skill says, at most as long as the run has left. */
export function codeLimits(skill: AgentSkill | null, remainingMs: number): number {
  return Math.max(1, Math.min(maxMs, remainingMs, skill?.scripts.maxMs ?? maxMs));
}

/** Why nothing runs in a sandbox that is weaker than the case demands. */
export function weakerThanAsked({ policy, sandbox: { containment } }: ScriptOptions): AgentError | null {
  const { sandbox: floor } = policy;
  if (floor === null || sandboxLevels.indexOf(containment.level) <= sandboxLevels.indexOf(floor)) return null;
  return {
    code: "SandboxUnavailable",
    message: `containment is ${containment.level}, and ${floor} is asked for`,
  };
}

interface ContainedRun {
  command: Omit<SkillCommand, "env"> & { deadlineMs: number };
  /** Whose code it is, or whose files it may read. */
  skill: AgentSkill | null;
  /** Whether Python finds the modules in the folder of the skill. */
  seesModules: boolean;
  /** A model wrote it, and is told how it failed; what the sandbox kept from it is the environment it has. */
  isImprovised?: boolean;
  callId: string;
  signal: AbortSignal;
}

/** Runs a program in the sandbox, stores what it wrote, and says how it ended. */
export async function runContained(
  { command: asked, skill, seesModules, isImprovised = false, callId, signal }: ContainedRun,
  { log, sandbox, variables }: ScriptOptions,
): Promise<ToolWork> {
  const env = {
    ...variables,
    EVAL_SKILLS_RUN_ID: log.runId,
    ...(skill !== null && { EVAL_SKILLS_SKILL_DIR: skill.dir }),
    ...(skill !== null && seesModules && { PYTHONPATH: skill.dir }),
  };
  const command: SkillCommand & { deadlineMs: number } = { ...asked, env };
  const run = await runToEnd(sandbox, command, maxBytes, signal);
  const hindrance =
    hasFailed(run) && !isImprovised ? sandbox.explain?.(command, { words: run.stderr.text(true) }) : null;
  const keep = (stream: string, bytes: Buffer) => log.keep(`${callId}-${stream}.txt`, bytes);
  const hidden = hindrance?.isChosen === false ? hindrance.why : null;
  return scriptWork(run, { deadlineMs: command.deadlineMs, maxBytes }, keep, hidden);
}

/** By itself, without passing a limit. */
function hasFailed({ end }: ProgramRun): boolean {
  return end.kind === "exited" && end.exit.code !== 0 && end.exit.limit === null;
}
