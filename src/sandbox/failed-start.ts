import { PassThrough } from "node:stream";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";

/** A process that never came to be: its start is refused, its streams are over, and there is nothing to end. */
export function failedStart(error: Error, onGone: () => void, refusal?: string): SkillProcess {
  const streams = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
  for (const stream of streams) stream.on("error", () => {}).destroy();
  const started = Promise.reject(error);
  started.catch(() => {}); // whoever waits for it hears of it; nobody has to
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
