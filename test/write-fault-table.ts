// Writes docs/faults.md from the matrix and the names of the tests: `npm run faults:table`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { faultTable, findFaultTests, missingTests } from "./fault-table.ts";

const root = join(import.meta.dirname, "..");
const tests = findFaultTests(root);
writeFileSync(join(root, "docs/faults.md"), faultTable(tests));
for (const problem of missingTests(tests)) console.error(`warning: ${problem}`);
console.log("docs/faults.md");
