import { setImmediate as nextTurn } from "node:timers/promises";

/** Short enough that timers, sockets and Ctrl-C do not notice. */
const maxHoldMs = 10;

/**
 * Keeps long work from holding the event loop: `if (turns.isDue()) await turns.take()` after every piece. By time, since
 * pieces are not equally long, and without a promise for those that are short.
 */
export class EventLoopTurns {
  #tookAt = performance.now();

  isDue(): boolean {
    return performance.now() - this.#tookAt >= maxHoldMs;
  }

  async take(): Promise<void> {
    await nextTurn();
    this.#tookAt = performance.now();
  }
}
