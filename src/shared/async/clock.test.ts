import { expect, test } from "vitest";
import { isoTime, startTimer, systemClock } from "./clock.ts";

const never = new AbortController().signal;

test("sleeping takes as long as requested", async () => {
  const began = systemClock.monotonic();
  await systemClock.sleep(30, never);
  expect(systemClock.monotonic() - began).toBeGreaterThanOrEqual(29);
});

test("sleeping ends with the reason of an interruption, and leaves no timer", async () => {
  const stop = new AbortController();
  const reason = new Error("stop");
  const sleeping = systemClock.sleep(1_000_000, stop.signal);
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  await expect(systemClock.sleep(1, stop.signal)).rejects.toBe(reason);
});

test("a timer for longer than a timer can hold does not fire at once", async () => {
  let hasFired = false;
  const timer = startTimer(() => {
    hasFired = true;
  }, 2 ** 40);
  await systemClock.sleep(20, never);
  clearTimeout(timer);
  expect(hasFired).toBe(false);
});

test("a time is written as people and files write it, beyond 2038 too", () => {
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(isoTime(2 ** 41)).toBe("2039-09-07T15:47:35.552Z");
});
