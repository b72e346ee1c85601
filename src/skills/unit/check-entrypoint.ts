import { isAbsolute, posix } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import { withServicePorts } from "../../contract/suite-programs.ts";
import type { AdapterConfig, SkillManifest } from "../../contract/unit-skill.ts";
import { webAddress } from "../../shared/network/http.ts";
import { splitCommand } from "../../shared/text/command-line.ts";
import type { JsonFile } from "../folder/json-file.ts";
import { longestPath, type SkillFolder } from "../folder/skill-folder.ts";
import { leftOutNames } from "../folder/walk-folder.ts";
import type { AdapterConfigFile } from "./read-adapter-config.ts";
import { maskedSecrets } from "./secrets-in.ts";

/** What is wrong with the way to a skill, and where that is written. */
interface EntrypointProblem {
  file: JsonFile;
  steps: readonly PropertyKey[];
  shown: string;
  reason: string;
  hint?: string;
}

/** Reports whether the entrypoint fits the adapter and exists; what it needs of the machine is not checked here. */
export function checkEntrypoint(
  folder: SkillFolder,
  manifest: JsonFile,
  fields: SkillManifest,
  settings: AdapterConfigFile,
  diagnostics: Diagnostics,
): boolean {
  const problem = findProblem(folder, manifest, fields, settings);
  if (problem === null) return true;
  const { file, steps, shown, reason, hint } = problem;
  const message = `entrypoint "${maskedSecrets(shown)}": ${reason}`;
  diagnostics.add("SKU04", file.locate(steps), message, { hint });
  return false;
}

function findProblem(
  folder: SkillFolder,
  manifest: JsonFile,
  { entrypoint, metadata }: SkillManifest,
  { config, file }: AdapterConfigFile,
): EntrypointProblem | null {
  const inManifest = { file: manifest, steps: ["entrypoint"], shown: entrypoint };
  switch (config.type) {
    case "http":
      return addressProblem(inManifest, config, file);
    case "subprocess":
      return commandLineProblem(folder, inManifest, config, file);
    case "mcp": {
      const transport = config.transport ?? metadata.transport ?? "stdio";
      const isRemote = transport !== "stdio" || config.baseUrl !== undefined || hasScheme(entrypoint);
      return config.command === undefined && isRemote
        ? addressProblem(inManifest, config, file)
        : commandLineProblem(folder, inManifest, config, file);
    }
    case "langchain":
    case "custom": {
      const reason = moduleProblem(folder, entrypoint);
      return reason === null ? null : { ...inManifest, reason, ...hintFor(reason) };
    }
    default:
      return config satisfies never;
  }
}

type Written = Pick<EntrypointProblem, "file" | "steps" | "shown">;

/** Beside a base the entrypoint is only a path. */
function addressProblem(
  inManifest: Written,
  { baseUrl, type }: Extract<AdapterConfig, { type: "http" | "mcp" }>,
  file: JsonFile | null,
): EntrypointProblem | null {
  const written =
    baseUrl === undefined || file === null ? inManifest : { file, steps: ["baseUrl"], shown: baseUrl };
  const url = webAddress(withServicePorts(written.shown));
  const reason = type === "mcp" ? "neither a command nor an http(s) URL" : "not an absolute http(s) URL";
  if (url === null) return { ...written, reason };
  if (url.username === "" && url.password === "") return null;
  return {
    ...written,
    reason: "the URL contains a user name or password",
    hint: "name an environment variable in authTokenEnvKey of adapter.config.json instead",
  };
}

/** `command` and `args` of the settings replace the entrypoint. */
function commandLineProblem(
  folder: SkillFolder,
  inManifest: Written,
  config: Extract<AdapterConfig, { type: "subprocess" | "mcp" }>,
  file: JsonFile | null,
): EntrypointProblem | null {
  if (config.command !== undefined && file !== null) {
    const words = [config.command, ...config.args];
    const problem = commandProblem(words, folder);
    if (problem === null) return null;
    const steps = problem.word === 0 ? ["command"] : ["args", problem.word - 1];
    return { file, steps, shown: words.join(" "), reason: problem.reason, ...hintFor(problem.reason) };
  }
  if (hasScheme(inManifest.shown)) return { ...inManifest, reason: "a URL instead of a command" };
  const words = splitEntrypoint(inManifest.shown);
  if (!words.ok) return { ...inManifest, reason: words.problem };
  const problem = commandProblem(words.words, folder);
  return problem === null ? null : { ...inManifest, reason: problem.reason, ...hintFor(problem.reason) };
}

/** Left out where the rule's own hint fits: the value is of the wrong kind. */
function hintFor(reason: string): { hint?: string } {
  const isGone = reason.endsWith("is not in the folder") || reason.endsWith("is missing");
  return isGone ? { hint: "add the file, or fix the path" } : {};
}

function hasScheme(entrypoint: string): boolean {
  return /^[a-z][\w+.-]*:\/\//i.test(entrypoint);
}

/** The last `#` counts: a folder may have one in its name, an export may not. */
function moduleProblem(folder: SkillFolder, entrypoint: string): string | null {
  const at = entrypoint.lastIndexOf("#");
  const path = (at === -1 ? entrypoint : entrypoint.slice(0, at)).trim();
  if (path === "" || (at !== -1 && entrypoint.slice(at + 1).trim() === "")) return "no module or export name";
  const problem = folder.problemWith(path);
  if (problem !== null) return problem === "missing" ? "the module is missing" : `the module is ${problem}`;
  return /\.[cm]?[jt]s$/.test(path) ? null : "the module is not a JavaScript or TypeScript file";
}

/** What is wrong with a command line, and which of its words. */
interface CommandProblem {
  word: number;
  reason: string;
}

/**
 * Whether the files of the skill that a command line starts are there: a program below its folder, or the script handed to
 * an interpreter. All other words are up to their program and are not checked.
 */
function commandProblem(words: readonly string[], folder: SkillFolder): CommandProblem | null {
  const [program = ""] = words;
  if (program === "") return { word: 0, reason: "no program" };
  const isBelow = /[\\/]/.test(program) && !isAbsolute(program);
  const word = isBelow ? 0 : interpreters.test(program) ? scriptWord(words) : null;
  if (word === null || isFine(folder, words[word] as string)) return null;
  return { word, reason: `${maskedSecrets(words[word] as string)} is not in the folder` };
}

type SplitEntrypoint = { ok: true; words: string[] } | { ok: false; problem: string };

/** The words of a command line. */
function splitEntrypoint(entrypoint: string): SplitEntrypoint {
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

/** The index of the script passed to an interpreter; null if unknown. */
function scriptWord(words: readonly string[]): number | null {
  for (const [position, word] of words.entries()) {
    if (position === 0) continue;
    if (inline.test(word)) return null;
    if (word.startsWith("-") || !scripts.test(word)) continue;
    return isAbsolute(word) || /^[a-z][a-z\d+.-]+:/i.test(word) ? null : position;
  }
  return null;
}

/** Whether a path lies among installed packages: in a virtual environment the interpreter is a link to that of the machine. */
export function isOfPackages(path: string): boolean {
  return path.split("/").some((name) => leftOutNames.has(name));
}

/** What is outside the folder is not a file of the skill. */
function isFine(folder: SkillFolder, word: string): boolean {
  if (word.length > longestPath) return false;
  const path = posix.normalize(word.replaceAll("\\", "/"));
  if (path.startsWith("../")) return true;
  const problem = folder.problemWith(path);
  return problem === null || (problem === "outside" && isOfPackages(path));
}
