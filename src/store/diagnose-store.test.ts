import { openSync, readdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeHistory } from "../../test/sample-history.ts";
import { startStoreProcess } from "../../test/store-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openDatabase } from "../shared/files/sqlite-driver.ts";
import { diagnoseStore, newestRunIn } from "./diagnose-store.ts";
import { earlierApplicationId } from "./migrations.ts";

async function reported(path: string) {
  const lines = await diagnoseStore(path);
  return Object.fromEntries(lines.map((line) => [line.name, line]));
}

test("where there is no store yet its folder is tried, and nothing is left there", async () => {
  await using folder = await temporaryFolder();

  const { SQLite, record, "free space": space } = await reported(join(folder.path, "eval-skills.db"));

  expect(SQLite).toMatchObject({ state: "ok", found: expect.stringContaining("write-ahead log") });
  expect(record).toMatchObject({ state: "ok", found: "no eval-skills.db yet; the first run creates it" });
  expect(space?.found).toMatch(/^\d+(\.\d)? [GM]iB beside the store$/);
  expect(readdirSync(folder.path)).toEqual([]);
});

test("a sound store is reported with what it holds, and not a byte of it changes", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await writeHistory(path, [{ minute: 1, rates: { a: 1 } }]);
  const before = { bytes: readFileSync(path), files: readdirSync(folder.path) };

  const { record, locks } = await reported(path);

  expect(record).toMatchObject({ state: "ok", found: "store.db: 1 run, 1 MiB, integrity check passed" });
  expect(locks).toMatchObject({ state: "ok", found: "no run in progress" });
  expect(await newestRunIn(path)).toMatch(/^2026-/);
  expect({ bytes: readFileSync(path), files: readdirSync(folder.path) }).toEqual(before);
});

test("a store of an earlier version is red, with its format and the way out, and stays as it is", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  const database = await openDatabase(path);
  database.exec("CREATE TABLE runs (id TEXT)");
  database.exec(`PRAGMA application_id = ${earlierApplicationId}; PRAGMA user_version = 2`);
  database.close();
  const before = readFileSync(path);

  const { record } = await reported(path);

  expect(record).toMatchObject({
    state: "bad",
    found: expect.stringContaining("an earlier eval-skills (format 1.2)"),
    fix: expect.stringContaining("--store"),
  });
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("a damaged store is red, with the way out", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await writeHistory(path, [{ minute: 1, rates: { a: 1 } }]);
  writeSync(openSync(path, "r+"), Buffer.alloc(2048, 0xff), 0, 2048, 4096);

  const { record } = await reported(path);

  expect(record).toMatchObject({ state: "bad", found: expect.stringContaining("damaged") });
  expect(record?.fix).toContain(".recover");
});

test("a database of another program is red", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "other.db");
  const database = await openDatabase(path);
  database.exec("CREATE TABLE t (x)");
  database.close();

  expect((await reported(path)).record).toMatchObject({
    state: "bad",
    found: expect.stringContaining("another program"),
  });
});

test("a folder that cannot hold a store is red", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "");

  expect((await reported(join(file, "store.db"))).SQLite).toMatchObject({ state: "bad" });
});

test("a run whose process is gone is a stale lock, reported with the command that goes on", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await using holder = startStoreProcess("hold", path, "run-x");
  await holder.readLine();
  expect((await reported(path)).locks).toMatchObject({ state: "ok", found: "1 run in progress" });

  await holder.kill();

  expect((await reported(path)).locks).toMatchObject({
    state: "note",
    fix: "eval-skills eval --resume run-x",
  });
});
