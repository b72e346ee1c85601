import { expect, test } from "vitest";
import { unlessAborted } from "./abort.ts";

test("a value that is there before the signal is given", async () => {
  const { signal } = new AbortController();

  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
});

test("the reason of a signal is thrown, whether it comes during the wait or before it", async () => {
  const stop = new AbortController();
  const waiting = unlessAborted(new Promise(() => {}), stop.signal);
  stop.abort(new Error("enough"));

  await expect(waiting).rejects.toThrow("enough");
  await expect(unlessAborted(new Promise(() => {}), stop.signal)).rejects.toThrow("enough");
});

test("a promise that fails after the signal is nobody's loose end", async () => {
  const stop = new AbortController();
  let fail = (_: Error) => {};
  const failing = new Promise((_, reject) => {
    fail = reject;
  });
  const waiting = unlessAborted(failing, stop.signal);
  stop.abort(new Error("enough"));
  fail(new Error("too late"));

  await expect(waiting).rejects.toThrow("enough");
});
