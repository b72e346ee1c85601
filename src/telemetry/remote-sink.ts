import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { TelemetryEvent } from "../contract/telemetry.ts";
import { isBusy } from "../shared/async/patiently.ts";
import { intakeLimits } from "./limits.ts";
import { sendEvents } from "./send-events.ts";
import { type SinkMaker, SinkQueue } from "./sink-queue.ts";
import { openSpool, type Spool, spoolPath } from "./spool.ts";

const patience = { patienceMs: 25, openingPatienceMs: 1000 };
const closingLimitMs = 1000;
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** Sends events to an endpoint. What does not arrive waits in the spool; after a failure the endpoint gets a pause, each longer than the last. */
export const remoteSink: SinkMaker = ({ sqlitePath, retentionDays, clock, ...options }) => {
  const endpoint = { url: options.remoteEndpoint ?? "", token: options.token };
  const path = spoolPath(sqlitePath);
  const ending = new AbortController();
  let spool: Spool | null = null;
  let failures = 0;
  let pause: NodeJS.Timeout | null = null;
  let draining: Promise<void> = Promise.resolve();
  let isClosing = false;
  let spooled = 0;
  const problems = { sending: "", spooling: new Error("") };

  const queue = new SinkQueue({
    ...options,
    batchSize: Math.min(options.batchSize, intakeLimits.events), // servers of ours take no more in one post
    async write(batch) {
      if (pause === null && !ending.signal.aborted && (await send(batch))) return true;
      return keep(batch);
    },
  });

  async function send(batch: readonly TelemetryEvent[]): Promise<boolean> {
    const problem = await sendEvents(endpoint, batch, ending.signal);
    if (problem === null) {
      failures = 0;
      return true;
    }
    problems.sending ||= problem;
    pauseFor(Math.min(longestPauseMs, firstPauseMs * 2 ** failures++));
    return false;
  }

  function pauseFor(durationMs: number): void {
    if (pause !== null) clearTimeout(pause);
    pause = setTimeout(() => {
      pause = null;
      drain();
    }, durationMs).unref();
  }

  async function keep(batch: readonly TelemetryEvent[]): Promise<boolean> {
    try {
      const lost = (await openedSpool()).put(batch, clock.now() / 1000);
      if (lost !== null) queue.lost(lost.count, lost.since);
      spooled += batch.length;
      return true;
    } catch (error) {
      problems.spooling = error as Error;
      return false;
    }
  }

  async function openedSpool(): Promise<Spool> {
    const oldest = clock.now() / 1000 - retentionDays * 24 * 60 * 60;
    spool ??= await openSpool(path, {
      endpoint: endpoint.url,
      oldest,
      patience,
      onNarrowed: options.onNarrowed,
    });
    return spool;
  }

  /** Sends what waits in the spool, one batch after another, until one does not arrive. */
  function drain(): void {
    draining = draining.then(sendSpooled).catch((error: Error) => {
      problems.spooling = error;
    });
  }

  async function sendSpooled(): Promise<void> {
    while (!isClosing && pause === null) {
      const opened = await openedSpool();
      const batch = opened.take(clock.now() / 1000);
      if (batch === null) return;
      if (await send(batch.events)) opened.sent(batch.id);
      else opened.failed(batch.id);
    }
  }

  const start = setImmediate(() => existsSync(path) && drain()); // what an earlier run left

  return {
    add: (event) => queue.add(event),
    async close() {
      clearImmediate(start);
      isClosing = true;
      const limit = setTimeout(() => ending.abort(), closingLimitMs);
      await queue.flush();
      await draining;
      while (queue.size > 0 && isBusy(problems.spooling) && !ending.signal.aborted) {
        await sleep(25);
        await queue.flush();
      }
      clearTimeout(limit);
      if (pause !== null) clearTimeout(pause);
      spool?.[Symbol.dispose]();
      return words();
    },
  };

  function words(): string | null {
    const { host } = new URL(endpoint.url);
    if (queue.size > 0)
      return `${queue.size + queue.dropped} events for ${host} are lost: ${problems.sending}; ${problems.spooling.message}`;
    if (spooled > 0) return `${spooled} events for ${host} are queued in ${path}: ${problems.sending}`;
    if (problems.sending !== "") return `${host} cannot be reached: ${problems.sending}`;
    return problems.spooling.message || null;
  }
};
