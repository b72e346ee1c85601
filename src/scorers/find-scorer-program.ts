import { readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findInterpreter } from "../shared/files/find-interpreter.ts";
import { readsTypeScript } from "../shared/files/find-program.ts";
import { isFile, isInside } from "../shared/files/paths.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { splitCommand } from "../shared/text/command-line.ts";
import { invalid, type ScorerRequest, vacuous } from "./scorer-request.ts";

export interface ScorerProgram {
  /** A module runs in our program; a command runs by itself. */
  kind: "module" | "command";
  argv: readonly [string, ...string[]];
  /** What it must be able to read besides the folder of the suite. */
  reads: readonly string[];
  /** What it is made of, as far as its text says: it must be the same before and after every answer. */
  files: readonly string[];
  /** Its identity, the same on every machine: as written in the suite, with the content of its files. */
  identity: JsonObject;
  /** Whether its text has the word `sees`, by which a module declares the outcomes it scores. */
  mentionsSees: boolean;
}

/** Finds the module or command a custom scorer names, and only what it names. */
export async function findScorerProgram(request: ScorerRequest): Promise<ScorerProgram> {
  const { evaluator, expectedOutput } = request.task;
  const path = evaluator?.customScorerPath ?? expectedOutput.customScorerPath;
  const command = evaluator?.command;
  if (path !== undefined && command !== undefined)
    throw invalid(request, ".evaluator.command", "custom takes a customScorerPath or a command, not both");
  if (command !== undefined) return commandProgram(request, command);
  const member =
    evaluator?.customScorerPath === undefined
      ? ".expectedOutput.customScorerPath"
      : ".evaluator.customScorerPath";
  if (path === undefined || path === "")
    throw vacuous(request, member, "custom needs a customScorerPath or an evaluator.command");
  return moduleProgram(request, path, member);
}

const scorerProcess = fileURLToPath(new URL("./scorer-process.mjs", import.meta.url));

async function moduleProgram(request: ScorerRequest, path: string, member: string): Promise<ScorerProgram> {
  const folder = dirname(request.file);
  const file = resolve(folder, path);
  if (!isFile(file)) throw vacuous(request, member, `the scorer ${path} was not found: no file ${file}`);
  if (!/\.[cm]?[jt]s$/.test(file))
    throw invalid(
      request,
      member,
      `the scorer ${path} is not a JavaScript or TypeScript module`,
      "for another language, use evaluator.command",
    );
  if (/\.[cm]?ts$/.test(file) && !readsTypeScript())
    throw invalid(
      request,
      member,
      `the scorer ${path} needs Node 22.18 or newer; this is ${process.version}`,
      "update Node, or write the scorer as .mjs",
    );
  const text = readFileSync(file);
  const files = moduleFiles(file);
  const others = files.filter((one) => one !== file);
  return {
    kind: "module",
    argv: [await findRuntime(request, member), "--max-old-space-size=256", scorerProcess, file],
    reads: [scorerProcess, ...(isInside(folder, file) ? [] : [dirname(file)])],
    identity: {
      module: path,
      sha256: sha256(text),
      ...(others.length > 0 && { files: contentOf(others, folder) }),
    },
    mentionsSees: /\bsees\b/.test(text.toString("latin1")),
    files,
  };
}

/** The Node that runs us, or another one where a process in the sandbox could not reach it. */
async function findRuntime(request: ScorerRequest, member: string): Promise<string> {
  const own = process.execPath;
  return request.sandbox.canReach?.(own) === false ? findReachable(request, "node", member) : own;
}

async function commandProgram(request: ScorerRequest, command: string | string[]): Promise<ScorerProgram> {
  const [program, ...args] = readCommand(request, command);
  const folder = dirname(request.file);
  if (program === undefined || program === "")
    throw vacuous(request, ".evaluator.command", "the command is empty");
  const written = [program, ...args];
  return {
    kind: "command",
    argv: [await findReachable(request, program, ".evaluator.command"), ...args],
    reads: [],
    files: written.map((word) => resolve(folder, word)).filter(isFile),
    identity: { command: written, files: namedFiles(written, folder) },
    mentionsSees: false,
  };
}

const maxModuleFiles = 100;
/** Relative paths that a module names, be it to import or to read. */
const relativePath = /["'`](\.{1,2}\/[^"'`\n$*]{1,300})["'`]/g;

/** A module and the files it names, those they name, and so on. What it composes at run time is not seen. */
function moduleFiles(file: string): string[] {
  const found = new Set([file]);
  for (const path of found) {
    if (!/\.[cm]?[jt]s$/.test(path)) continue;
    for (const [, named = ""] of readFileSync(path, "utf8").matchAll(relativePath)) {
      const target = resolve(dirname(path), named);
      if (found.size < maxModuleFiles && isFile(target)) found.add(target);
    }
  }
  return [...found];
}

/** Where a program is that a process in the sandbox can start. */
async function findReachable(request: ScorerRequest, program: string, member: string): Promise<string> {
  const folder = dirname(request.file);
  const canReach = (path: string) => isInside(folder, path) || (request.sandbox.canReach?.(path) ?? true);
  const { path, passedOver } = await findInterpreter(program, folder, process.env, canReach);
  if (path !== null && passedOver !== null)
    request.warn?.(`using ${path} for ${program}: ${passedOver} is not accessible inside the sandbox`);
  if (path !== null) return path;
  if (passedOver === null)
    throw vacuous(request, member, `the scorer ${program} is missing or cannot be run`);
  throw invalid(
    request,
    member,
    `the scorer's program ${passedOver} is not accessible inside the sandbox, which does not run as root`,
    "install it for all users, for example under /usr, or run with --sandbox process",
  );
}

function readCommand(request: ScorerRequest, command: string | string[]): string[] {
  if (typeof command !== "string") return command;
  try {
    return splitCommand(command);
  } catch (error) {
    throw invalid(request, ".evaluator.command", `the command ${(error as Error).message}`);
  }
}

/** Hashes of the suite's own files that a command names. Absolute paths are not part of the suite. */
function namedFiles(argv: readonly string[], folder: string): JsonObject {
  const files = argv.filter((word) => word !== "" && !isAbsolute(word) && isFile(resolve(folder, word)));
  return Object.fromEntries(files.map((word) => [word, sha256(readFileSync(resolve(folder, word)))]));
}

function contentOf(files: readonly string[], folder: string): JsonObject {
  return Object.fromEntries(files.map((file) => [relative(folder, file), sha256(readFileSync(file))]));
}
