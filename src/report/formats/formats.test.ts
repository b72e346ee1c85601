import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { levelSample, sampleView } from "../../../test/level-samples.ts";
import { parseCsv } from "../../../test/parse-csv.ts";
import type { Rendering } from "../../../test/render-many.ts";
import { hostile } from "../../../test/sample-variants.ts";
import { sarifCheck } from "../../../test/sarif-schema.ts";
import { toyLevel } from "../../../test/toy-level.ts";
import { Interval } from "../../contract/document.ts";
import { type ReportFormat, reportFormats } from "../../contract/format.ts";
import { levels as ownLevels } from "../../levels/levels.ts";
import { annotations } from "../view/github-annotations.ts";
import { type FormatTraits, formatContract, rendered } from "./format.contract.ts";
import { junitFormat } from "./junit.ts";
import { loadFormats } from "./load-formats.ts";
import { terminalFormat } from "./terminal.ts";

const levels = [...ownLevels, toyLevel];
const isSarif = sarifCheck();

/** Markup without what a code block or span shows as it is. */
function withoutCode(markdown: string): string {
  let fence: string | null = null;
  const lines = markdown.split("\n").filter((line) => {
    const [, delimiter] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== null && delimiter?.startsWith(fence) && line.trim() === delimiter) fence = null;
    else if (fence === null && delimiter !== undefined) fence = delimiter;
    else return fence === null;
    return false;
  });
  return lines.join("\n").replace(/(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
}

/** The page without its script, its style and its data. */
function withoutScripts(html: string): string {
  return html.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>/g, "");
}

function tagsIn(text: string): string[] {
  return [...new Set(text.match(/<[/!?]?[a-z][^>]*>?/gi))].sort();
}

function tagNames(text: string): string[] {
  return [
    ...new Set(tagsIn(text).map((tag) => tag.replace(/^(<[/!?]?[a-z][\w-]*).*/is, "$1").toLowerCase())),
  ].sort();
}

