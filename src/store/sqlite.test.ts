import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { canLimitFiles, withLimitedFiles } from "../../test/limited-files.ts";
import { startStoreProcess } from "../../test/store-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { collectPages } from "../shared/async/each-of.ts";
import { type Database, openDatabase, type Row } from "../shared/files/sqlite-driver.ts";
import type { UserError } from "../shared/user-error.ts";
import { applicationId, earlierApplicationId, migrations } from "./migrations.ts";
import { openCache } from "./open-cache.ts";
import { openForReading, openQuickConnection, openStoreFile } from "./open-file.ts";
import { openSqliteHistory } from "./open-history.ts";
import { sampleResult, sampleSubject } from "./samples.ts";
import { openSqliteStore } from "./sqlite.ts";
import { storeContract } from "./store.contract.ts";
import { hasVerdict } from "./store-ground.ts";

const newRun = { id: "r1", plan: {}, startedAt: "2026-03-01T07:00:00.000Z", toolVersion: "1.0.0" };
const cell = {
  key: "c1",
  position: 0,
  level: "unit",
  suite: "bench",
  subject: "skill",
  caseId: "a",
  trial: 1,
};

storeContract("sqlite", async () => {
  const folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  return {
    open: () => openSqliteStore(path),
    async holdElsewhere(runId) {
      const holder = startStoreProcess("hold", path, runId);
      expect(await holder.readLine()).toBe("held");
      return holder;
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
});

/** A folder with the path of a store that is not there yet. */
async function storePath(): Promise<AsyncDisposable & { path: string; folder: string }> {
  const folder = await temporaryFolder();
  return {
    path: join(folder.path, "store.db"),
    folder: folder.path,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

async function withDatabase<Value>(path: string, work: (database: Database) => Value): Promise<Value> {
  const database = await openDatabase(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function allRows(path: string, sql: string): Promise<Row[]> {
  return withDatabase(path, (database) => database.prepare(sql).all());
}

/** A store with one finished run, closed. */
async function makeStore(path: string, steps = migrations): Promise<void> {
  await using store = await openSqliteStore(path, { migrations: steps });
  await store.createRun(newRun);
  await store.cellEnded("r1", 0, sampleResult({ key: "c1" }));
  await store.finishRun("r1", "done", [], newRun.startedAt);
}

function pragmasOf(database: Database): Record<string, unknown> {
  const names = [
    "journal_mode",
    "synchronous",
    "busy_timeout",
    "foreign_keys",
    "application_id",
    "user_version",
  ];
  return Object.fromEntries(
    names.map((name) => [name, Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]]),
  );
}

// Settings

test("a store is opened with write-ahead log, full synchronization, a busy timeout and foreign keys", async () => {
  await using at = await storePath();

  const database = await openStoreFile(at.path, migrations);
  const settings = pragmasOf(database);
  database.close();

  expect(settings).toEqual({
    journal_mode: "wal",
    synchronous: 2,
    busy_timeout: 5000,
    foreign_keys: 1,
    application_id: applicationId,
    user_version: migrations.length,
  });
});

test("the connection for started attempts waits for no disk, and keeps every other setting", async () => {
  await using at = await storePath();

  const database = await openStoreFile(at.path, migrations);
  const quick = await openQuickConnection(at.path, database);
  const settings = pragmasOf(quick);
  quick.close();
  database.close();

  expect(settings).toMatchObject({
    journal_mode: "wal",
    synchronous: 1,
    busy_timeout: 5000,
    foreign_keys: 1,
  });
});

test("the tables have the columns the reference promises", async () => {
  await using at = await storePath();
  await makeStore(at.path);

  const columns = async (table: string) =>
    (await allRows(at.path, `PRAGMA table_info(${table})`)).map(({ name }) => name);

  expect(await columns("runs")).toEqual(
    expect.arrayContaining(["id", "state", "plan", "started_at", "finished_at", "tool_version"]),
  );
  expect(await columns("cells_started")).toEqual(["run_id", "cell_key", "attempt", "started_at"]);
  expect(await columns("results")).toEqual(
    expect.arrayContaining(
      "run_id cell_key level suite subject position case_id trial status score latency_ms data finished_at".split(
        " ",
      ),
    ),
  );
  expect(await columns("reports")).toEqual("run_id level suite subject data finished_at".split(" "));
  expect(await columns("routing_vectors")).toEqual("model dim digest vector used_at".split(" "));
  expect(await columns("routing_floors")).toEqual(
    "model dim catalog probes script lo sigma used_at".split(" "),
  );
});

test("a closed store is whole in its one file: a copy of it alone has everything", async () => {
  await using at = await storePath();
  await makeStore(at.path);

  writeFileSync(join(at.folder, "copy.db"), readFileSync(at.path));

  await using copy = await openSqliteStore(join(at.folder, "copy.db"));
  expect(await hasVerdict(copy, "r1", "c1")).toBe(true);
});

test("looking for a run to resume reads no result that has a verdict", async () => {
  await using at = await storePath();
  await makeStore(at.path);

  const plan = await allRows(
    at.path,
    "EXPLAIN QUERY PLAN SELECT 1 FROM results WHERE run_id = 'r1' AND status = 'invalid'",
  );

  expect(plan[0]?.detail).toContain("results_invalid");
});

// Death and company

test("what was acknowledged survives the killing of its process right afterwards", async () => {
  await using at = await storePath();
  const acknowledged: string[] = [];
  {
    await using writer = startStoreProcess("acknowledge", at.path, "r1");
    while (acknowledged.length < 15) acknowledged.push((await writer.readLine()) ?? "");
    await writer.kill();
    for (let more = await writer.readLine(); more !== null; more = await writer.readLine())
      acknowledged.push(more);
  }

  await using store = await openSqliteStore(at.path);
  expect(await collectPages(store.verdictKeys("r1"))).toEqual(expect.arrayContaining(acknowledged));
  expect(await store.findResumable()).toMatchObject({ id: "r1", state: "running" });
});

test("eight processes that meet at a store which does not exist yet all write their runs, each its own", async () => {
  await using at = await storePath();
  const ids = Array.from({ length: 8 }, (_, n) => `run-${n}`);

  const words = await Promise.all(
    ids.map(async (id) => {
      await using writer = startStoreProcess("write", at.path, id, "60");
      return await writer.readLine();
    }),
  );

  expect(words).toEqual(ids.map(() => "done"));
  await using store = await openSqliteStore(at.path);
  for (const id of ids) {
    const results = (await collectPages(store.results(id, { subject: "skill" }))).map(
      (text) => JSON.parse(text) as { reason: string },
    );
    expect(results).toHaveLength(60);
    expect(results.every(({ reason }) => reason === id)).toBe(true);
    expect(await store.findRun(id)).toMatchObject({ state: "done" });
  }
  await using cache = await openCache(at.path);
  expect([...cache.vectors({ model: "m", dim: 1 }, ids).keys()].sort()).toEqual(ids);
});

test("fault row 8: of two processes that resume one run the second is refused, until the first has died", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  await using first = startStoreProcess("resume", at.path, "r1");
  expect(await first.readLine()).toBe("taken");
  await using second = startStoreProcess("resume", at.path, "r1");

  expect(await second.readLine()).toBe(`refused run r1 is being executed by process ${first.pid}`);

  await first.kill();
  await using store = await openSqliteStore(at.path);
  expect(await store.reopenRun("r1")).toMatchObject({ state: "running" });
});

async function setOwner(path: string, owner: object): Promise<void> {
  await withDatabase(path, (database) =>
    database.prepare("UPDATE runs SET state = 'running', owner = ?").run(JSON.stringify(owner)),
  );
}

test("fault row 8: a stale lock whose pid belongs to a later process is taken over", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  await setOwner(at.path, { pid: process.ppid, processStart: "1", host: hostname() });

  await using store = await openSqliteStore(at.path);

  expect(await store.findResumable()).toMatchObject({ id: "r1" });
  expect(await store.reopenRun("r1")).toMatchObject({ id: "r1" });
});

test("a stale lock with our own pid, from an earlier process, is taken over", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  await setOwner(at.path, { pid: process.pid, processStart: "1", host: hostname() });

  await using store = await openSqliteStore(at.path);

  expect(await store.findResumable()).toMatchObject({ id: "r1" });
  expect(await store.reopenRun("r1")).toMatchObject({ id: "r1" });
});

test("a lock from another machine is believed, also when it names our own pid", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  await setOwner(at.path, { pid: process.pid, processStart: "1", host: "another-container" });

  await using store = await openSqliteStore(at.path);

  expect(await store.findResumable()).toBeNull();
  await expect(store.reopenRun("r1")).rejects.toMatchObject({ code: "store-unusable" });
});

test("two stores of one process write beside each other", async () => {
  await using at = await storePath();
  await using left = await openSqliteStore(at.path);
  await using right = await openSqliteStore(at.path);
  await left.createRun(newRun);
  await right.createRun({ ...newRun, id: "r2" });

  await Promise.all(
    Array.from({ length: 200 }, (_, n) => [
      left.cellEnded("r1", n, sampleResult({ key: `c${n}` })),
      right.cellEnded("r2", n, sampleResult({ key: `c${n}` })),
    ]).flat(),
  );

  expect(await collectPages(left.results("r2", { subject: "skill" }))).toHaveLength(200);
  expect(await collectPages(right.results("r1", { subject: "skill" }))).toHaveLength(200);
});

// Files that are not ours, or not yet

test("fault row 9: a store of a newer version is refused with the way out, and not a byte of it changes", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  await withDatabase(at.path, (database) => database.exec("PRAGMA user_version = 99"));
  const before = readFileSync(at.path);

  await expect(openSqliteStore(at.path)).rejects.toMatchObject({
    code: "store-unusable",
    exitCode: 2,
    path: at.path,
    message: expect.stringContaining("newer eval-skills (format 99)"),
    hint: expect.stringContaining("update eval-skills"),
  });

  expect(readFileSync(at.path).equals(before)).toBe(true);
});

