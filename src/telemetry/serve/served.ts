import type { EventFile, TelemetryMode } from "../../contract/telemetry.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { WaitingLine } from "../../shared/async/waiting-line.ts";
import type { ReceivedIds } from "../intake/received-ids.ts";
import type { TelemetryPage } from "./telemetry-page.ts";

/** What the routes answer from. */
export interface Served {
  /** Null: telemetry is off, and nothing is kept. */
  file: EventFile | null;
  mode: TelemetryMode;
  retentionDays: number;
  /** Null: there are no dev routes. */
  page: TelemetryPage | null;
  clock: Clock;
  ids: ReceivedIds;
  posts: Turnstile;
  turns: Turns;
  /** Told of what is our own fault. */
  warn: (message: string) => void;
}

/** Does heavy work piece by piece: between two pieces whatever else came in is answered. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Value>(work: () => Value): Promise<Value> {
    const turn = this.#last.then(() => new Promise<void>((next) => setImmediate(next))).then(work);
    // One that fails is its own asker's matter.
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Lets a few in at a time, has some wait, and turns the rest away: whoever floods us fills a line that has an end. */
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

  /** A place, given back by disposing of it; null where even the line is full. */
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
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** Whoever waits takes the place over. */
  #leave(): void {
    if (this.#line.isEmpty) this.#entered--;
    else this.#line.admit();
  }
}
