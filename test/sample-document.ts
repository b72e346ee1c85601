import { subjectName } from "../src/contract/cell.ts";
import type { CaseReport, ReportDocument } from "../src/contract/document.ts";
import type { CellReader } from "../src/contract/format.ts";
import { type CellResult, type Counts, parseCell } from "../src/contract/result.ts";
import { sampleResult, sampleSubject } from "../src/store/samples.ts";

const unitDetails = { scorerType: "exact_match", weight: 1, tags: ["math"] };

/** Text that a terminal, a browser, a shell or a parser might execute. */
export const hostileText = "</script>\u001b]0;owned\u0007 a\u0085b\u202Etxt.exe\u2028=cmd()";

/** The cell of a task for tests, but for what is given. */
export function sampleUnitCell(given: Partial<CellResult> = {}): CellResult {
  return sampleResult({
    suite: "coding-easy",
    skillId: "calc",
    caseDigest: `sha256:${given.caseId ?? "a"}`,
    details: unitDetails,
    ...given,
  });
}

/** One judgment of a query for tests, but for what is given. */
export function sampleJudgmentCell(given: Partial<CellResult> = {}): CellResult {
  return sampleResult({
    level: "trigger",
    suite: "triggering",
    skillId: "calc",
    model: "openai/judge",
    caseDigest: `sha256:${given.caseId ?? "a"}`,
    output: { outcome: "yes", reason: "it says so" },
    details: { side: "should_match", outcome: "yes" },
    ...given,
  });
}

/** Two skills on a suite of tasks and one of them on trigger tests, in the order of the plan; some text is hostile. */
export const sampleCells: readonly CellResult[] = [
  sampleUnitCell({ caseId: "a" }),
  sampleUnitCell({ caseId: "b", status: "fail", reason: hostileText, output: hostileText }),
  sampleUnitCell({ caseId: "a", trial: 2 }),
  sampleUnitCell({ caseId: "b", trial: 2, status: "timeout", cause: "deadline", reason: "no answer" }),
  sampleUnitCell({ skillId: hostileText, caseId: "a", warnings: [hostileText] }),
  sampleUnitCell({
    skillId: hostileText,
    caseId: "b",
    status: "invalid",
    cause: "judge-unavailable",
    details: {},
  }),
  sampleJudgmentCell({ caseId: "q0" }),
  sampleJudgmentCell({
    caseId: "q1",
    status: "fail",
    details: { side: "should_not_match", outcome: "yes", chosen: null },
  }),
].map((cell, at) => ({ ...cell, key: `sha256:${at}` }));

/** A document over two levels, but for what is given. */
export function sampleDocument(given: Partial<ReportDocument> = {}): ReportDocument {
  return {
    schemaVersion: 2,
    tool: { name: "eval-skills", version: "1.0.0" },
    run: {
      id: "20260301T072410Z-k3f9",
      command: "eval",
      startedAt: "2026-03-01T07:24:10.532Z",
      finishedAt: "2026-03-01T07:24:31.007Z",
      trials: 2,
      concurrency: 4,
      seed: 0,
      planDigest: "sha256:plan",
      containment: {
        level: "process",
        backend: null,
        network: "open",
        unproven: ["seccomp"],
        hint: hostileText,
      },
      store: "./eval-skills.db",
      models: ["openai/judge"],
      agents: [],
      grants: [],
      vacuousExpectations: [],
      timesRecorded: null,
      machine: null,
      git: null,
      shard: null,
      conditions: { deadline: "30000 ms" },
      settings: { retries: 2 },
    },
    suites: [
      { id: "coding-easy", level: "unit", version: "1.1.0", digest: "sha256:coding", cases: 2 },
      { id: "triggering", level: "trigger", version: "", digest: "sha256:queries", cases: 2 },
    ],
    subjects: [
      sampleSubject(
        { skillId: "calc", suite: "coding-easy", trials: 2, counts: counted("unit", "calc") },
        0.5,
      ),
      sampleSubject(
        { skillId: hostileText, suite: "coding-easy", trials: 2, counts: counted("unit", hostileText) },
        null,
      ),
      sampleSubject({
        skillId: "calc",
        suite: "triggering",
        level: "trigger",
        model: "openai/judge",
        counts: counted("trigger", "calc"),
        metrics: { passRate: { value: 0.5, interval: null, n: 2, better: "up" } },
        details: { isScripted: false },
      }),
    ],
    gates: [
      {
        subject: { suite: "coding-easy", skillId: "calc", model: null, arm: null },
        level: "unit",
        metric: "completionRate",
        on: "point",
        op: ">=",
        threshold: 0.8,
        value: 0.5,
        passed: false,
        enforced: true,
      },
    ],
    cases: [
      sampleCase({ id: "a", title: hostileText, input: { n: 5 }, expected: { value: 120 } }),
      sampleCase({ id: "b" }),
      sampleQueryCase("q0", "tidy this up"),
      sampleQueryCase("q1", hostileText, "should_not_match"),
    ],
    judges: [],
    skipped: [
      { level: "trigger", suite: "triggering", skillId: hostileText, caseId: null, reason: "no-block" },
    ],
    notLoaded: [],
    passed: 4,
    total: 7,
    warnings: [hostileText],
    files: ["reports/eval-result.json"],
    exitCode: 1,
    ...given,
  };
}

/** The case of a task, but for what is given. */
function sampleCase(given: Partial<CaseReport> = {}): CaseReport {
  return {
    suite: "coding-easy",
    level: "unit",
    skillId: null,
    id: "a",
    digest: `sha256:${given.id ?? "a"}`,
    title: null,
    input: null,
    expected: null,
    tags: [],
    weight: 1,
    isShortened: false,
    ...given,
  };
}

/** A query as a case. */
export function sampleQueryCase(id: string, query: string, side = "should_match"): CaseReport {
  return sampleCase({
    suite: "triggering",
    level: "trigger",
    id,
    input: query,
    expected: { side, belongsTo: null },
  });
}

/** Reads these cells as a store or a file would: as the text they were stored as. */
export function cellReader(cells: readonly CellResult[]): CellReader {
  const texts = cells.map((cell) => JSON.stringify(cell));
  return ({ level, suite, subject } = {}) =>
    texts.filter((text) => {
      const cell = parseCell(text);
      return (
        (level ?? cell.level) === cell.level &&
        (suite ?? cell.suite) === cell.suite &&
        (subject ?? subjectName(cell)) === subjectName(cell)
      );
    });
}

/** How the cells of a subject ended. */
function counted(level: string, skillId: string): Counts {
  const counts: Counts = { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
  for (const cell of sampleCells) {
    if (cell.level !== level || cell.skillId !== skillId) continue;
    counts[cell.status]++;
    if (cell.status !== "invalid") counts.total++;
  }
  return counts;
}
