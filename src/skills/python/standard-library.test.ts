import { expect, test } from "vitest";
import { isStandardModule } from "./standard-library.ts";

test.each([
  ["json", true],
  ["__future__", true],
  ["_thread", true],
  ["imp", true], // until 3.11
  ["tomllib", true], // since 3.11
  ["annotationlib", true], // since 3.14
  ["numpy", false],
  ["yaml", false],
  ["constructor", false],
  ["", false],
])("%j comes with Python: %j", (name, expected) => {
  expect(isStandardModule(name)).toBe(expected);
});