test("a store of an earlier version is refused with its format and the way out, and not a byte of it changes", async () => {
  await using at = await storePath();
  await withDatabase(at.path, (database) => {
    database.exec(
      "CREATE TABLE results (cell_key TEXT, task_id TEXT); INSERT INTO results VALUES ('c', 't');",
    );
    database.exec(`PRAGMA application_id = ${earlierApplicationId}; PRAGMA user_version = 3`);
  });
  const before = readFileSync(at.path);

  for (const open of [openSqliteStore, openSqliteHistory, openCache])
    await expect(open(at.path)).rejects.toMatchObject({
      code: "store-unusable",
      exitCode: 2,
      path: at.path,
      message: expect.stringContaining("an earlier eval-skills (format 1.3)"),
      hint: expect.stringContaining("--store"),
    });

  expect(earlierApplicationId).toBe(0x65766b31);
  expect(readFileSync(at.path).equals(before)).toBe(true);
  expect(readdirSync(at.folder)).toEqual(["store.db"]);
});

test.each([
  "CREATE TRIGGER forges AFTER INSERT ON results BEGIN UPDATE results SET result = '{}'; END",
  "CREATE VIEW forged AS SELECT * FROM results",
])("fault row 93: a store in which somebody left %s is refused, and left as it is", async (statement) => {
  await using at = await storePath();
  await makeStore(at.path);
  await withDatabase(at.path, (database) => database.exec(statement));
  const before = readFileSync(at.path);

  await expect(openSqliteStore(at.path)).rejects.toMatchObject({
    code: "store-unusable",
    message: expect.stringContaining("triggers or views"),
  });

  expect(readFileSync(at.path).equals(before)).toBe(true);
});

