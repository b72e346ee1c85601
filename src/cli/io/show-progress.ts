import type { Listener } from "../../contract/event.ts";
import { systemClock } from "../../shared/async/clock.ts";
import type { ProgressStream } from "../output/live-line.ts";
import { progressListener } from "../output/progress.ts";
import type { CommandIo } from "./command-io.ts";
import { compareContainment } from "./last-containment.ts";

/** Shows on stderr how far a run is, until it is disposed of; and warns when it is contained less than the run before. */
export function showProgress(io: CommandIo): Disposable & { onEvent: Listener } {
  const progress = progressListener({
    stream: io.stderr as ProgressStream,
    isTerminal: io.stderr.isTTY === true,
    color: io.colorStderr,
    verbose: io.verbose,
    clock: systemClock,
  });
  const onEvent: Listener = (event) => {
    const warning = event.type === "run-started" ? compareContainment(io.home, event.containment) : null;
    if (warning !== null) progress.onEvent({ type: "warning", message: warning });
    progress.onEvent(event);
  };
  return { onEvent, [Symbol.dispose]: progress.close };
}
