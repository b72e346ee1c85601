import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { eachRow, filesBeside, openDatabase } from "./sqlite-driver.ts";

test("rows are read to their end, whatever memory is tidied up meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const tidyUp = runInNewContext("gc") as () => void;
  const database = await openDatabase(":memory:");
  const rows = eachRow(
    database.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n",
    ),
  );
  let sum = 0;
  for (let next = rows.next(); next.done !== true; next = rows.next()) {
    sum += next.value.i as number;
    if (sum > 6) continue;
    tidyUp();
    await new Promise(setImmediate);
  }
  expect(sum).toBe(500_500);
  database.close();
});

test("a new database is readable by its owner alone, and so is what SQLite writes beside it", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "new.db");

  const database = await openDatabase(path);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n)");

  const modes = [path, `${path}-wal`, `${path}-shm`].map((name) => statSync(name).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  database.close();
});

test("a database is not opened where a link beside it would take what SQLite writes elsewhere", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "old.db");
  (await openDatabase(path)).close();
  for (const [n, name] of filesBeside(path).entries()) {
    const linked = join(folder.path, `${n}.db`);
    symlinkSync(join(folder.path, "victim"), name.replace("old.db", `${n}.db`));
    await expect(openDatabase(linked), name).rejects.toThrow(/ is a link$/);
    await expect(openDatabase(linked, { readOnly: true }), name).rejects.toThrow(/ is a link$/);
  }
});
