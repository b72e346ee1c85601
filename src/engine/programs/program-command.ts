import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Sandbox } from "../../contract/sandbox.ts";
import { isSystemPath } from "../../sandbox/host/system-folders.ts";
import { findInterpreter } from "../../shared/files/find-interpreter.ts";
import { isFile, isInside } from "../../shared/files/paths.ts";
import { splitCommand } from "../../shared/text/command-line.ts";
import { UserError } from "../../shared/user-error.ts";

/** A command of a suite: what to start, and the folder it belongs to. */
export interface ProgramCommand {
  /** As it is written. */
  text: string;
  argv: [string, ...string[]];
  /** Its files are shown to it; it may lie outside of the folder of the suite. */
  folder: string;
  /** The files it names. */
  files: readonly string[];
}

interface CommandContext {
  /** The file of the suite. */
  file: string;
  /** Where the command is in it. */
  jsonPath: string;
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
}

/** Reads a command line. Files are named as seen from the suite. A `UserError` where nothing can be started. */
export async function findCommand(text: string, context: CommandContext): Promise<ProgramCommand> {
  const { file, sandbox, env } = context;
  const suiteFolder = dirname(file);
  const named = splitWords(text, context).map((word) => ({ word, file: fileBeside(suiteFolder, word) }));
  const [program = "", ...args] = named.map(({ word, file }) => file ?? word);
  const files = named.flatMap(({ file }) => file ?? []);
  const folder = folderOf(files, suiteFolder);
  const canReach = (path: string) => isInside(folder, path) || (sandbox.canReach?.(path) ?? true);
  const { path } = await findInterpreter(program, suiteFolder, env, canReach);
  if (path === null)
    throw refusal(context, `the program ${program} was not found, or cannot be run in the sandbox`);
  return { text, argv: [path, ...args], folder, files };
}

/** The files that a command names, as far as it can be read. */
export function filesNamedBy(text: string, suiteFile: string): string[] {
  try {
    return splitCommand(text).flatMap((word) => fileBeside(dirname(suiteFile), word) ?? []);
  } catch {
    return []; // refused where its program is looked for
  }
}

function splitWords(text: string, context: CommandContext): string[] {
  try {
    return splitCommand(text);
  } catch (error) {
    throw refusal(context, `the command ${(error as Error).message}`);
  }
}

function refusal({ file, jsonPath }: CommandContext, problem: string): UserError {
  return new UserError("benchmark-invalid", `${jsonPath.slice(2)}: ${problem}`, { path: file, jsonPath });
}

/** A word that names a file beside the suite, as its path. A bare program such as `node` is looked for on the PATH, and one of the system is there for all. */
function fileBeside(folder: string, word: string): string | null {
  if (word === "" || word.startsWith("-") || !/[./\\]/.test(word)) return null;
  const path = resolve(folder, word);
  return isFile(path) && !isSystemPath(path) ? path : null;
}

/**
 * What is shown to a command: the folder of the skill that its first file belongs to, since other skills are hidden; of files beside
 * the tests of that skill, which are hidden from it, the folder of the suite.
 */
function folderOf([first]: readonly string[], suiteFolder: string): string {
  if (first === undefined) return suiteFolder;
  const isBeside = isInside(suiteFolder, first);
  const skill = enclosingSkill(dirname(first));
  if (skill === null) return isBeside ? suiteFolder : dirname(first);
  return isBeside && isInside(skill, suiteFolder) ? suiteFolder : skill;
}

/** Not beyond a repository: what is around a clone is the user's. */
function enclosingSkill(start: string): string | null {
  for (let folder = start; dirname(folder) !== folder; folder = dirname(folder)) {
    if (["skill.json", "SKILL.md"].some((name) => isFile(join(folder, name)))) return folder;
    if (existsSync(join(folder, ".git"))) return null;
  }
  return null;
}
