import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import { type AgentGuardrails, type AgentPolicy, sandboxLevels } from "../../contract/limits.ts";
import type { Sandbox, SkillCommand } from "../../contract/sandbox.ts";
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
  program: string;
}

const maxMs = 30_000;
const maxBytes = 1_048_576;

/** Reads the call of a script, and whether there is a program and a sandbox for it. */
export function checkScript(
  { relative_path: path, args }: { relative_path: string; args: readonly string[] },
  skill: AgentSkill | null,
  { policy, guardrails, sandbox: { containment } }: ScriptOptions,
): { ok: true; ready: ScriptCall } | Refused {
  if (skill === null) throw new Error("a script without a skill");
  const problem = scriptPathProblem(path);
  if (problem !== null) return { ok: false, error: errorOfPath(problem), path: { ...problem.path } };
  if (args.some((arg) => arg.includes("\0"))) {
    const message = "run_script: no program takes an argument with a null character";
    return { ok: false, error: { code: "InvalidAction", message } };
  }
  const named = interpreterName(path, guardrails.interpreters);
  if (!named.ok) return named;
  const { sandbox: floor } = policy;
  if (floor !== null && sandboxLevels.indexOf(containment.level) > sandboxLevels.indexOf(floor)) {
    const message = `containment is ${containment.level}, and ${floor} is asked for`;
    return { ok: false, error: { code: "SandboxUnavailable", message } };
  }
  return { ok: true, ready: { skill, path, args, program: named.program } };
}

/** Runs a script that a skill brings: in the workspace, contained, without a shell. */
export async function runScript(
  { args: { skill, path, args, program }, callId, remainingMs, signal }: ToolOrder<ScriptCall>,
  { catalog, log, sandbox, env, variables }: ScriptOptions,
): Promise<ToolWork> {
  if (!(await catalog.isUnchanged(skill))) return refusedWork(skillChanged(skill));
  const script = findScript(skill.dir, path, catalog);
  const facts = { path: { ...script.path } };
  if (!script.ok) return refusedWork(errorOfPath(script), facts);
  const interpreter = await interpreterPath(program, skill.dir, env, sandbox.canReach);
  if (!interpreter.ok) return refusedWork(interpreter.error, facts);

  const { workspace, runId } = log;
  const { network, maxMs: ownMs } = skill.scripts;
  const deadlineMs = Math.max(1, Math.min(maxMs, remainingMs, ownMs ?? maxMs));
  const command: SkillCommand & { deadlineMs: number } = {
    argv: [interpreter.path, script.real, ...args],
    ...{ cwd: workspace, workspace, folder: skill.dir, deadlineMs },
    ...(network !== null && { network }),
    env: { ...variables, EVAL_SKILLS_RUN_ID: runId, EVAL_SKILLS_SKILL_DIR: skill.dir },
  };
  const run = await runToEnd(sandbox, command, maxBytes, signal);
  const hindrance = hasFailed(run) ? sandbox.explain?.(command, { words: run.stderr.text(true) }) : null;
  const keep = (stream: string, bytes: Buffer) => log.keep(`${callId}-${stream}.txt`, bytes);
  return {
    ...scriptWork(run, { deadlineMs, maxBytes }, keep, hindrance?.isChosen === false ? hindrance.why : null),
    ...facts,
  };
}

/** By itself, without passing a limit. */
function hasFailed({ end }: ProgramRun): boolean {
  return end.kind === "exited" && end.exit.code !== 0 && end.exit.limit === null;
}
