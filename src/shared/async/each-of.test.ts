import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachLimited } from "./each-of.ts";

test("every item is worked on once, at most so many at a time", async () => {
  let active = 0;
  let maxActive = 0;
  const seen: number[] = [];
  await forEachLimited(Array.from({ length: 50 }).keys(), 4, async (item) => {
    maxActive = Math.max(maxActive, ++active);
    await turn();
    seen.push(item);
    active--;
  });
  expect(seen.sort((a, b) => a - b)).toEqual([...Array.from({ length: 50 }).keys()]);
  expect(maxActive).toBe(4);
});

test("an item is taken only when there is room for it", async () => {
  let taken = 0;
  function* items() {
    for (;;) yield ++taken;
  }
  const stop = new Error("enough");
  await expect(
    forEachLimited(items(), 2, async (item) => {
      await turn();
      if (item === 10) throw stop;
    }),
  ).rejects.toBe(stop);
  expect(taken).toBeLessThanOrEqual(12);
});

test("the first failure is thrown, after what was under way has ended", async () => {
  let ended = 0;
  await expect(
    forEachLimited([1, 2, 3, 4, 5], 3, async (item) => {
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
  await expect(forEachLimited(items(), 2, async () => {})).rejects.toThrow("no more");
});

test("nothing to do is done", async () => {
  await forEachLimited([], 4, async () => expect.unreachable());
});

test("an asynchronous source is taken from in its order, and only when there is room", async () => {
  let taken = 0;
  async function* items() {
    for (let item = 0; item < 20; item++) {
      taken++;
      if (item % 3 === 0) await turn();
      yield item;
    }
  }
  const seen: number[] = [];
  let active = 0;
  await forEachLimited(items(), 3, async (item) => {
    seen.push(item);
    expect(++active).toBeLessThanOrEqual(3);
    expect(taken - seen.length).toBeLessThanOrEqual(3);
    await turn();
    active--;
  });
  expect(seen).toEqual([...Array.from({ length: 20 }).keys()]);
});

test("an asynchronous source is let go of when work fails, and nothing is begun after that", async () => {
  let isClosed = false;
  async function* items() {
    try {
      for (let item = 0; ; item++) {
        await turn();
        yield item;
      }
    } finally {
      isClosed = true;
    }
  }
  const begun: number[] = [];
  await expect(
    forEachLimited(items(), 4, async (item) => {
      begun.push(item);
      if (item === 2) throw new Error("enough");
      await turn();
    }),
  ).rejects.toThrow("enough");
  expect(isClosed).toBe(true);
  expect(Math.max(...begun)).toBeLessThan(5);
});

test("an asynchronous source that fails is a failure like any other", async () => {
  async function* items() {
    yield 1;
    throw new Error("no more");
  }
  await expect(forEachLimited(items(), 2, async () => {})).rejects.toThrow("no more");
});
