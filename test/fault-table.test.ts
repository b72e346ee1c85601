import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultRows } from "./fault-rows.ts";
import { faultTable, findFaultTests, missingTests, namesIn } from "./fault-table.ts";

const root = join(import.meta.dirname, "..");
const tests = findFaultTests(root);

test("every row of the fault matrix that is promised a test has one", () => {
  expect(missingTests(tests)).toEqual([]);
  const numbers = faultRows.map(({ row }) => row);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test("docs/faults.md is what `npm run faults:table` writes", () => {
  expect(readFileSync(join(root, "docs/faults.md"), "utf8")).toBe(faultTable(tests));
});

test("a name may stand for several rows, in any quotes, and stands in the table", () => {
  // Put together here, so that this file does not name the rows itself.
  const word = "fault";
  const text = `test("case 5, ${word} row 7: a \\"b\\" c", …)\ndescribe(\`${word} rows 3, 4 and 6: d\`, …)\n// ${word} row 9`;
  expect(namesIn(text, "test/faults/x.test.ts")).toEqual([
    { rows: [7], name: `case 5, ${word} row 7: a \\"b\\" c`, file: "test/faults/x.test.ts", isFull: true },
    { rows: [3, 4, 6], name: `${word} rows 3, 4 and 6: d`, file: "test/faults/x.test.ts", isFull: true },
  ]);
  const rows = [{ row: 3, fault: "f", promise: "p", testedIn: "CI and full" as const }];
  const found = namesIn(text, "src/x.test.ts");
  expect(missingTests(found.slice(1), rows)).toEqual([
    "src/x.test.ts names row 4, which there is not",
    "src/x.test.ts names row 6, which there is not",
    "row 3 has no full test",
  ]);
  expect(faultTable(found, rows)).toContain("| 3 | f | p | d ([src/x.test.ts](../src/x.test.ts)) | CI |");
});
