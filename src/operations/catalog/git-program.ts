import { execFile, spawn } from "node:child_process";
import { findProgram } from "../../shared/files/find-program.ts";

/** Git as it answers in one folder. Only commands that read are ever given to it. */
export interface Git {
  /** What a command prints, or what it complains of. */
  ask(args: readonly string[]): Promise<GitAnswer>;
  /** What a command prints, piece by piece, while it reads `input`. */
  stream(args: readonly string[], input: string): AsyncIterable<Buffer>;
}

type GitAnswer = { ok: true; stdout: Buffer } | { ok: false; problem: string };

export interface GitPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const longestAnswer = 64 * 1024 * 1024;

/** Git in a folder, with the variables of the user; null where it is not installed. */
export function gitIn({ cwd, env, signal }: GitPlace): Git | null {
  const program = findProgram("git", env);
  if (program === null) return null;
  // Its complaints are read by us, nobody is there to type a password, and a look around takes no lock.
  const options = {
    cwd,
    env: { ...env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" },
    signal,
  };
  const limits = { encoding: "buffer" as const, maxBuffer: longestAnswer };
  return {
    ask: (args) =>
      new Promise((resolve, reject) => {
        execFile(program, ["--no-pager", ...args], { ...options, ...limits }, (error, stdout, stderr) => {
          if (error === null) resolve({ ok: true, stdout });
          else if (signal.aborted) reject(signal.reason);
          else resolve({ ok: false, problem: complaintOf(stderr) || error.message });
        });
      }),
    async *stream(args, input) {
      const child = spawn(program, ["--no-pager", ...args], {
        ...options,
        stdio: ["pipe", "pipe", "ignore"],
      });
      child.on("error", () => {}); // its output ends early then
      child.stdin.on("error", () => {}); // it may leave without reading all of it; its output tells the rest
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

function complaintOf(stderr: Buffer): string {
  return stderr.toString("utf8").trim().split("\n")[0] ?? "";
}