test("fault row 9: a store with a damaged page is refused with the way out, and left as it is", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  const bytes = readFileSync(at.path);
  bytes.fill(0xa5, 4096, 3 * 4096);
  writeFileSync(at.path, bytes);

  await expect(openSqliteStore(at.path)).rejects.toMatchObject({
    code: "store-unusable",
    message: expect.stringContaining("damaged"),
    hint: expect.stringContaining(".recover"),
  });

  expect(readFileSync(at.path).equals(bytes)).toBe(true);
});

test("fault row 1: a store whose maker was killed while making it is made anew", async () => {
  await using at = await storePath();
  const maker = await openDatabase(at.path);
  maker.exec("PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (made)"); // so small a cache that pages reach the file at once
  for (let row = 0; row < 50; row++) maker.prepare("INSERT INTO half VALUES (?)").run("x".repeat(4000));
  const killed = join(at.folder, "killed.db");
  for (const end of ["", "-journal"]) writeFileSync(`${killed}${end}`, readFileSync(`${at.path}${end}`));
  maker.close();
  expect(readFileSync(killed).length).toBeGreaterThan(0);

  await makeStore(killed);

  await using store = await openSqliteStore(killed);
  expect(await hasVerdict(store, "r1", "c1")).toBe(true);
});

test.each([
  ["some text", Buffer.from("this is no database, but a letter to a friend. ".repeat(200))],
  ["noise of a few bytes", Buffer.from([1, 2, 3])],
  ["a torn header", Buffer.from("SQLite format 3\0torn")],
])("a file that holds %s is refused and left as it is", async (_, content) => {
  await using at = await storePath();
  writeFileSync(at.path, content);

  await expect(openSqliteStore(at.path)).rejects.toMatchObject({ code: "store-unusable", path: at.path });

  expect(readFileSync(at.path).equals(content)).toBe(true);
});

