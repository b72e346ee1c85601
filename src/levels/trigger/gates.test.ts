import { expect, test } from "vitest";
import { mergeGates } from "./gates.ts";

test("options win over the file, line by line", () => {
  expect(mergeGates({ recall: 0.9, precision: 0.8 }, { recall: 0.5, mcc: 0 })).toEqual({
    recall: 0.5,
    precision: 0.8,
    mcc: 0,
  });
});
