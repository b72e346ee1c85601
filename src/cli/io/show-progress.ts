import type { Listener } from "../../contract/event.ts";
import { systemClock } from "../../shared/async/clock.ts";
import type { ProgressStream } from "../output/live-line.ts";
import { progressListener } from "../output/progress.ts";
import type { CommandIo } from "./command-io.ts";

/** Shows on stderr how far a run is, until it is disposed of. */
export function showProgress(io: CommandIo): Disposable & { onEvent: Listener } {
  const progress = progressListener({
    stream: io.stderr as ProgressStream,
    isTerminal: io.stderr.isTTY === true,
    color: io.colorStderr,
    verbose: io.verbose,
    clock: systemClock,
  });
  return { onEvent: progress.onEvent, [Symbol.dispose]: progress.close };
}
