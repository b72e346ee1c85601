import { onAbort } from "./on-abort.ts";

/** Those who wait for their turn, first come first served. An interruption takes one out with the signal's reason. */
export class WaitingLine {
  readonly #waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const callOff = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      });
      const enter = () => {
        callOff();
        resolve();
      };
      this.#waiting.push(enter);
    });
  }

  /** Lets the first one go. */
  admit(): void {
    this.#waiting.shift()?.();
  }
}
