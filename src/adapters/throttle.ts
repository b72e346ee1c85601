import { WaitingLine } from "../shared/async/waiting-line.ts";

/**
 * How many calls one target gets at once. Starts wide open, so that a target which never complains is never slowed down.
 * A complaint (429, 503) cuts the width, once per episode: complaints of calls that were under way at the cut are echoes.
 * From there the width doubles up to where it was last known to be too wide, and then feels its way by one.
 */
export class Throttle {
  #width: number;
  #ceiling: number;
  readonly #widest: number;
  #active = 0;
  #episode = 0;
  #hasComplained = false;
  readonly #line = new WaitingLine();

  constructor(widest: number) {
    this.#widest = widest;
    this.#width = widest;
    this.#ceiling = widest;
  }

  get width(): number {
    return Math.floor(this.#width);
  }

  /** Waits for a free slot. Return the ticket with the result of the call. */
  async enter(signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    if (this.#active < this.width) this.#active++;
    else await this.#line.wait(signal);
    return this.#episode;
  }

  leave(ticket: number, isComplaint: boolean): void {
    this.#active--;
    if (isComplaint) this.#cut(ticket);
    else if (this.#hasComplained) this.#widen();
    this.#admit();
  }

  #cut(ticket: number): void {
    if (ticket !== this.#episode) return;
    this.#episode++;
    // The first complaint only says "too wide": start over small. Later ones come from probing one too far.
    this.#ceiling = this.#hasComplained ? Math.max(1, this.#width * 0.85) : Math.max(1, this.#width / 2);
    this.#width = this.#hasComplained ? this.#ceiling : Math.max(1, this.#width / 8);
    this.#hasComplained = true;
  }

  #widen(): void {
    const step = this.#width < this.#ceiling ? 1 : 0.5 / this.#width;
    this.#width = Math.min(this.#widest, this.#width + step);
  }

  #admit(): void {
    while (this.#active < this.width && !this.#line.isEmpty) {
      this.#active++;
      this.#line.admit();
    }
  }
}
