import { shownText } from "../../base/visible-text.ts";
import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentGuardrails } from "../../contract/agent-limits.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { findScript, interpreterOf, interpreterPath } from "./find-script.ts";
import { errorOfPath } from "./path-error.ts";
import { runToEnd } from "./run-to-end.ts";
import { scriptWork } from "./script-work.ts";
import { refusedWork, type ToolOrder, type ToolWork } from "./tool-work.ts";

export interface ScriptArguments {
  skill: AgentSkill;
  relative_path: string;
  args: readonly string[];
}

export interface ScriptOptions {
  catalog: Pick<AgentCatalog, "isHidden" | "isUnchanged">;
  guardrails: Pick<AgentGuardrails, "interpreters">;
  log: Pick<RunLog, "runId" | "workspace" | "keep">;
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  /** Variables besides the allow-list that the user lets through. */
  variables: Readonly<Record<string, string>>;
}

const longestMs = 30_000;
const mostBytes = 1_048_576;

/** Runs a script that a skill brings: in the workspace, contained, without a shell. */
export async function runScript(
  { args: { skill, relative_path, args }, callId, remainingMs, signal }: ToolOrder<ScriptArguments>,
  { catalog, guardrails, log, sandbox, env, variables }: ScriptOptions,
): Promise<ToolWork> {
  if (!(await catalog.isUnchanged(skill))) return refusedWork(changed(skill));
  const script = findScript(skill.dir, relative_path, catalog.isHidden);
  if (!script.ok) return refusedWork(errorOfPath(script), { path: { ...script.path } });
  const path = { ...script.path };
  const named = interpreterOf(relative_path, guardrails.interpreters);
  if ("code" in named) return refusedWork(named, { path });
  const interpreter = await interpreterPath(named.program, skill.dir, env, sandbox.canReach);
  if ("code" in interpreter) return refusedWork(interpreter, { path });

  const { workspace, runId } = log;
  const deadlineMs = Math.max(1, Math.min(longestMs, remainingMs));
  const run = await runToEnd(
    sandbox,
    {
      argv: [interpreter.path, script.real, ...args],
      ...{ cwd: workspace, workspace, folder: skill.dir, deadlineMs },
      env: { ...variables, EVAL_SKILLS_RUN_ID: runId, EVAL_SKILLS_SKILL_DIR: skill.dir },
    },
    mostBytes,
    signal,
  );
  const keep = (stream: string, bytes: Buffer) => log.keep(`${callId}-${stream}.txt`, bytes);
  return { ...scriptWork(run, { deadlineMs, mostBytes }, keep), path };
}

function changed({ name }: AgentSkill): AgentError {
  return { code: "SkillChanged", message: `the files of ${shownText(name)} are not those that were indexed` };
}
