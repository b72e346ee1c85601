import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachOf } from "./for-each-of.ts";

test("every item is worked on once, at most so many at a time", async () => {
  let active = 0;
  let most = 0;
  const seen: number[] = [];
  await forEachOf(Array.from({ length: 50 }).keys(), 4, async (item) => {
    most = Math.max(most, ++active);
    await turn();
    seen.push(item);
    active--;
  });
  expect(seen.sort((a, b) => a - b)).toEqual([...Array.from({ length: 50 }).keys()]);
  expect(most).toBe(4);
});

test("an item is taken only when there is room for it", async () => {
  let taken = 0;
  function* items() {
    for (;;) yield ++taken;
  }
  const stop = new Error("enough");
  await expect(
    forEachOf(items(), 2, async (item) => {
      await turn();
      if (item === 10) throw stop;
    }),
  ).rejects.toBe(stop);
  expect(taken).toBeLessThanOrEqual(12);
});

test("the first failure is thrown, after what was under way has ended", async () => {
  let ended = 0;
  await expect(
    forEachOf([1, 2, 3, 4, 5], 3, async (item) => {
      if (item === 1) throw new Error("first");
      await turn();
      ended++;
      throw new Error("later");
    }),
  ).rejects.toThrow("first");
  expect(ended).toBe(2);
});

test("a source that fails is a failure like any other", async () => {
  function* items() {
    yield 1;
    throw new Error("no more");
  }
  await expect(forEachOf(items(), 2, async () => {})).rejects.toThrow("no more");
});

test("nothing to do is done", async () => {
  await forEachOf([], 4, async () => expect.unreachable());
});
