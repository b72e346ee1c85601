import type { Sandbox } from "../../contract/sandbox.ts";
import { onAbort } from "../../shared/async/abort.ts";
import { startTimer } from "../../shared/async/clock.ts";
import { StreamTail } from "../../shared/text/bytes-to-text.ts";
import type { ProgramCommand } from "./program-command.ts";

const tailBytes = 65_536;
/** What a suite needs before it begins is made once, so it may take its time. */
const limitMs = 120_000;

/** Why a command did not do its work, with what it wrote. */
export interface ProgramFailure {
  message: string;
  output: string;
}

/** Runs a command in a folder until it ends; null where it did what it should. Nothing of it is left. */
export async function runToEnd(
  { text, argv, folder }: ProgramCommand,
  { sandbox, workFolder, signal }: { sandbox: Sandbox; workFolder: string; signal: AbortSignal },
): Promise<ProgramFailure | null> {
  const started = sandbox.start({
    ...{ argv, folder, cwd: workFolder, workspace: workFolder },
    env: {},
    deadlineMs: limitMs,
    // It belongs to the suite, as a scorer does.
    seesEvalMaterial: true,
  });
  const tail = new StreamTail(tailBytes);
  for (const stream of [started.stdout, started.stderr])
    stream.on("data", (chunk: Buffer) => tail.take(chunk));
  started.stdin.end();
  let hasOverrun = false;
  const stop = () => void started.kill();
  const timer = startTimer(() => {
    hasOverrun = true;
    stop();
  }, limitMs);
  const callOff = onAbort(signal, stop);
  try {
    const problem = await started.started.catch((error: Error) => error);
    const { code, signal: killedBy, limit, refusal } = await started.exited;
    if (code === 0 && limit === null && refusal === undefined && problem === undefined) return null;
    const how =
      refusal ??
      problem?.message ??
      limit ??
      (hasOverrun
        ? `took longer than ${limitMs / 1000} s`
        : code === null
          ? `was ended by ${killedBy}`
          : `ended with exit code ${code}`);
    return { message: `\`${text}\`: ${how}`, output: tail.text() };
  } finally {
    clearTimeout(timer);
    callOff();
    await started.kill();
  }
}
