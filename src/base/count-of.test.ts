import { expect, test } from "vitest";
import { countOf } from "./count-of.ts";

test("one thing has no plural", () => {
  expect([countOf(1, "cell"), countOf(0, "cell"), countOf(2, "cell")]).toEqual([
    "1 cell",
    "0 cells",
    "2 cells",
  ]);
});
