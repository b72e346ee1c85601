import { expect, test } from "vitest";
import type { Containment } from "../contract/containment.ts";
import type { CellResult } from "../contract/result.ts";
import { watchContainment } from "./containment-stamp.ts";

const strict: Containment = { level: "strict", backend: "bubblewrap", network: "none", unproven: [] };
const bare: Containment = { level: "process", backend: "prlimit", network: "open", unproven: [] };

test("results with other containment are counted and reported; the others, remote and older ones are not", () => {
  const others = watchContainment(strict);
  const results = [bare, bare, strict, null, undefined].map((containment) => ({ containment }) as CellResult);
  for (const result of results) others.watch(result);
  expect(others.warnings()).toEqual([
    "2 results of this run ran with containment process, network: open, the rest with strict, network: none",
  ]);
});
