import { causeCodes } from "../src/contract/cause.ts";
import { subjectName } from "../src/contract/cell.ts";
import type { CaseReport, ReportDocument } from "../src/contract/document.ts";
import type { CellFilter } from "../src/contract/format.ts";
import { type CellResult, parseCell } from "../src/contract/result.ts";
import type { LevelSample } from "./level-samples.ts";
import { cellReader } from "./sample-document.ts";

/** The same report with every string changed that no schema fixes; equal strings stay equal. */
function changedStrings(
  { level, report, cells }: LevelSample,
  change: (text: string) => string,
): LevelSample {
  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === "string") return isFixed(name, value) ? value : change(value);
    if (Array.isArray(value)) return value.map((item) => walk(item, name));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([key, item]) => [
      keyed.has(name) ? change(key) : key,
      walk(item, key),
    ]);
    return Object.fromEntries(members);
  };
  return {
    level,
    report: walk({ ...report, cases: [...report.cases] }, "") as ReportDocument,
    cells: cellReader([...cells()].map((text) => walk(parseCell(text), "") as CellResult)),
  };
}

/** Members whose values come from a list in a schema, wherever they are. */
const fixed = new Set(
  (
    "level status cause method estimates better on op schemaVersion kind side outcome verdict route dimension form " +
    "rejection end mode lenientDecision scorerType caseClass asker by"
  ).split(" "),
);
/** Objects whose keys are anybody's words. */
const keyed = new Set(["byTag", "conditions", "quotes", "skills", "events", "aliases", "expected", "input"]);

function isFixed(name: string, value: string): boolean {
  if (fixed.has(name) || value === "eval-skills" || value === "quota") return true;
  return (
    (name === "code" && (causeCodes as readonly string[]).includes(value)) || /^(open|none)$/.test(value)
  );
}

const hostilePieces = [
  "=cmd|' /C calc'!A0",
  "<script>alert(1)</script>",
  "</textarea><img src=x onerror=alert(1)>",
  "]]><!-- x -->",
  "::error file=a.ts::owned",
  "##[group]owned",
  "::set-output name=a::owned",
  "\u001b[31mred\u001b]0;title\u0007",
  "\u202etxt.exe\u2066\u200f",
  "nul\u0000\u0085\u2028here",
  "half \ud800 of \udc00 one",
  "\"quoted\" 'single' `tick` \\ back",
  "| cell | [link](javascript:alert(1)) ![i](http://evil.invalid/p.png)",
  "# heading\r\n- item\n```\n~~~\n<details open ontoggle=alert(1)>",
  "@everyone https://evil.invalid www.evil.invalid $x^2$",
  `long${"x".repeat(400)}word`,
];

/** Hostile texts, each string beginning with another of them. */
export function hostile(sample: LevelSample): LevelSample {
  return changedStrings(sample, (text) => {
    const at = [...text].reduce((sum, char) => sum + char.charCodeAt(0), 0) % hostilePieces.length;
    return [...hostilePieces.slice(at), ...hostilePieces.slice(0, at), text].join("\n");
  });
}

/** Every free string with this before it. */
export function renamed(sample: LevelSample, prefix: string): LevelSample {
  return changedStrings(sample, (text) => `${prefix}${text}`);
}

export const chineseReason = "期望得到一百二十，实际得到零。请检查阶乘的计算步骤，并确认输入没有被截断。";

/** A report with this many cells, which are made one at a time; every hundredth did not pass. */
export function manyCells({ level, report, cells }: LevelSample, count: number): LevelSample {
  const samples = [...cells()].map(parseCell);
  const perSubject = Math.floor(count / report.subjects.length);
  const [suite] = report.suites;
  const one = [...report.cases][0];
  const subjects = report.subjects.map((subject) => {
    const counts = {
      ...subject.counts,
      total: perSubject,
      pass: perSubject,
      fail: 0,
      error: 0,
      timeout: 0,
      invalid: 0,
    };
    const own = samples.filter((cell) => subjectName(cell) === subjectName(subject));
    const passed = own.find(({ status }) => status === "pass");
    const failed = own.find(({ status }) => status === "fail") ?? passed;
    if (failed?.status === "fail") counts.fail = Math.ceil(perSubject / 100);
    counts.pass -= counts.fail;
    return { subject: { ...subject, trials: 1, counts }, passed, failed };
  });
  function* read({ level: named, suite: id, subject: name }: CellFilter = {}): Generator<string> {
    if ((named ?? level.name) !== level.name || (id ?? suite?.id) !== suite?.id) return;
    for (const { subject, passed, failed } of subjects) {
      if (passed === undefined || failed === undefined) continue;
      if ((name ?? subjectName(subject)) !== subjectName(subject)) continue;
      const [pass, fail] = [numbered(passed), numbered(failed)];
      for (let at = 0; at < perSubject; at++) yield at % 100 === 0 ? fail(at) : pass(at);
    }
  }
  const cases: Iterable<CaseReport> = {
    *[Symbol.iterator]() {
      for (let at = 0; at < perSubject && one !== undefined; at++)
        yield { ...one, skillId: null, id: `case-${at}`, digest: `sha256:${at}` };
    },
  };
  return {
    level,
    report: {
      ...report,
      suites: report.suites.map((given) => ({ ...given, cases: perSubject })),
      subjects: subjects.map(({ subject }) => subject),
      cases,
      passed: subjects.reduce((sum, { subject }) => sum + subject.counts.pass, 0),
      total: perSubject * subjects.length,
    },
    cells: read,
  };
}

/** The JSON of a cell, each time for another case: faster than serializing each. */
function numbered(cell: CellResult): (at: number) => string {
  const placeholder = "\ue000";
  const own = {
    caseId: `case-${placeholder}`,
    caseDigest: `sha256:${placeholder}`,
    key: `${cell.key}:${placeholder}`,
  };
  const parts = JSON.stringify({ ...cell, trial: 1, ...own }).split(placeholder);
  return (at) => parts.join(String(at));
}
