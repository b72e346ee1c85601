import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { eachRow, openDatabase } from "./sqlite-driver.ts";

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
