import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reportFormats } from "../src/contract/format.ts";
import { levels } from "../src/levels/levels.ts";
import { formatContract, rendered } from "../src/report/formats/format.contract.ts";
import { formatTable, loadFormats } from "../src/report/formats/load-formats.ts";
import { levelSample } from "./level-samples.ts";
import { tapFormat } from "./toy-format.ts";
import { toyLevel } from "./toy-level.ts";

/** The one line that a new format takes besides its file. */
const table = { ...formatTable, tap: async () => tapFormat };

formatContract(
  tapFormat,
  {
    isForPeople: true,
    checkInert(text, plain) {
      expect(text.match(/^(not )?ok /gm)).toEqual(plain.match(/^(not )?ok /gm));
      expect(
        text.match(/^(?!not ok |ok |# |1\.\.|TAP version ).*$/gm)?.filter((line) => line !== ""),
      ).toEqual([]);
    },
  },
  [...levels, toyLevel],
);

test("a format of thirty lines is loaded by its name and shows every level", async () => {
  const source = readFileSync(new URL("./toy-format.ts", import.meta.url), "utf8");
  expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(30);

  const formats = await loadFormats([...reportFormats, "tap"], table);
  const [tap] = await loadFormats(["tap"], table);

  expect(formats).toHaveLength(reportFormats.length + 1);
  for (const level of [...levels, toyLevel]) {
    const sample = await levelSample(level);
    const lines = rendered(tap ?? tapFormat, sample).split("\n");
    expect(lines.filter((line) => /^(not )?ok \d+ - /.test(line))).toHaveLength([...sample.cells()].length);
  }
});
