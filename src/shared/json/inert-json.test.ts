import { expect, test } from "vitest";
import { inertJson } from "../text/visible-text.ts";

test("what a terminal would obey is escaped, what people read is not, and every reader gets the same value", () => {
  const value = { "k\u009b\u202e": ["\u001b[31m\u007f\u2028\u{e0041}\ud800", "发票 café 👍"] };

  expect(inertJson(value)).toBe(
    String.raw`{"k\u009b\u202e":["\u001b[31m\u007f\u2028\udb40\udc41\ud800","发票 café 👍"]}`,
  );
  expect(JSON.parse(inertJson(value, 2))).toEqual(value);
});
