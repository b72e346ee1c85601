import { execFile, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { neverAborted } from "../async/abort.ts";
import { findPrograms } from "./find-program.ts";
import { isInside } from "./paths.ts";

/** The commands we use: each only reads, and neither diffs, filters nor checks anything out. */
type GitCommand = "rev-parse" | "ls-tree" | "cat-file" | "ls-files" | "check-ignore";

type GitArgs = readonly [GitCommand, ...string[]];

/** Git in one folder, for reading. Nothing that the folder configures is ever started, and nothing is fetched. */
export interface Git {
  /** What a command prints, or its error. */
  ask(args: GitArgs): Promise<GitAnswer>;
  /** What a command prints, piece by piece, while it reads `input`. */
  stream(args: GitArgs, input: string): AsyncIterable<Buffer>;
}

type GitAnswer = { ok: true; stdout: Buffer } | { ok: false; problem: string };

export interface GitOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal?: AbortSignal;
}

const maxAnswerBytes = 64 * 1024 * 1024;

/** Git in a folder; null where it is not installed. Every call of git goes through here. */
export function gitIn({ cwd, env, signal = neverAborted }: GitOptions): Git | null {
  const { root, bare } = findRepository(cwd);
  const program = findGit(root, env);
  if (program === null) return null;
  const options = { cwd, env: gitEnvironment(root, env), signal };
  const limits = { encoding: "buffer" as const, maxBuffer: maxAnswerBytes };
  const refusal = bare === null ? null : `${bare} is laid out as a bare repository, which is not read`;
  return {
    ask: (args) =>
      new Promise((resolve, reject) => {
        if (refusal !== null) return resolve({ ok: false, problem: refusal });
        execFile(program, [...settings, ...args], { ...options, ...limits }, (error, stdout, stderr) => {
          if (error === null) resolve({ ok: true, stdout });
          else if (signal.aborted) reject(signal.reason);
          else resolve({ ok: false, problem: firstErrorLine(stderr) || error.message });
        });
      }),
    async *stream(args, input) {
      if (refusal !== null) return;
      const child = spawn(program, [...settings, ...args], { ...options, stdio: ["pipe", "pipe", "ignore"] });
      child.on("error", () => {}); // its output ends early then
      child.stdin.on("error", () => {}); // it may exit before reading all input; its output then ends early
      child.stdin.end(input);
      try {
        for await (const piece of child.stdout) yield piece as Buffer;
        signal.throwIfAborted();
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        child.kill();
      }
    },
  };
}

/**
 * What a repository may configure and a clone, an archive or a skill may have written: programs, and ways to reach other
 * machines. Empty where an old git takes any word for the name of a program.
 */
const settings: readonly string[] = [
  "--no-pager",
  ...[
    "protocol.allow=never",
    `core.hooksPath=${devNull}`,
    "core.fsmonitor=",
    "core.sshCommand=",
    "core.gitProxy=",
    "core.askPass=",
    "core.pager=",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "diff.external=",
    "safe.bareRepository=explicit",
    "gc.auto=0",
    "maintenance.auto=false",
    "submodule.recurse=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Where the user's own configuration is: it says which folders of other owners are safe. */
const passedOn =
  /^(?:PATH|HOME|XDG_CONFIG_HOME|USERPROFILE|SYSTEMROOT|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/i;

function gitEnvironment(root: string | null, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.test(name))),
    // Before `GIT_NO_LAZY_FETCH`, git knew only this one; it also outweighs what a repository allows by name.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ASKPASS: "",
    GIT_TERMINAL_PROMPT: "0",
    // Reading must not take locks, and we parse errors.
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
    ...(root !== null && { GIT_CEILING_DIRECTORIES: dirname(root) }),
  };
}

/** The user's git. One that the repository brings along is the repository's code, even where `npx` puts it on the path. */
function findGit(root: string | null, env: NodeJS.ProcessEnv): string | null {
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  for (const path of findPrograms("git", { PATH: folders.join(delimiter) }))
    if (root === null || root === dirname(root) || !isInside(root, realpathSync(path))) return path;
  return null;
}

/**
 * The work tree that a folder belongs to. A folder on the way to it that is a repository without a work tree came with the
 * files, and so did its configuration: git before 2.38 would use it.
 */
function findRepository(cwd: string): { root: string | null; bare: string | null } {
  for (let folder = real(cwd); ; folder = dirname(folder)) {
    const has = (name: string) => existsSync(join(folder, name));
    if (has("HEAD") && (has("objects") || has("commondir"))) return { root: folder, bare: folder };
    if (has(".git")) return { root: folder, bare: null };
    if (folder === dirname(folder)) return { root: null, bare: null };
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // git will say what is wrong with it
  }
}

/** Warnings may come before it: of what is missing, git says first that it may not fetch it. */
function firstErrorLine(stderr: Buffer): string {
  const lines = stderr.toString("utf8").trim().split("\n");
  return lines.find((line) => line.startsWith("fatal: ")) ?? lines[0] ?? "";
}
