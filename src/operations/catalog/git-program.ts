import { execFile, spawn } from "node:child_process";
import { findProgram } from "../../shared/files/find-program.ts";

/** Git in one folder. Only commands that read are ever used. */
export interface Git {
  /** What a command prints, or its error. */
  ask(args: readonly string[]): Promise<GitAnswer>;
  /** What a command prints, piece by piece, while it reads `input`. */
  stream(args: readonly string[], input: string): AsyncIterable<Buffer>;
}

type GitAnswer = { ok: true; stdout: Buffer } | { ok: false; problem: string };

export interface GitOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const maxAnswerBytes = 64 * 1024 * 1024;

/** Git in a folder, with the variables of the user; null where it is not installed. */
export function gitIn({ cwd, env, signal }: GitOptions): Git | null {
  const program = findProgram("git", env);
  if (program === null) return null;
  // We parse its errors, nobody can type a password, and reading must not take locks.
  const options = {
    cwd,
    env: { ...env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" },
    signal,
  };
  const limits = { encoding: "buffer" as const, maxBuffer: maxAnswerBytes };
  return {
    ask: (args) =>
      new Promise((resolve, reject) => {
        execFile(program, ["--no-pager", ...args], { ...options, ...limits }, (error, stdout, stderr) => {
          if (error === null) resolve({ ok: true, stdout });
          else if (signal.aborted) reject(signal.reason);
          else resolve({ ok: false, problem: firstErrorLine(stderr) || error.message });
        });
      }),
    async *stream(args, input) {
      const child = spawn(program, ["--no-pager", ...args], {
        ...options,
        stdio: ["pipe", "pipe", "ignore"],
      });
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

function firstErrorLine(stderr: Buffer): string {
  return stderr.toString("utf8").trim().split("\n")[0] ?? "";
}
