import type { EventFile, TelemetryMode } from "../../contract/telemetry.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { WaitingLine } from "../../shared/async/waiting-line.ts";
import type { ReceivedIds } from "../intake/received-ids.ts";
import type { TelemetryPage } from "./telemetry-page.ts";

/** What the routes answer from. */
export interface Served {
  /** Null: telemetry is off, and nothing is stored. */
  file: EventFile | null;
  mode: TelemetryMode;
  retentionDays: number;
  /** Null: there are no dev routes. */
  page: TelemetryPage | null;
  clock: Clock;
  ids: ReceivedIds;
  posts: Turnstile;
  turns: Turns;
  /** Called with failures of the server itself. */
  warn: (message: string) => void;
}

/** Does heavy work piece by piece, so that other requests are answered in between. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Value>(work: () => Value): Promise<Value> {
    const turn = this.#last.then(() => new Promise<void>((next) => setImmediate(next))).then(work);
    // A failure is for its own caller to handle.
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Lets a few in at a time, has some wait, and refuses the rest, so that a flood of requests fills a bounded queue. */
export class Turnstile {
  readonly #line = new WaitingLine();
  readonly #inside: number;
  readonly #waiting: number;
  #entered = 0;
  #queued = 0;

  constructor(limits: { inside: number; waiting: number }) {
    this.#inside = limits.inside;
    this.#waiting = limits.waiting;
  }

  /** A slot, released by disposing of it; null where even the queue is full. */
  async enter(signal: AbortSignal): Promise<Disposable | null> {
    if (this.#entered >= this.#inside) {
      if (this.#queued >= this.#waiting) return null;
      this.#queued++;
      try {
        await this.#line.wait(signal);
      } finally {
        this.#queued--;
      }
    } else this.#entered++;
    return { [Symbol.dispose]: () => this.#releaseSlot() };
  }

  /** The next in the queue takes the slot over. */
  #releaseSlot(): void {
    if (this.#line.isEmpty) this.#entered--;
    else this.#line.admit();
  }
}
