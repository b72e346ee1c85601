import { expect, test } from "vitest";
import { diagnoseClock, diagnoseLoopback, diagnoseNode } from "./diagnose.ts";

test.each([
  ["v20.19.0", "ok"],
  ["v24.1.0", "ok"],
  ["v20.18.9", "bad"],
  ["v18.20.0", "bad"],
])("Node %s is %s", (version, state) => {
  expect(diagnoseNode(version).state).toBe(state);
});

const defaults = { nowMs: Date.UTC(2026, 10, 15), newestRun: null, driftMs: 0 };

test.each([
  ["an ordinary day", {}, "ok"],
  ["a run of a moment ago", { newestRun: "2026-11-14T23:59:00.000Z" }, "ok"],
  ["a machine that begins in 1970", { nowMs: 0 }, "bad"],
  ["a run from the future", { newestRun: "2026-11-16T00:00:00.000Z" }, "bad"],
  ["a clock that was set meanwhile", { driftMs: -5000 }, "note"],
])("%s: the clock is %s", (_, readings, state) => {
  const line = diagnoseClock({ ...defaults, ...readings });

  expect(line.state).toBe(state);
  if (state === "bad") expect(line.fix).not.toBeNull();
});

test("the loopback address can be served from", async () => {
  expect(await diagnoseLoopback()).toMatchObject({ state: "ok" });
});
