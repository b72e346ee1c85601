import { setImmediate as nextTurn } from "node:timers/promises";
import type { TelemetryEvent } from "../contract/telemetry.ts";

/** More is not kept waiting: the oldest goes first. */
const mostWaiting = 1000;

export interface QueueHabits {
  flushIntervalMs: number;
  batchSize: number;
  /** Whether a batch is taken care of; if not, it is handed over again later. Never throws. */
  write(batch: readonly TelemetryEvent[]): Promise<boolean>;
  /** Makes the event that tells of those that were lost. */
  tellDropped(count: number, since: number): TelemetryEvent;
}

/** Events that wait to be written, few at most, and never for long. */
export class SinkQueue {
  readonly #habits: QueueHabits;
  readonly #batchSize: number;
  #waiting: TelemetryEvent[] = [];
  #dropped: { count: number; since: number } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isSoon = false;
  #flushing: Promise<void> | null = null;

  constructor(habits: QueueHabits) {
    this.#habits = habits;
    this.#batchSize = Math.min(habits.batchSize, mostWaiting);
  }

  get size(): number {
    return this.#waiting.length;
  }

  add(event: TelemetryEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > mostWaiting) this.#drop(1);
    if (this.#waiting.length >= this.#batchSize) this.#flushSoon();
    else this.#timer ??= setTimeout(() => void this.flush(), this.#habits.flushIntervalMs).unref();
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
      if (this.#dropped !== null) {
        this.#waiting.push(this.#habits.tellDropped(this.#dropped.count, this.#dropped.since));
        this.#dropped = null;
      }
      const batch = this.#waiting.splice(0, this.#batchSize);
      if (!(await this.#habits.write(batch))) return this.#putBack(batch);
      if (this.#waiting.length > 0) await nextTurn(); // the run comes first
    }
  }

  #putBack(batch: readonly TelemetryEvent[]): void {
    this.#waiting = [...batch, ...this.#waiting];
    if (this.#waiting.length > mostWaiting) this.#drop(this.#waiting.length - mostWaiting);
    this.#timer ??= setTimeout(() => void this.flush(), this.#habits.flushIntervalMs).unref();
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
