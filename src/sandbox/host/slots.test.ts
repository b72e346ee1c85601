import { expect, test } from "vitest";
import { firstFree, takeSlot } from "./slots.ts";

const whole = "         0          0 4294967295\n";

test("each runner takes users from a range of its own that nobody else hands out", () => {
  expect(firstFree(whole, 7)).toBe(1_900_000_000 + 7 * 1024);
  expect(firstFree(whole, 4_194_304)).toBeLessThan(2 ** 31);
  expect(firstFree("", 7)).toBe(firstFree(whole, 7));
});

test("in a container with few users they are the last of those it has", () => {
  const rootless = "         0       1000          1\n         1     100000      65536\n";
  expect(firstFree(rootless, 7)).toBe(65_537 - 2048);
});

test("places take turns, so that a user is long unused before it is used again, and none is taken twice", () => {
  const isRoot = process.getuid?.() === 0;
  const held = Array.from({ length: 300 }, takeSlot);
  const users = held.map(({ identity }) => identity?.uid);
  expect(new Set(users).size).toBe(isRoot ? 300 : 1);
  for (const slot of held) slot[Symbol.dispose]();
  const turns = Array.from({ length: 200 }, () => {
    using slot = takeSlot();
    return slot.identity?.uid;
  });
  expect(new Set(turns).size).toBe(isRoot ? 200 : 1);
});
