import { RunScript } from "../../contract/agent-action.ts";
import { type BuiltInTool, toolArguments } from "../../contract/agent-tools.ts";
import type { AgentPolicy } from "../../contract/limits.ts";
import { lexicalProblem, splitToolPath, toolPathProblem } from "../../shared/files/path-guard.ts";
import type { Lookup } from "../../shared/network/checked-addresses.ts";
import { contentProblem, deleteFile, writeFile } from "./change-files.ts";
import { grepTool } from "./grep.ts";
import { networkTarget } from "./network-target.ts";
import { defineTool, type Preparation, type Refused, unlessBlocked } from "./prepared-call.ts";
import { listDirTool, readFileTool } from "./read-files.ts";
import { checkCommand, runCommand } from "./run-command.ts";
import { checkScript, runScript, type ScriptOptions } from "./run-script.ts";
import { readingWork } from "./tool-reading.ts";

export interface BuiltInOptions extends ScriptOptions {
  policy: Pick<AgentPolicy, "network_hosts" | "sandbox">;
  /** How host names are looked up; the system resolver by default. */
  lookup?: Lookup | undefined;
}

/** The tools that every agent has. */
export function builtInTools(options: BuiltInOptions): Readonly<Record<BuiltInTool, Preparation>> {
  const { log, catalog, policy } = options;
  const { workspace } = log;
  const { read_file, list_dir, grep, run_command, write_file, delete_file, network_request } = toolArguments;
  return {
    read_file: defineTool(
      read_file,
      (args) => unlessBlocked(args, toolPathProblem(args.path, false)),
      (order) => readingWork("read_file", order, log, (location) => readFileTool(location, catalog)),
    ),
    list_dir: defineTool(
      list_dir,
      (args) => unlessBlocked(args, toolPathProblem(args.path, true)),
      (order) => readingWork("list_dir", order, log, (location) => listDirTool(location, catalog)),
    ),
    grep: defineTool(
      grep,
      (args) => unlessBlocked(args, toolPathProblem(args.path, true)),
      (order) => readingWork("grep", order, log, (location) => grepTool(location, order.args, catalog)),
    ),
    run_script: defineTool(
      RunScript.shape.payload,
      (args, { skill }) => checkScript(args, skill, options),
      (order) => runScript(order, options),
    ),
    run_command: defineTool(
      run_command,
      (args, call) => checkCommand(args, call, options),
      (order) => runCommand(order, options),
    ),
    write_file: defineTool(
      write_file,
      (args) => {
        const checked = inWorkspace(args);
        const problem = contentProblem(args);
        return !checked.ok || problem === null ? checked : { ok: false, error: problem };
      },
      ({ args }) => writeFile(args, workspace),
    ),
    delete_file: defineTool(delete_file, inWorkspace, ({ args }) => deleteFile(args, workspace)),
    network_request: defineTool(
      network_request,
      (args) => networkTarget(args, policy.network_hosts),
      // Most runs send nothing, and need not load what sends.
      async (order) => (await import("./network-request.ts")).networkRequest(order, options),
    ),
  };
}

/** What changes files changes those of the workspace, never those of a skill. */
function inWorkspace<Arguments extends { path: string }>(
  args: Arguments,
): { ok: true; ready: Arguments } | Refused {
  const isOfSkill = splitToolPath(args.path).skill !== null;
  return unlessBlocked(args, isOfSkill ? "is no path in the workspace" : lexicalProblem(args.path));
}
