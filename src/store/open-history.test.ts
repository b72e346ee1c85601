import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleTime, writeHistory } from "../../test/sample-history.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { FinishedReport, RunHistory } from "../contract/store.ts";
import { collectPages } from "../shared/async/each-of.ts";
import { openDatabase } from "../shared/files/sqlite-driver.ts";
import { openSqliteHistory } from "./open-history.ts";

test("looking for a store that is not there finds none and creates nothing", async () => {
  await using folder = await temporaryFolder();

  expect(await openSqliteHistory(join(folder.path, "none.db"))).toBeNull();
  expect(await openSqliteHistory(join(folder.path, "no/such/folder.db"))).toBeNull();

  expect(readdirSync(folder.path)).toEqual([]);
});

test("an empty file is a store without history, and stays empty", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "empty.db");
  writeFileSync(path, "");

  expect(await openSqliteHistory(path)).toBeNull();
  expect(readFileSync(path)).toHaveLength(0);
});

test("a pipe is not a store, and nothing is left next to it", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "pipe");
  execFileSync("mkfifo", [path]);

  await expect(openSqliteHistory(path)).rejects.toMatchObject({
    code: "store-unusable",
    message: "the store is not a regular file",
  });

  expect(readdirSync(folder.path)).toEqual(["pipe"]);
});

test("what was stored is read, and not a byte of it changes", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await writeHistory(path, [{ minute: 1, rates: { a: 1 } }]);
  const before = readFileSync(path);

  {
    await using history = await openSqliteHistory(path);
    expect(await reportsIn(history)).toMatchObject([{ runId: "run-1", subject: { skillId: "a" } }]);
    expect(await history?.findRun("run-1")).toMatchObject({ state: "done", finishedAt: sampleTime(1) });
    expect(await history?.findRun("nobody")).toBeNull();
  }

  expect(readFileSync(path).equals(before)).toBe(true);
});

test("a run under way beside it is not disturbed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await writeHistory(path, [{ minute: 1, rates: { a: 1 } }]);
  await using history = await openSqliteHistory(path);

  await writeHistoryLater(path);

  expect(await reportsIn(history)).toHaveLength(2);
});

async function reportsIn(history: RunHistory | null): Promise<FinishedReport[]> {
  return history === null ? [] : collectPages(history.finishedReports());
}

async function writeHistoryLater(path: string): Promise<void> {
  const { openSqliteStore } = await import("./sqlite.ts");
  await using store = await openSqliteStore(path);
  await store.createRun({ id: "later", plan: {}, startedAt: sampleTime(2), toolVersion: "1.0.0" });
  const [report] = await collectPages(store.finishedReports());
  if (report === undefined) throw new Error("there is one");
  await store.finishRun("later", "done", [report.subject], sampleTime(2));
}

test.each([
  ["text", (path: string) => writeFileSync(path, "no database\n".repeat(100))],
  ["a folder", (path: string) => mkdirSync(path)],
])("%s is refused and left as it is", async (_, make) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  make(path);

  await expect(openSqliteHistory(path)).rejects.toMatchObject({ code: "store-unusable", path });
  expect(existsSync(path)).toBe(true);
});

test("a database of another program and a store of a newer version are refused", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  const newer = join(folder.path, "newer.db");
  await writeHistory(path, []);
  copyFileSync(path, newer);
  const database = await openDatabase(newer);
  database.exec("PRAGMA user_version = 99");
  database.close();
  const other = join(folder.path, "other.db");
  const foreign = await openDatabase(other);
  foreign.exec("CREATE TABLE t (x)");
  foreign.close();

  await expect(openSqliteHistory(newer)).rejects.toThrow("newer eval-skills");
  await expect(openSqliteHistory(other)).rejects.toThrow("another program");
});
