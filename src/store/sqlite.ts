import { subjectName } from "../contract/cell.ts";
import type { SubjectReport } from "../contract/document.ts";
import type { CellName } from "../contract/event.ts";
import type { CellResult } from "../contract/result.ts";
import type {
  FinishedReport,
  Pages,
  Pruned,
  PruneOptions,
  ReportFilter,
  ResultFilter,
  RunState,
  Store,
  StoredRun,
} from "../contract/store.ts";
import { afterMs, afterThisTurn, Gather } from "../shared/async/gather.ts";
import { openOrClose } from "../shared/async/open-or-close.ts";
import { type Disk, realDisk } from "../shared/files/disk.ts";
import { eachRow, type Row } from "../shared/files/sqlite-driver.ts";
import { UserError } from "../shared/user-error.ts";
import { LogSync } from "./log-sync.ts";
import { migrations as ownMigrations } from "./migrations.ts";
import { finishedReports, storedRun } from "./open-history.ts";
import { isAlive, isSame, type Owner, thisProcess } from "./owner.ts";
import { deleteRun, pruneStore } from "./prune.ts";
import { resultsOfRun, verdictKeys } from "./result-pages.ts";
import { storeError } from "./store-error.ts";
import { StoreFile } from "./store-file.ts";

/** Long enough that a busy run writes each page of the store once for many results, short enough that nobody notices. */
const resultsGatherMs = 100;

/** The record of runs in one SQLite file that several processes may share. */
export async function openSqliteStore(
  path: string,
  { migrations = ownMigrations, disk = realDisk }: { migrations?: readonly string[]; disk?: Disk } = {},
): Promise<Store> {
  const file = await StoreFile.open(path, migrations);
  const openLog = () => new LogSync(path, () => file.refuseVanished(), disk);
  const log = await openOrClose(
    () => file.closeConnections(),
    async () => file.guarded(openLog),
  );
  return new SqliteStore(file, log);
}

class SqliteStore implements Store {
  readonly #file: StoreFile;
  readonly #log: LogSync;
  readonly #results: Gather<() => void>;
  readonly #starts: Gather<() => void>;

  constructor(file: StoreFile, log: LogSync) {
    this.#file = file;
    this.#log = log;
    this.#results = new Gather((writes) => file.commitAll(writes), afterMs(resultsGatherMs));
    this.#starts = new Gather((writes) => file.commitAll(writes), afterThisTurn);
  }

  async createRun({ id, plan, startedAt, toolVersion }: Parameters<Store["createRun"]>[0]): Promise<void> {
    const owner = JSON.stringify(thisProcess());
    const { sql } = this.#file;
    this.#file.transaction(() => sql.insertRun.run(id, JSON.stringify(plan), startedAt, toolVersion, owner));
  }

