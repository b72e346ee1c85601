import { expect, test } from "vitest";
import { listed } from "./phrases.ts";

test("what fits is listed whole, and of more it says how many", () => {
  expect(listed([], 2)).toBe("");
  expect(listed(["a", "b"], 2)).toBe("a, b");
  expect(listed(["a", "b", "c", "d"], 2, "; ")).toBe("a; b and 2 more");
});
