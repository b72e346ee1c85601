import { expect, test } from "vitest";
import { killAndResume } from "../kill-rounds.ts";

test("fault row 1: 100 rounds of kill -9 at random moments of runs of 200 cells, each resumed to its end", async () => {
  let killed = 0;
  for (let run = 0; killed < 100; run++) {
    // Now from the start, so that opening the store is hit as well, now in the thick of it.
    const from = run % 2 === 0 ? "first word" : "start";
    killed += await killAndResume({ cells: 200, kills: 6, afterMs: () => Math.random() * 900, from });
  }
  expect(killed).toBeGreaterThanOrEqual(100);
});