  async reopenRun(runId: string): Promise<StoredRun> {
    const { sql } = this.#file;
    let row: Row | undefined;
    this.#file.transaction(() => {
      row = sql.selectRun.get(runId);
      if (row !== undefined) this.#takeLock(runId, ownerIn(row));
    });
    if (row === undefined) throw new Error(`no run ${runId}`);
    return { ...storedRun(row), state: "running", finishedAt: null };
  }

  async findRun(runId: string): Promise<StoredRun | null> {
    const row = this.#file.guarded(() => this.#file.sql.selectRun.get(runId));
    return row === undefined ? null : storedRun(row);
  }

  async findResumable(isMeant: (run: StoredRun) => boolean = () => true): Promise<StoredRun | null> {
    return this.#file.guarded(() => {
      const { selectInterrupted, selectWithInvalid, selectDone } = this.#file.sql;
      for (const select of [selectInterrupted, selectWithInvalid, selectDone]) {
        for (const row of eachRow(select)) {
          if (isHeld(row)) continue;
          const run = storedRun(row);
          if (isMeant(run)) return run;
        }
      }
      return null;
    });
  }

  async *earlierRuns(runId: string | null): Pages<StoredRun> {
    yield this.#file.guarded(() => this.#file.sql.selectEarlier.all(runId).map(storedRun));
  }

  attemptStarted(runId: string, { key }: CellName, attempt: number, at: string): Promise<void> {
    return this.#starts.add(() => this.#file.sql.insertStart.run(runId, key, attempt, at));
  }

  async cellEnded(runId: string, position: number, result: CellResult): Promise<void> {
    await this.#results.add(() =>
      this.#file.sql.insertResult.run(
        runId,
        result.key,
        result.level,
        result.suite,
        subjectName(result),
        position,
        result.caseId,
        result.trial,
        result.status,
        result.score,
        result.latencyMs ?? 0,
        JSON.stringify(result),
        result.finishedAt,
      ),
    );
    try {
      await this.#log.synced();
    } catch (error) {
      throw storeError(this.#file.path, error);
    }
  }

  async cellRescored(runId: string, result: CellResult): Promise<void> {
    const { status, score, key } = result;
    const { sql } = this.#file;
    this.#file.transaction(() => sql.updateResult.run(status, score, JSON.stringify(result), runId, key));
  }

  flush(): void {
    this.#results.flush();
  }

  results(runId: string, filter?: ResultFilter): Pages<string> {
    return resultsOfRun(this.#file, runId, filter);
  }

  async result(runId: string, cellKey: string): Promise<string | null> {
    const row = this.#file.guarded(() => this.#file.sql.selectResult.get(runId, cellKey));
    return row === undefined ? null : (row.data as string);
  }

  verdictKeys(runId: string): Pages<string> {
    return verdictKeys(this.#file, runId);
  }

  async startedAttempts(runId: string, cellKey: string): Promise<number[]> {
    const rows = this.#file.guarded(() => this.#file.sql.selectStarts.all(runId, cellKey));
    return rows.map(({ attempt }) => attempt as number);
  }

  async finishRun(
    runId: string,
    state: RunState,
    subjects: readonly SubjectReport[],
    at: string,
  ): Promise<void> {
    const { sql } = this.#file;
    this.#results.flush();
    this.#file.transaction(() => {
      for (const subject of subjects) {
        const { level, suite } = subject;
        sql.insertReport.run(runId, level, suite, subjectName(subject), JSON.stringify(subject), at);
      }
      sql.endRun.run(state, at, runId);
    });
    this.#file.refuseVanished();
  }

  finishedReports(filter?: ReportFilter): Pages<FinishedReport> {
    return finishedReports(this.#file.database, this.#file.path, filter);
  }

  async removeRun(runId: string): Promise<void> {
    await Promise.all([this.#starts.drained(), this.#results.drained()]);
    this.#file.transaction(() => deleteRun(this.#file.database, runId));
  }

  async prune(options: PruneOptions): Promise<Pruned> {
    this.#flushAll();
    return pruneStore(this.#file.database, this.#file.path, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flushAll();
    await this.#log.close();
    this.#file.close();
  }

  #flushAll(): void {
    this.#starts.flush();
    this.#results.flush();
  }

  #takeLock(runId: string, holder: Owner | null): void {
    if (holder !== null && !isSame(holder, thisProcess()) && isAlive(holder)) {
      throw new UserError("store-unusable", `run ${runId} is being executed by process ${holder.pid}`, {
        path: this.#file.path,
        hint: "wait for it to end, or stop it first",
      });
    }
    this.#file.sql.takeRun.run(JSON.stringify(thisProcess()), runId);
  }
}

function ownerIn({ owner }: Row): Owner | null {
  return owner === null ? null : (JSON.parse(owner as string) as Owner);
}

/** Whether a living process is working on a run. */
function isHeld(row: Row): boolean {
  const owner = ownerIn(row);
  return row.state === "running" && owner !== null && isAlive(owner);
}