test.each([0, 7])(
  "a database of another program (user_version %i) is recognized and left alone",
  async (version) => {
    await using at = await storePath();
    await withDatabase(at.path, (database) => {
      database.exec("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('la');");
      database.exec(`PRAGMA user_version = ${version}`);
    });
    const before = readFileSync(at.path);

    await expect(openSqliteStore(at.path)).rejects.toMatchObject({
      code: "store-unusable",
      message: expect.stringContaining("another program"),
    });

    expect(readFileSync(at.path).equals(before)).toBe(true);
  },
);

test("an empty file becomes a store", async () => {
  await using at = await storePath();
  writeFileSync(at.path, "");

  await using store = await openSqliteStore(at.path);

  expect(await store.findResumable()).toBeNull();
});

test("fault row 9: where the file system cannot do write-ahead logging the store is refused before anything is written", async () => {
  await using at = await storePath();

  // This way of locking has no shared memory, as network file systems have none; SQLite then keeps its old journal.
  await expect(openSqliteStore(`file:${at.path}?vfs=unix-dotfile`)).rejects.toMatchObject({
    code: "store-unusable",
    message: expect.stringContaining("write-ahead logging"),
    hint: expect.stringContaining("local disk"),
  });

  expect(existsSync(at.path) ? readFileSync(at.path).length : 0).toBe(0);
});

// Moving to a newer version

const addColumn = "ALTER TABLE runs ADD COLUMN note TEXT;";

