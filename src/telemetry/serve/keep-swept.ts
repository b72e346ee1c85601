import type { EventFile } from "../../contract/telemetry.ts";
import type { Clock } from "../../shared/async/clock.ts";

const everyMs = 60_000;
const droppedAtOnce = 2000;

/** Drops what is too old, at once and every minute, until the signal. What fails is told once and tried again. */
export async function keepSwept(
  file: EventFile,
  clock: Clock,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  let isReported = false;
  while (!signal.aborted) {
    try {
      // Piece by piece: whoever asks meanwhile does not wait for all of it.
      while (!signal.aborted && file.sweep(clock.now() / 1000, droppedAtOnce) >= droppedAtOnce)
        await new Promise<void>((next) => setImmediate(next));
    } catch (error) {
      if (!isReported) warn(`old events cannot be deleted: ${(error as Error).message}`);
      isReported = true;
    }
    await clock.sleep(everyMs, signal).catch(() => {});
  }
}
