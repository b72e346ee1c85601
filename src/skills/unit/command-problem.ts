import { isAbsolute, posix } from "node:path";
import { splitCommand } from "../../shared/text/split-command.ts";
import { longestPath, type SkillFolder } from "../folder/skill-folder.ts";
import { maskedSecrets } from "./secrets-in.ts";

/** What is wrong with a command line, and which of its words. */
export interface CommandProblem {
  word: number;
  reason: string;
}

/**
 * Whether the files of the skill that a command line starts are there: a program below its folder, or the script handed to
 * an interpreter. All other words mean what their program makes of them, and are left alone.
 */
export function commandProblem(words: readonly string[], folder: SkillFolder): CommandProblem | null {
  const [program = ""] = words;
  if (program === "") return { word: 0, reason: "no program" };
  const isBelow = /[\\/]/.test(program) && !isAbsolute(program);
  const word = isBelow ? 0 : interpreters.test(program) ? scriptWord(words) : null;
  if (word === null || isFine(folder, words[word] as string)) return null;
  return { word, reason: `${maskedSecrets(words[word] as string)} is not in the folder` };
}

export type SplitEntrypoint = { ok: true; words: string[] } | { ok: false; problem: string };

/** The words of a command line. */
export function splitEntrypoint(entrypoint: string): SplitEntrypoint {
  try {
    return { ok: true, words: splitCommand(entrypoint) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}

const interpreters =
  /(?:^|[\\/])(?:python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|tsx|ts-node|ruby|perl|php|bash|sh|zsh|dash|ksh|fish|Rscript|lua)(?:\.exe)?$/;
const scripts = /\.(?:pyw?|[cm]?[jt]sx?|rb|pl|php|sh|bash|zsh|fish|r|lua)$/i;
/** After these comes the program itself, or a module: `-c`, `-Ic`, `-pe`, `--eval`, `-m`. */
const inline = /^(?:-[A-Za-z]*[ceEm]|-p|--eval\b.*|--print\b.*)$/;

/** Where the script stands that an interpreter is handed; null where that is unknown. */
function scriptWord(words: readonly string[]): number | null {
  for (const [position, word] of words.entries()) {
    if (position === 0) continue;
    if (inline.test(word)) return null;
    if (word.startsWith("-") || !scripts.test(word)) continue;
    return isAbsolute(word) || /^[a-z][a-z\d+.-]+:/i.test(word) ? null : position;
  }
  return null;
}

/** What lies beside the folder is no file of the skill. */
function isFine(folder: SkillFolder, word: string): boolean {
  if (word.length > longestPath) return false;
  const path = posix.normalize(word.replaceAll("\\", "/"));
  return path.startsWith("../") || folder.problemWith(path) === null;
}