test("fault row 9: an older store is copied, then moved to the new version, with all it holds", async () => {
  await using at = await storePath();
  await makeStore(at.path);

  await using store = await openSqliteStore(at.path, { migrations: [...migrations, addColumn] });

  expect(await hasVerdict(store, "r1", "c1")).toBe(true);
  expect(await allRows(at.path, "PRAGMA user_version")).toEqual([{ user_version: migrations.length + 1 }]);
  const backup = `${at.path}.v${migrations.length}.bak`;
  await using copy = await openSqliteStore(backup);
  expect(await hasVerdict(copy, "r1", "c1")).toBe(true);
  expect(await allRows(backup, "PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
});

test("an older store that is only looked at is moved to the new version too, with a copy of how it was", async () => {
  await using at = await storePath();
  await makeStore(at.path);

  const database = await openForReading(at.path, [...migrations, addColumn]);
  const { user_version } = pragmasOf(database);
  database.close();

  expect(user_version).toBe(migrations.length + 1);
  expect(await allRows(`${at.path}.v${migrations.length}.bak`, "SELECT id FROM runs")).toEqual([
    { id: "r1" },
  ]);
});

test("a half-made copy of an earlier try is not taken for the backup", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  writeFileSync(`${at.path}.v${migrations.length}.bak.tmp`, "half");

  await using _store = await openSqliteStore(at.path, { migrations: [...migrations, addColumn] });

  expect(readdirSync(at.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await using copy = await openSqliteStore(`${at.path}.v${migrations.length}.bak`);
  expect(await hasVerdict(copy, "r1", "c1")).toBe(true);
});

test("a step that fails takes all steps back, and the store still opens as it was", async () => {
  await using at = await storePath();
  await makeStore(at.path);
  const steps = [...migrations, addColumn, "CREATE TABLE extra (a); INSERT INTO nowhere VALUES (1);"];

  await expect(openSqliteStore(at.path, { migrations: steps })).rejects.toMatchObject({
    code: "store-unusable",
    message: expect.stringContaining("nowhere"),
  });

  expect(await allRows(at.path, "PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
  expect((await allRows(at.path, "PRAGMA table_info(runs)")).map(({ name }) => name)).not.toContain("note");
  expect(await allRows(at.path, "SELECT name FROM sqlite_master WHERE name = 'extra'")).toEqual([]);
  await using store = await openSqliteStore(at.path);
  expect(await hasVerdict(store, "r1", "c1")).toBe(true);
});

test.skipIf(!canLimitFiles)(
  "fault row 3: a disk that is full at any page of the move leaves the store as it was",
  { timeout: 120_000 },
  async () => {
    await using at = await storePath();
    await makeStore(at.path);
    const move = () => openSqliteStore(at.path, { migrations: [...migrations, addColumn] });
    let isMoved = false;
    for (let bytes = 0; !isMoved; bytes += 4120) {
      const moved = await withLimitedFiles(bytes, () => move().catch((error: UserError) => error));
      isMoved = !(moved instanceof Error);
      if (moved instanceof Error) expect(moved).toMatchObject({ code: "store-unusable", path: at.path });
      else await moved[Symbol.asyncDispose]();
      const version = migrations.length + (isMoved ? 1 : 0);
      expect(await allRows(at.path, "PRAGMA user_version")).toEqual([{ user_version: version }]);
      expect(await allRows(at.path, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
      expect(await allRows(at.path, "SELECT count(*) AS n FROM results")).toEqual([{ n: 1 }]);
    }
    expect(readdirSync(at.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  },
);

test("a store gives back the room of what is pruned, and one that was made otherwise is written anew once", async () => {
  await using at = await storePath();
  await withDatabase(at.path, (database) => {
    for (const step of migrations) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
  await using store = await openSqliteStore(at.path);
  const pruneOne = async (id: string) => {
    await store.createRun({ ...newRun, id, plan: "x".repeat(200_000) });
    await store.finishRun(id, "done", [], newRun.startedAt);
    return store.prune({ before: "9999-01-01T00:00:00.000Z", isDryRun: false });
  };

  for (const id of ["r1", "r2"]) {
    expect(await pruneOne(id)).toMatchObject({
      runs: 1,
      bytesFreed: expect.toSatisfy((freed) => freed > 190_000),
    });
    expect(await allRows(at.path, "PRAGMA auto_vacuum")).toEqual([{ auto_vacuum: 2 }]);
  }
  await using fresh = await openSqliteStore(join(at.folder, "fresh.db"));
  await fresh.createRun(newRun);
  expect(await allRows(join(at.folder, "fresh.db"), "PRAGMA auto_vacuum")).toEqual([{ auto_vacuum: 2 }]);
});

test("a new store needs no backup", async () => {
  await using at = await storePath();

  await using _store = await openSqliteStore(at.path);

  expect(readdirSync(at.folder).filter((name) => name.includes(".bak"))).toEqual([]);
});

// Places where no store can be

test.each<[string, (folder: string) => string]>([
  ["an empty path", () => ""],
  ["a folder", (folder) => folder],
  ["a folder that does not exist", (folder) => join(folder, "nowhere/store.db")],
  ["a path below a file", (folder) => join(folder, "file/store.db")],
  ["a device", () => "/dev/full"],
  ["a file system that takes no files", () => "/proc/store.db"],
  ["memory alone", () => ":memory:"],
  ["a path with a NUL", (folder) => join(folder, "a\0b.db")],
])("%s cannot hold a store", async (_, pathIn) => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "file"), "");

  await expect(openSqliteStore(pathIn(folder.path))).rejects.toMatchObject({
    code: "store-unusable",
    exitCode: 2,
  });
});

test.skipIf(process.getuid?.() === 0)("a folder that may not be written to cannot hold a store", async () => {
  await using at = await storePath();
  const locked = join(at.folder, "locked");
  mkdirSync(locked);
  chmodSync(locked, 0o500);

  await expect(openSqliteStore(join(locked, "store.db"))).rejects.toMatchObject({ code: "store-unusable" });
});

test("damage that is met later is reported with the file's name", async () => {
  await using at = await storePath();
  await using store = await openSqliteStore(at.path);
  await store.createRun(newRun);
  await withDatabase(at.path, (database) => database.exec("DROP TABLE results"));

  const failure = { code: "store-unusable", path: at.path };
  await expect(store.cellEnded("r1", 0, sampleResult())).rejects.toMatchObject(failure);
  await expect(store.result("r1", "c1")).rejects.toMatchObject(failure);
  await expect(collectPages(store.verdictKeys("r1"))).rejects.toMatchObject(failure);
  await expect(collectPages(store.results("r1", { subject: "skill" }))).rejects.toMatchObject(failure);
  await expect(collectPages(store.results("r1"))).rejects.toMatchObject(failure);
});

// All or nothing

test("reports are written all together with the end of the run, or not at all", async () => {
  await using at = await storePath();
  await using store = await openSqliteStore(at.path);
  await store.createRun(newRun);
  const report = sampleSubject({ skillId: "a" });

  const broken = { ...report, skillId: "b", suite: null as unknown as string };
  await expect(store.finishRun("r1", "done", [report, broken], newRun.startedAt)).rejects.toThrow();
  expect(await allRows(at.path, "SELECT * FROM reports")).toEqual([]);

  await store.finishRun("r1", "done", [report, { ...report, skillId: "b" }], newRun.startedAt);
  expect((await allRows(at.path, "SELECT * FROM reports")).map(({ subject }) => subject)).toEqual(["a", "b"]);
});

test("a result that cannot be written takes the results of its group with it, and the store goes on", async () => {
  await using at = await storePath();
  await using store = await openSqliteStore(at.path);
  await store.createRun(newRun);

  const ends = await Promise.allSettled([
    store.cellEnded("r1", 0, sampleResult({ key: "good" })),
    store.cellEnded("r1", 1, sampleResult({ key: "bad", status: "odd" as "pass" })),
  ]);

  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await store.result("r1", "good")).toBeNull();
  await store.cellEnded("r1", 0, sampleResult({ key: "good" }));
  expect(await hasVerdict(store, "r1", "good")).toBe(true);
});

test("a started attempt is in the file when that is reported", async () => {
  await using at = await storePath();
  await using store = await openSqliteStore(at.path);
  await store.createRun(newRun);

  await store.attemptStarted("r1", cell, 1, newRun.startedAt);

  expect(await allRows(at.path, "SELECT cell_key, attempt FROM cells_started")).toEqual([
    { cell_key: "c1", attempt: 1 },
  ]);
});
