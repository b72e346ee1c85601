import { setTimeout as sleep } from "node:timers/promises";
import type { EventFile } from "../contract/telemetry.ts";
import { isBusy } from "../shared/async/patiently.ts";
import { openEventFile } from "./event-file.ts";
import { type SinkMaker, SinkQueue } from "./sink-queue.ts";

/** A write holds up the whole process, so it waits for others only as long as nobody notices. */
const patience = { patienceMs: 25, openingPatienceMs: 1000 };
const closingLimitMs = 1500;
const sweepEveryMs = 60_000;
/** More than come in with a batch, and few enough not to be noticed. */
const sweptAtOnce = 400;

/** Writes events to the file of this machine. */
export const fileSink: SinkMaker = ({ sqlitePath, retentionDays, clock, ...options }) => {
  let file: EventFile | null = null;
  let fault: unknown = null;
  let nextSweepAt = Number.NEGATIVE_INFINITY;
  const queue = new SinkQueue({
    ...options,
    async write(batch) {
      try {
        file ??= await openEventFile(sqlitePath, { retentionDays, patience, onNarrowed: options.onNarrowed });
        file.add(batch, clock.now() / 1000);
        fault = null;
      } catch (error) {
        fault = error;
        return false;
      }
      sweep(file);
      return true;
    },
  });

  function sweep(opened: EventFile): void {
    const now = clock.monotonic();
    if (now < nextSweepAt) return;
    try {
      if (opened.sweep(clock.now() / 1000, sweptAtOnce) < sweptAtOnce) nextSweepAt = now + sweepEveryMs;
    } catch {
      // there is a next time
    }
  }

  return {
    add: (event) => queue.add(event),
    async close() {
      const until = clock.monotonic() + closingLimitMs;
      await queue.flush();
      while (queue.size > 0 && isBusy(fault) && clock.monotonic() < until) {
        await sleep(25);
        await queue.flush();
      }
      file?.[Symbol.dispose]();
      if (queue.size === 0) return null;
      return `${queue.size + queue.dropped} events were not stored: ${(fault as Error).message}`;
    },
  };
};
