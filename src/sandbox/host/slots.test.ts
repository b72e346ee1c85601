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

test("the smallest free place is taken, and given back", () => {
  const first = takeSlot();
  const second = takeSlot();
  const { identity } = first;
  first[Symbol.dispose]();
  const again = takeSlot();
  expect(again.identity).toEqual(identity);
  if (process.getuid?.() === 0) expect(second.identity?.uid).not.toBe(again.identity?.uid);
  else expect(second.identity).toBe(null);
  second[Symbol.dispose]();
  again[Symbol.dispose]();
});
