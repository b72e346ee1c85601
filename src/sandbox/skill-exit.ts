import { constants } from "node:os";
import { PassThrough } from "node:stream";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import type { BubblewrapStatus } from "./bubblewrap-status.ts";

/** How a process ended that we started ourselves. */
export function plainExit(code: number | null, signal: NodeJS.Signals | null): SkillExit {
  return { code, signal, limit: exceededLimit(code, signal) };
}

/** How a process in the sandbox ended, as reported by bubblewrap; or why it never started. */
export function sandboxedExit(
  code: number | null,
  signal: NodeJS.Signals | null,
  { status, isOurDoing, failure }: SandboxedEnd,
): SkillExit {
  if (failure !== null) {
    return isCommandFault(failure)
      ? plainExit(code, signal)
      : { ...plainExit(code, signal), refusal: describeRefusal(failure) };
  }
  if (signal !== null) return plainExit(code, signal);
  if (status.wasExecuted()) {
    const ended = exitSignal(code);
    return plainExit(ended === null ? code : null, ended);
  }
  if (isOurDoing) return plainExit(code, signal);
  const refusal = `the sandbox ended with exit code ${code} before the program began`;
  return { code, signal, limit: null, refusal };
}

interface SandboxedEnd {
  status: BubblewrapStatus;
  /** Whether we killed it, or asked it to end. */
  isOurDoing: boolean;
  /** Why it could not be started. */
  failure: Error | null;
}

export function describeRefusal(error: Error): string {
  return `the sandbox could not be started: ${error.message}`;
}

/** Whether the arguments or variables of the command made the start fail, at any level. */
export function isCommandFault(error: Error & { code?: string }): boolean {
  return error.code === "E2BIG" || error.code === "ERR_INVALID_ARG_VALUE" || error instanceof TypeError;
}

/** Bubblewrap reports death by a signal as 128 and its number. */
function exitSignal(code: number | null): NodeJS.Signals | null {
  return code !== null && code > 128 ? (signalNames.get(code - 128) ?? null) : null;
}

/** If a number has two names, the first is the common one. */
const signalNames = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** Ended by the kernel for passing a limit; 128 + the signal's number is how a wrapper program reports it. */
function exceededLimit(code: number | null, signal: NodeJS.Signals | null): SkillExit["limit"] {
  if (signal === "SIGXCPU" || code === 152) return "cpu-limit";
  if (signal === "SIGXFSZ" || code === 153) return "disk-limit";
  return null;
}

/** A process that never came to be: its start is refused, its streams are over, and there is nothing to end. */
export function failedStart(error: Error, onGone: () => void, refusal?: string): SkillProcess {
  const streams = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
  for (const stream of streams) stream.on("error", () => {}).destroy();
  const started = Promise.reject(error);
  started.catch(() => {}); // callers may ignore it
  const exit: SkillExit = { code: null, signal: null, limit: null };
  if (refusal !== undefined) exit.refusal = refusal;
  const exited = started.catch(() => {
    onGone();
    return exit;
  });
  return {
    stdin: streams[0],
    stdout: streams[1],
    stderr: streams[2],
    started,
    exited,
    waitsForInput: async () => true,
    kill: async () => {},
    terminate: async () => {},
  };
}
