import { expect, test } from "vitest";
import { shortenMiddle } from "./text-width.ts";

test("a text that fits stays as it is", () => {
  expect(shortenMiddle("ValueError", 10)).toBe("ValueError");
});

test("of a text that is too long, its beginning and its end remain", () => {
  const cut = shortenMiddle("crash: exit 1, line 4, in deep, ValueError: x", 24);

  expect(cut).toBe("crash: e…, ValueError: x");
  expect(cut).toHaveLength(24);
});

test("no surrogate pair is split at either side of the cut", () => {
  for (const limit of [6, 7, 8, 9, 10]) {
    expect(() => encodeURIComponent(shortenMiddle("😀".repeat(20), limit))).not.toThrow(); // it throws at half a pair
  }
});
