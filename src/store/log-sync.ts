import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";
import { afterThisTurn, failingForGood, Gather } from "../base/gather.ts";

const sync = promisify(fdatasync);

/**
 * Brings committed results to the disk without holding up the run: the sync happens beside it,
 * and one sync serves everybody whose commit came before it began.
 */
export class LogSync {
  readonly #file: number;
  readonly #syncs: Gather<null>;

  /**
   * The write-ahead log of this database: what is committed and not yet in the file itself is there.
   * `check` throws where what was synced will not be found again.
   */
  constructor(databasePath: string, check: () => void) {
    this.#file = openSync(`${databasePath}-wal`, "a+");
    this.#syncs = new Gather(
      failingForGood(async () => {
        await sync(this.#file);
        check();
      }),
      afterThisTurn,
    );
  }

  /** Settles when everything committed so far is on the disk. */
  synced(): Promise<void> {
    return this.#syncs.add(null);
  }

  async close(): Promise<void> {
    await new Promise(setImmediate); // whoever was told of a commit just now asks for its sync only after that
    await this.#syncs.drained();
    closeSync(this.#file);
  }
}
