import { expect, test } from "vitest";
import { sparkline } from "./history-lines.ts";

test.each([
  [[0, 0.5, 1], "▁▅█", "_=#"],
  [[1, 0], "█▁", "#_"],
  [[1, null, 1], "█ █", "# #"],
  [[0.8, 0.8, 0.8], "███", "###"],
  [[0, 0], "▁▁", "__"],
  [[0.95, 1], "▇█", "*#"],
  [[], "", ""],
])("%j is drawn as %s, and in ASCII as %s", (rates, blocks, letters) => {
  expect(sparkline(rates, true)).toBe(blocks);
  expect(sparkline(rates, false)).toBe(letters);
});
