import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Sandbox, SkillCommand, SkillExit, SkillProcess } from "../../contract/sandbox.ts";
import { onAbort, withinMs } from "../../shared/async/abort.ts";
import { startTimer } from "../../shared/async/clock.ts";
import { textOrBase64 } from "../../shared/text/bytes-to-text.ts";

/** How a program that was started for an agent ended. `not-started`: the command itself could not be started. */
export type ProgramEnd =
  | { kind: "exited"; exit: SkillExit }
  | { kind: "timeout" }
  | { kind: "flooded"; stream: "stdout" | "stderr" }
  | { kind: "not-started"; problem: string };

export interface ProgramRun {
  end: ProgramEnd;
  stdout: StreamHead;
  stderr: StreamHead;
}

/** After the exit all output is in the pipes already; another process holding them open is not waited for. */
const drainMs = 100;

/** Runs a program until it ends, reaches its deadline or writes too much; then everything it started is ended. */
export async function runToEnd(
  sandbox: Sandbox,
  command: SkillCommand & { deadlineMs: number },
  capBytes: number,
  signal: AbortSignal,
): Promise<ProgramRun> {
  signal.throwIfAborted();
  const program = sandbox.start(command);
  program.stdin.end();
  let settle: (end: ProgramEnd) => void = () => {};
  const cutShort = new Promise<ProgramEnd>((resolve) => {
    settle = resolve;
  });
  const flooded = (stream: "stdout" | "stderr") => () => settle({ kind: "flooded", stream });
  const stdout = new StreamHead(program.stdout, capBytes, flooded("stdout"));
  const stderr = new StreamHead(program.stderr, capBytes, flooded("stderr"));
  const timer = startTimer(() => settle({ kind: "timeout" }), command.deadlineMs);
  // Not reported: whoever cancelled it has the signal's reason.
  const callOff = onAbort(signal, () => settle({ kind: "timeout" }));
  try {
    let end = await Promise.race([awaitEnd(program), cutShort]);
    if (end.kind === "exited") end = (await drained(stdout, stderr, cutShort)) ?? end;
    signal.throwIfAborted();
    return { end, stdout, stderr };
  } finally {
    clearTimeout(timer);
    callOff();
    await program.kill();
  }
}

async function awaitEnd(program: SkillProcess): Promise<ProgramEnd> {
  const problem = await program.started.then(
    () => null,
    (error: Error) => error.message,
  );
  const exit = await program.exited;
  return problem === null || exit.refusal !== undefined
    ? { kind: "exited", exit }
    : { kind: "not-started", problem };
}

/** Reads what is left; it may turn out to be too much after all. */
async function drained(
  stdout: StreamHead,
  stderr: StreamHead,
  cutShort: Promise<ProgramEnd>,
): Promise<ProgramEnd | null> {
  await withinMs(Promise.all([stdout.closed, stderr.closed]), drainMs);
  // One turn to read what is there, in case it was us who had no time.
  await setImmediate();
  const end = await withinMs(cutShort, 0);
  return end?.kind === "flooded" ? end : null;
}

/** Keeps the first bytes of a stream and reports once that there are more. */
export class StreamHead {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  /** Settles when nothing more will come. */
  readonly closed: Promise<void>;

  constructor(stream: Readable, capBytes: number, onOver: () => void) {
    this.closed = new Promise((resolve) => {
      if (stream.closed) resolve();
      else stream.once("close", resolve);
    });
    stream.on("data", (chunk: Buffer) => {
      const room = capBytes - this.#bytes;
      if (chunk.length <= room) this.#take(chunk);
      else if (!this.#isOver) {
        this.#isOver = true;
        this.#take(chunk.subarray(0, room));
        onOver();
      }
    });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** As text. What was broken off may end in the first half of a character, which is left out. */
  text(isBrokenOff: boolean): string {
    const bytes = this.bytes();
    if (!isBrokenOff || isUtf8(bytes)) return textOrBase64(bytes);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    } catch {
      return textOrBase64(bytes);
    }
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }
}
