import type * as z from "zod";
import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill, ToolCall } from "../../contract/agent-parts.ts";
import type { toolArguments } from "../../contract/agent-tools.ts";
import type { SkillCommand } from "../../contract/sandbox.ts";
import { interpreterPath } from "./find-script.ts";
import type { Refused } from "./prepared-call.ts";
import { codeLimits, runContained, type ScriptOptions, weakerThanAsked } from "./run-script.ts";
import { refusedWork, skillChanged, type ToolOrder, type ToolWork } from "./tool-work.ts";
import { compareSnapshots, takeSnapshot } from "./workspace-changes.ts";

/** A command whose approval may be requested; nothing was looked for yet. */
interface CommandCall {
  command: string;
  /** Null: a shell reads the command. */
  args: readonly string[] | null;
  /** The skill that was selected last: the command may read its files. */
  skill: AgentSkill | null;
}

/** Reads a command, and whether there is a sandbox for it. */
export function checkCommand(
  { command, args }: z.output<typeof toolArguments.run_command>,
  { selected }: Pick<ToolCall, "selected">,
  options: ScriptOptions,
): { ok: true; ready: CommandCall } | Refused {
  if ([command, ...(args ?? [])].some((word) => word.includes("\0"))) {
    const message = "run_command: no program takes an argument with a null character";
    return { ok: false, error: { code: "InvalidAction", message } };
  }
  const weak = weakerThanAsked(options);
  if (weak !== null) return { ok: false, error: weak };
  return { ok: true, ready: { command, args: args ?? null, skill: selected.at(-1) ?? null } };
}

/** Runs a command that the model wrote: in the workspace, contained as scripts are. Says what it did to the files there. */
export async function runCommand(
  { args: { command: typed, args, skill }, callId, remainingMs, signal }: ToolOrder<CommandCall>,
  options: ScriptOptions,
): Promise<ToolWork> {
  const { catalog, log, sandbox, env, guardrails } = options;
  if (skill !== null && !(await catalog.isUnchanged(skill))) return refusedWork(skillChanged(skill));
  const { workspace } = log;
  const program = args === null ? (guardrails.interpreters[".sh"] ?? "sh") : typed;
  // A path leads to a file of the workspace or of the system, as it does in a shell.
  const found: { ok: true; path: string } | { ok: false; error: AgentError } = program.includes("/")
    ? { ok: true, path: program }
    : await interpreterPath(program, skill?.dir ?? workspace, env, sandbox.canReach);
  if (!found.ok) return refusedWork(found.error);
  const command: Omit<SkillCommand, "env"> & { deadlineMs: number } = {
    argv: [found.path, ...(args ?? ["-c", typed])],
    ...{ cwd: workspace, workspace, folder: skill?.dir ?? workspace },
    deadlineMs: codeLimits(skill, remainingMs),
    ...(skill?.scripts.network === "none" && { network: "none" }),
  };
  const before = takeSnapshot(workspace);
  const work = await runContained(
    { command, skill, seesModules: true, isImprovised: true, callId, signal },
    options,
  );
  const changes = work.started ? compareSnapshots(before, takeSnapshot(workspace)) : null;
  return changes === null ? work : { ...work, changes };
}
