import { expect, test } from "vitest";
import { sampleCell } from "../../test/sample-cell.ts";
import type { Attempt } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import { sampleResult } from "../store/samples.ts";
import { earlierAttempts } from "./stored-results.ts";

const crash: Attempt = { n: 1, status: "error", code: "crash", latencyMs: 3, message: "exit 1" };

function storeWith(started: number[], ended: Attempt[] | null): Pick<Store, "startedAttempts" | "result"> {
  return {
    startedAttempts: async () => started,
    result: async () =>
      ended === null ? null : JSON.stringify(sampleResult({ status: "invalid", attempts: ended })),
  };
}

test("a cell that never began has no earlier attempts", async () => {
  expect(await earlierAttempts(storeWith([], null), "r1")(sampleCell())).toEqual([]);
});

test("an attempt that began and never ended is listed as interrupted", async () => {
  expect(await earlierAttempts(storeWith([1, 2], null), "r1")(sampleCell())).toEqual([
    { n: 1, status: "interrupted", code: null, latencyMs: 0, message: "the run was interrupted" },
    { n: 2, status: "interrupted", code: null, latencyMs: 0, message: "the run was interrupted" },
  ]);
});

test("attempts of a cell that ended invalid are listed as they ended", async () => {
  const attempts = await earlierAttempts(storeWith([1, 2], [crash]), "r1")(sampleCell());

  expect(attempts.map(({ n, status }) => [n, status])).toEqual([
    [1, "error"],
    [2, "interrupted"],
  ]);
  expect(attempts[0]).toEqual(crash);
});
