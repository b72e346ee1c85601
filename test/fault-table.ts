import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultRow, faultRows } from "./fault-rows.ts";

/** A test, or a group of tests, whose name says which rows of the fault matrix it belongs to. */
export interface FaultTest {
  rows: number[];
  name: string;
  file: string;
  isFull: boolean;
}

const folders = ["src", "test", "web"];
const leftOut = new Set(["node_modules", "fixtures"]);
/** A name in quotes that says `fault row 3` or `fault rows 3, 4 and 6`, also as the first value of a `test.each`. */
const naming =
  /(["'`])((?:(?!\1)[^\n\\]|\\.)*?\bfault rows? (\d+(?:(?:, | and )\d+)*)(?:(?!\1)[^\n\\]|\\.)*)\1/g;

/** Every test that names a row of the matrix, found in the text of the test files. */
export function findFaultTests(root: string): FaultTest[] {
  return folders
    .flatMap((folder) => testFilesBelow(root, folder))
    .flatMap((file) => namesIn(readFileSync(join(root, file), "utf8"), file));
}

function testFilesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return testFilesBelow(root, path);
      return /\.(?:test|contract)\.ts$/.test(path) ? [path] : [];
    });
}

export function namesIn(text: string, file: string): FaultTest[] {
  return Array.from(text.matchAll(naming), ([, , name = "", rows = ""]) => ({
    rows: rows.split(/, | and /).map(Number),
    name,
    file,
    isFull: file.startsWith("test/faults/"),
  }));
}

/** What the matrix promises and no test names, by row; empty when all is well. */
export function missingTests(tests: readonly FaultTest[], rows = faultRows): string[] {
  const known = new Set(rows.map(({ row }) => row));
  const unknown = tests.flatMap(({ rows: named, file }) =>
    named.filter((row) => !known.has(row)).map((row) => `${file} names row ${row}, which there is not`),
  );
  const missing = rows.flatMap(({ row, testedIn: project }) => {
    if (typeof project === "object") return [];
    const own = tests.filter((test) => test.rows.includes(row));
    const lacksCi = project !== "full" && !own.some(({ isFull }) => !isFull);
    const lacksFull = project !== "CI" && !own.some(({ isFull }) => isFull);
    return [
      lacksCi ? `row ${row} has no test in CI` : [],
      lacksFull ? `row ${row} has no full test` : [],
    ].flat();
  });
  return [...unknown, ...missing];
}

/** The whole of `docs/faults.md`. */
export function faultTable(tests: readonly FaultTest[], rows = faultRows): string {
  const lines = rows.map((row) => {
    const own = tests.filter((test) => test.rows.includes(row.row));
    const cells = [String(row.row), row.fault, promiseWords(row), testNames(own), rowState(row, own)];
    return `| ${cells.join(" | ")} |`;
  });
  return `${head}\n${lines.join("\n")}\n`;
}

const head = `# What breaks, and what holds

Every fault we have thought of, what we promise when it happens, and the tests that go red when that is broken. The table is
made from the names of the tests: \`npm run faults:table\` writes it, and a test fails when it is out of date.

**CI**: in every \`npm test\`. **full**: in \`npm run test:faults\`, which is slow or in need of a tool; it says at its start what this
machine lacks and how to install it. A row that comes with something we do not have yet is listed and not tested.

| row | what breaks | what we promise | tested by | state |
| --- | --- | --- | --- | --- |`;

function promiseWords({ promise, note }: FaultRow): string {
  return note === undefined ? promise : `${promise} (${note})`;
}

/** A row may have dozens of tests: a few names say what they are like, the files have the rest. */
function testNames(tests: readonly FaultTest[]): string {
  return [...groupByFile(tests)]
    .map(([file, [first, ...others]]) => {
      const more = others.length === 0 ? "" : ` and ${others.length} more`;
      return `${escaped(shortName(first?.name ?? ""))}${more} ([${file}](../${file}))`;
    })
    .join("<br>");
}

function groupByFile(tests: readonly FaultTest[]): Map<string, FaultTest[]> {
  const groups = new Map<string, FaultTest[]>();
  for (const test of tests) groups.set(test.file, [...(groups.get(test.file) ?? []), test]);
  return groups;
}

/** What the test says besides its rows; placeholders of values are left out. */
function shortName(name: string): string {
  const words = name.replace(/^.*?fault rows? \d+(?:(?:, | and )\d+)*:?\s*/, "") || name;
  return words.replace(/%[a-z]|\$\{[^}]*\}/g, "…");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "").replaceAll("|", "\\|").replaceAll("<", "&lt;").replace(/[_*]/g, "\\$&");
}

function rowState({ testedIn: project }: FaultRow, tests: readonly FaultTest[]): string {
  if (typeof project === "object") return `comes with ${project.comesWith}`;
  const states = [
    tests.some(({ isFull }) => !isFull) ? "CI" : "",
    tests.some(({ isFull }) => isFull) ? "full" : "",
  ];
  return states.filter((state) => state !== "").join(" and ") || "not tested";
}
