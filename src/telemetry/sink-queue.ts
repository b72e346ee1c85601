import { setImmediate as nextTurn } from "node:timers/promises";
import type { TelemetryEvent } from "../contract/telemetry.ts";
import type { Clock } from "../shared/async/clock.ts";
import type { TelemetrySettings } from "./settings.ts";

/** Beyond this, the oldest are dropped. */
const maxWaiting = 1000;
/** After a failure; each further one doubles it, up to the flush interval. */
const firstPauseMs = 50;

interface QueueOptions {
  flushIntervalMs: number;
  batchSize: number;
  /** Whether a batch is taken care of; if not, it is handed over again later. Never throws. */
  write(batch: readonly TelemetryEvent[]): Promise<boolean>;
  /** Makes the event that reports those that were lost. */
  reportDropped(count: number, since: number): TelemetryEvent;
}

/** Events that wait to be written, few at most, and never for long. */
export class SinkQueue {
  readonly #options: QueueOptions;
  readonly #batchSize: number;
  #waiting: TelemetryEvent[] = [];
  #dropped: { count: number; since: number } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isSoon = false;
  /** In a row. While there are any, only time brings the next try: each may hold up the run for a moment. */
  #failures = 0;
  #flushing: Promise<void> | null = null;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#batchSize = Math.min(options.batchSize, maxWaiting);
  }

  /** How many wait to be written. */
  get size(): number {
    return this.#waiting.length;
  }

  /** How many were dropped and not reported yet. */
  get dropped(): number {
    return this.#dropped?.count ?? 0;
  }

  add(event: TelemetryEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > maxWaiting) this.#drop(1);
    if (this.#waiting.length >= this.#batchSize && this.#failures === 0) this.#flushSoon();
    else this.#flushWithin(this.#options.flushIntervalMs);
  }

  /** Counts events that were lost elsewhere. */
  lost(count: number, since: number): void {
    const before = this.#dropped;
    this.#dropped = {
      count: count + (before?.count ?? 0),
      since: Math.min(since, before?.since ?? since),
    };
  }

  /** Empties the queue in batches, as far as they are taken. */
  flush(): Promise<void> {
    this.#flushing ??= this.#empty().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #empty(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isSoon = false;
    while (this.#waiting.length > 0 || this.#dropped !== null) {
      const dropped = this.#dropped;
      this.#dropped = null;
      const batch = this.#waiting.splice(0, this.#batchSize - (dropped === null ? 0 : 1));
      const dropReport = dropped === null ? [] : [this.#options.reportDropped(dropped.count, dropped.since)];
      if (!(await this.#options.write([...batch, ...dropReport]))) {
        // What was dropped stays a number: as an event it would take a slot in the queue, and be dropped next.
        if (dropped !== null) this.lost(dropped.count, dropped.since);
        return this.#putBack(batch);
      }
      this.#failures = 0;
      if (this.#waiting.length > 0) await nextTurn(); // the run comes first
    }
  }

  #putBack(batch: readonly TelemetryEvent[]): void {
    this.#waiting = [...batch, ...this.#waiting];
    if (this.#waiting.length > maxWaiting) this.#drop(this.#waiting.length - maxWaiting);
    this.#flushWithin(Math.min(this.#options.flushIntervalMs, firstPauseMs * 2 ** this.#failures++));
  }

  #flushWithin(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms).unref();
  }

  #drop(count: number): void {
    const [oldest] = this.#waiting.splice(0, count);
    if (oldest !== undefined) this.lost(count, oldest.ts);
  }

  #flushSoon(): void {
    if (this.#isSoon || this.#flushing !== null) return;
    this.#isSoon = true;
    setImmediate(() => void this.flush());
  }
}

/** A destination of events. It never throws and never waits. */
interface Sink {
  add(event: TelemetryEvent): void;
  /** Writes what is left, within a short time; settles with what went wrong, in words, or null. */
  close(): Promise<string | null>;
}

interface SinkOptions extends TelemetrySettings {
  clock: Clock;
  reportDropped(count: number, since: number): TelemetryEvent;
  /** Called where other users could read a file of ours; they no longer can. */
  onNarrowed(path: string): void;
}

export type SinkMaker = (options: SinkOptions) => Sink;