function checkMarkdown(text: string, plain: string): void {
  const markup = withoutCode(text);
  expect(tagsIn(markup)).toEqual(expect.arrayContaining([]));
  expect(tagsIn(markup).filter((tag) => !tagsIn(withoutCode(plain)).includes(tag))).toEqual([]);
  expect(markup).not.toMatch(
    /(?<!\\)\]\((javascript|http)|(?<!\\)!\[|(?<!\\)@everyone|(?<!\\)[:.]\/\/evil|www\.evil/,
  );
}

const traits: Record<ReportFormat, FormatTraits> = {
  json: {
    retried: '"n":2,"status":"answered"',
    retriedShare: /"retriedRate":\{"value":0\.\d/,
    checkInert(text, _, { report, cells }) {
      expect(JSON.parse(text)).toEqual({ ...report, cells: [...cells()].map((cell) => JSON.parse(cell)) });
    },
  },
  ndjson: {
    retried: '"n":2,"status":"answered"',
    retriedShare: /"retriedRate":\{"value":0\.\d/,
    checkInert(text, _, { cells }) {
      const [, ...lines] = text.trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toHaveLength([...cells()].length);
    },
  },
  csv: {
    // Its rows are cells; a row of a subject has the share in a column.
    retriedShare: /passed on attempt 2/,
    isAboutCells: true,
    checkInert(text, _, { cells }) {
      const [head, ...rows] = parseCsv(text);
      expect(rows).toHaveLength([...cells()].length);
      for (const row of rows) {
        expect(row).toHaveLength(head?.length ?? 0);
        expect(row.filter((value) => /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)))).toEqual([]);
      }
    },
  },
  junit: {
    retriedShare: /name="retriedRate" value="0\.\d/,
    checkInert: (text, plain) => expect(tagNames(text)).toEqual(tagNames(plain)),
  },
  sarif: {
    shown: (text) => JSON.stringify(JSON.parse(text), null, 1).replaceAll("\\n", "\n").replaceAll('\\"', '"'),
    checkInert(text) {
      expect(isSarif(JSON.parse(text)), JSON.stringify(isSarif.errors)).toBe(true);
    },
  },
  markdown: { isForPeople: true, checkInert: checkMarkdown },
  github: {
    isForPeople: true,
    checkInert(text, plain) {
      checkMarkdown(text, plain);
      expect(text).not.toMatch(/^\s*::|##\[/m);
    },
  },
  terminal: {
    isForPeople: true,
    // No control character is left, as of every format: that is enough here.
    checkInert: () => {},
  },
  html: {
    shown: (text) => withoutScripts(text).replace(/<[^>]+>/g, " "),
    isForPeople: true,
    checkInert(text, plain) {
      const count = (one: string) => one.match(/<\/?script\b/gi)?.length;
      expect(count(text)).toBe(count(plain));
      expect(tagNames(withoutScripts(text))).toEqual(tagNames(withoutScripts(plain)));
      expect(tagsIn(withoutScripts(text)).filter((tag) => /\son\w+\s*=|javascript:|evil/i.test(tag))).toEqual(
        [],
      );
    },
  },
};

for (const format of await loadFormats(reportFormats))
  formatContract(format, traits[format.format as ReportFormat], levels);

test("every format is held to the contract", () => {
  expect(Object.keys(traits).sort()).toEqual([...reportFormats].sort());
});

test("JUnit of every level, hostile texts included, fits the common schema", async () => {
  const samples = await Promise.all(levels.map((level) => levelSample(level)));
  const documents = [...samples, ...samples.map(hostile)].map((sample) => rendered(junitFormat, sample));
  const schema = readFileSync(new URL("../../../test/fixtures/junit.xsd", import.meta.url), "utf8");

  const xml = documents.map((contents, at) => ({ fileName: `report-${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });

  expect(errors.map(({ rawMessage }) => rawMessage)).toEqual([]);
});

/** Every pair of bounds in a value. */
function boundsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [
    ...("lower" in value && "upper" in value ? [value] : []),
    ...Object.values(value).flatMap((member) => boundsIn(member)),
  ];
}

test.each(levels.map((level) => [level.name, level] as const))(
  "in JSON, every interval of a subject of %s says what it estimates, from what",
  async (_, level) => {
    const { subjects } = (await levelSample(level)).report;
    // That of a difference is a change between two arms, not a figure of the subject.
    const found = subjects.flatMap(({ details: { baseline: _, ...details }, ...subject }) =>
      boundsIn({ ...subject, details }),
    );

    expect(found.length).toBeGreaterThan(0);
    for (const interval of found) expect(Interval.parse(interval)).toEqual(interval);
  },
);

test.each(levels.map((level) => [level.name, level] as const))(
  "a run of %s without any verdict exits with 3, and a CI server that reads JUnit fails it too",
  async (_, level) => {
    const sample = await levelSample(level, { endsOf: () => ["invalid", "invalid"], maxInvalid: 0 });
    const [, tests = "", errors = "", skipped = ""] =
      /<testsuites [^>]*tests="(\d+)" failures="0" errors="(\d+)" skipped="(\d+)"/.exec(
        rendered(junitFormat, sample),
      ) ?? [];

    expect(sample.report.exitCode).toBe(3);
    expect(Number(tests)).toBeGreaterThan(0);
    // What the run left out is skipped, what it could not decide is not.
    expect(Number(skipped)).toBe(sample.report.skipped.length);
    expect(Number(errors)).toBe(Number(tests) - sample.report.skipped.length);
  },
);

test("where a terminal has colours, a report brings nothing else to it", async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what begins a colour is one
  const colour = /\u001b\[[\d;]*m/g;
  for (const level of levels) {
    const text = rendered(terminalFormat, hostile(await levelSample(level)), { color: true, width: 80 });

    expect(text).toMatch(colour);
    expect(text.replace(colour, "").match(/[^\P{Cc}\n]/u)).toBeNull();
  }
});

test.each(levels.map((level) => [level.name, level] as const))(
  "annotations of %s are workflow commands, one to a line, whatever a report says",
  async (_, level) => {
    const view = sampleView(hostile(await levelSample(level)), { fileOf: () => "suite.yaml" });

    const lines = [...annotations(view)].join("").trimEnd().split("\n");

    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) [^:]*::./);
    expect(lines.join("\n")).not.toMatch(/##\[|[\p{Bidi_Control}\p{Zl}\p{Cs}]/u);
  },
);

/** Renders so many cells of a level, or of all, in a process of its own: another test would count as well here. */
async function renderMany(cells: number, level: string): Promise<Rendering[]> {
  const program = fileURLToPath(new URL("../../../test/render-many.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--expose-gc", "--import", "tsx", program, String(cells), level, ...reportFormats],
  ]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Rendering);
}

test("every format has an extension of its own, so that none overwrites another's file", async () => {
  const extensions = (await loadFormats(reportFormats)).map(({ extension }) => extension);

  expect(new Set(extensions).size).toBe(extensions.length);
});

/** A cell held in memory takes a thousand at least; the name of one that failed, less than a hundred. */
const maxBytesPerCell = 60;

test.concurrent.each([
  [4000, "unit"],
  [1500, "all"],
])(
  "no format holds the cells: %i of them, %s",
  async (cells, level) => {
    const renderings = await renderMany(cells, level);

    expect(renderings).toHaveLength(reportFormats.length * (level === "all" ? levels.length : 1));
    expect(renderings.filter(({ grown }) => grown > 500_000 + cells * maxBytesPerCell)).toEqual([]);
    expect(renderings.filter(({ longestChars }) => longestChars > 1 << 20)).toEqual([]);
  },
  300_000,
);
