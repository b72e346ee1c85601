import { closeSync, fdatasync, openSync } from "node:fs";

interface Waiting {
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Brings committed results to the disk without holding up the run: the sync happens beside it,
 * and one sync serves everybody whose commit came before it began.
 */
export class LogSync {
  readonly #file: number;
  #waiting: Waiting[] = [];
  #isBusy = false;

  /** The write-ahead log of this database: what is committed and not yet in the file itself is there. */
  constructor(databasePath: string) {
    this.#file = openSync(`${databasePath}-wal`, "a+");
  }

  /** Settles when everything committed so far is on the disk. */
  synced(): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ done, failed });
      this.#start();
    });
  }

  async close(): Promise<void> {
    do await this.synced();
    while (this.#isBusy); // whoever was told of a commit just now asks for its sync only after that
    closeSync(this.#file);
  }

  #start(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    const group = this.#waiting;
    this.#waiting = [];
    this.#isBusy = true;
    fdatasync(this.#file, (error) => {
      this.#isBusy = false;
      for (const { done, failed } of group) error === null ? done() : failed(error);
      this.#start();
    });
  }
}
