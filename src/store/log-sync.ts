import { promisify } from "node:util";
import { afterThisTurn, failingForGood, Gather } from "../shared/async/gather.ts";
import { closeSynced, type Disk } from "../shared/files/disk.ts";
import { realPath } from "../shared/files/paths.ts";

/**
 * Brings committed results to the disk without holding up the run: the sync happens beside it,
 * and one sync serves everybody whose commit came before it began.
 */
export class LogSync {
  readonly #file: number;
  readonly #disk: Disk;
  readonly #syncs: Gather<null>;

  /**
   * The write-ahead log of this database: what is committed and not yet in the file itself is there.
   * `check` throws where what was synced will not be found again.
   */
  constructor(databasePath: string, check: () => void, disk: Disk) {
    this.#disk = disk;
    this.#file = disk.open(`${realPath(databasePath)}-wal`, "a+", 0o600);
    const sync = promisify(disk.syncContent);
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
    await new Promise(setImmediate); // callers whose commit has just settled request its sync only after that
    await this.#syncs.drained();
    closeSynced(this.#file, this.#disk);
  }
}
