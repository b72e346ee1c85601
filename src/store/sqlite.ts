import { existsSync } from "node:fs";
import { type Disk, realDisk } from "../base/disk.ts";
import { afterMs, afterThisTurn, Gather } from "../base/gather.ts";
import { openOrClose } from "../base/open-or-close.ts";
import { eachRow, type Row } from "../base/sqlite-driver.ts";
import { subjectName } from "../contract/cell.ts";
import type { SubjectReport } from "../contract/document.ts";
import type { CellName } from "../contract/event.ts";
import type { CellResult } from "../contract/result.ts";
import type { RunState, Store } from "../contract/store.ts";
import { UserError } from "../contract/user-error.ts";
import { finishedReports } from "./finished-reports.ts";
import { LogSync } from "./log-sync.ts";
import { rollBack } from "./migrate.ts";
import { migrations as ownMigrations } from "./migrations.ts";
import { openQuickConnection, openStoreFile, settle } from "./open-file.ts";
import { isAlive, isSame, type Owner, thisProcess } from "./owner.ts";
import { pruneStore } from "./prune.ts";
import { resultsOfRun, verdictKeys } from "./result-pages.ts";
import { prepareStatements } from "./statements.ts";
import { guarded as guardedAt, storeError } from "./store-error.ts";
import { storedRun } from "./stored-run.ts";

/** Long enough that a busy run writes each page of the store once for many results, short enough that nobody notices. */
const resultsGatherMs = 100;

/** The record of runs in one SQLite file that several processes may share. */
export async function openSqliteStore(
  path: string,
  { migrations = ownMigrations, disk = realDisk }: { migrations?: readonly string[]; disk?: Disk } = {},
): Promise<Store> {
  const database = await openStoreFile(path, migrations);
  const quick = await openQuickConnection(path, database);
  const { sql, log } = await openOrClose(closeConnections, async () =>
    guarded(() => ({
      sql: prepareStatements(database, quick),
      log: new LogSync(path, refuseVanished, disk),
    })),
  );
  const results = new Gather(commitAll, afterMs(resultsGatherMs));
  const starts = new Gather(commitAll, afterThisTurn);
  const source = { path, sql, refuseVanished };

  function commitAll(writes: (() => void)[]): void {
    const [only, ...others] = writes;
    // One statement is a transaction by itself; beginning and committing would take longer than it does.
    if (only !== undefined && others.length === 0) guarded(only);
    else
      transaction(() => {
        for (const write of writes) write();
      }, quick);
  }

  function transaction(work: () => void, connection = database): void {
    guarded(() => {
      connection.exec("BEGIN IMMEDIATE");
      try {
        work();
        connection.exec("COMMIT");
      } catch (error) {
        rollBack(connection);
        throw error;
      }
    });
  }

  function closeConnections(): void {
    quick.close();
    database.close();
  }

  function guarded<Value>(work: () => Value): Value {
    return guardedAt(path, work);
  }

  /** SQLite goes on writing into a file that was deleted under it: nothing of that would ever be found again. */
  function refuseVanished(): void {
    if (existsSync(path)) return;
    throw new UserError("store-unusable", "the store was deleted while the run was under way", {
      path,
      hint: "run again, and leave the store where it is until the run has ended",
    });
  }

  function takeLock(runId: string, owner: string | null): void {
    const holder = owner === null ? null : (JSON.parse(owner) as Owner);
    if (holder !== null && !isSame(holder, thisProcess()) && isAlive(holder)) {
      throw new UserError("store-unusable", `run ${runId} is being executed by process ${holder.pid}`, {
        path,
        hint: "wait for it to end, or stop it first",
      });
    }
    sql.takeRun.run(JSON.stringify(thisProcess()), runId);
  }

  return {
    async createRun({ id, plan, startedAt, toolVersion }) {
      const owner = JSON.stringify(thisProcess());
      transaction(() => sql.insertRun.run(id, JSON.stringify(plan), startedAt, toolVersion, owner));
    },

    async reopenRun(runId) {
      let row: Row | undefined;
      transaction(() => {
        row = sql.selectRun.get(runId);
        if (row !== undefined) takeLock(runId, row.owner as string | null);
      });
      if (row === undefined) throw new Error(`no run ${runId}`);
      return { ...storedRun(row), state: "running", finishedAt: null };
    },

    async findRun(runId) {
      const row = guarded(() => sql.selectRun.get(runId));
      return row === undefined ? null : storedRun(row);
    },

    async findResumable(isMeant = () => true) {
      return guarded(() => {
        for (const row of eachRow(sql.selectUnfinished)) {
          const owner = row.owner === null ? null : (JSON.parse(row.owner as string) as Owner);
          if (row.state === "running" && owner !== null && isAlive(owner)) continue;
          const run = storedRun(row);
          if (isMeant(run)) return run;
        }
        return null;
      });
    },

    attemptStarted(runId: string, { key }: CellName, attempt: number, at: string) {
      return starts.add(() => sql.insertStart.run(runId, key, attempt, at));
    },

    async cellEnded(runId: string, position: number, result: CellResult) {
      await results.add(() =>
        sql.insertResult.run(
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
          result.latencyMs,
          JSON.stringify(result),
          result.finishedAt,
        ),
      );
      try {
        await log.synced();
      } catch (error) {
        throw storeError(path, error);
      }
    },

    async cellRescored(runId, result) {
      const { status, score, key } = result;
      transaction(() => sql.updateResult.run(status, score, JSON.stringify(result), runId, key));
    },

    flush: () => results.flush(),

    results: (runId, filter) => resultsOfRun(source, runId, filter),

    async result(runId, cellKey) {
      const row = guarded(() => sql.selectResult.get(runId, cellKey));
      return row === undefined ? null : (row.data as string);
    },

    verdictKeys: (runId) => verdictKeys(source, runId),

    async startedAttempts(runId, cellKey) {
      return guarded(() => sql.selectStarts.all(runId, cellKey)).map(({ attempt }) => attempt as number);
    },

    async finishRun(runId: string, state: RunState, subjects: readonly SubjectReport[], at: string) {
      results.flush();
      transaction(() => {
        for (const subject of subjects) {
          const { level, suite } = subject;
          sql.insertReport.run(runId, level, suite, subjectName(subject), JSON.stringify(subject), at);
        }
        sql.endRun.run(state, at, runId);
      });
      refuseVanished();
    },

    finishedReports: (filter) => finishedReports(database, path, filter),

    async prune(options) {
      starts.flush();
      results.flush();
      return pruneStore(database, path, options);
    },

    async [Symbol.asyncDispose]() {
      starts.flush();
      results.flush();
      await log.close();
      settle(database);
      closeConnections();
    },
  };
}
