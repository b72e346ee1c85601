import type { Report, SkillReport, TaskFacts } from "../contract/report.ts";
import { sampleTaskResult } from "../contract/sample-task-result.ts";
import type { TaskResult } from "../contract/task-result.ts";

/** A cell for tests: a plain pass, but for what is given. */
export function sampleCell(given: Partial<TaskResult> = {}): TaskResult {
  return sampleTaskResult({
    taskId: "coding_001",
    skillId: "my_calc",
    latencyMs: 84.3,
    output: { result: "2" },
    outputBytes: 14,
    tags: ["math"],
    attempts: [{ n: 1, status: "answered", code: null, latencyMs: 84.3, message: null }],
    ...given,
  });
}

/** The report of one skill, made-up but consistent, but for what is given. */
export function sampleSkill(given: Partial<SkillReport> = {}): SkillReport {
  return {
    skillId: "my_calc",
    skillVersion: "1.0.0",
    skillDigest: "sha256:5f1e",
    benchmarkId: "coding-easy",
    benchmarkVersion: "1.1.0",
    timestamp: "2026-03-01T07:24:31.007Z",
    counts: { total: 60, pass: 57, fail: 2, error: 0, timeout: 1, invalid: 0 },
    summary: {
      completionRate: 0.95,
      partialScore: 0.95,
      errorRate: 0.0167,
      consistencyScore: 0.9592,
      flakeRate: 0.1,
      compositeScore: 0.9673,
      intervals: {
        completionRate: { lower: 0.863, upper: 0.9829, level: 0.95, method: "wilson" },
        partialScore: { lower: 0.8667, upper: 1, level: 0.95, method: "bootstrap", seed: 0 },
      },
      passAtK: { "1": 0.95, "2": 0.9833, "3": 1 },
      passHatK: { "1": 0.95, "2": 0.9167, "3": 0.9 },
    },
    latency: { p50Ms: 96, p95Ms: 412, p99Ms: 10_000, latP95Norm: 0.0137, maxLatencyMs: 30_000 },
    tokenCost: null,
    byTag: {
      math: { total: 33, pass: 30, completionRate: 0.9091, partialScore: 0.9091 },
      string: { total: 27, pass: 27, completionRate: 1, partialScore: 1 },
    },
    ...given,
  };
}

/** A skill of which nothing is known: every cell was invalid. */
export function unknownSkill(skillId: string, invalid: number): SkillReport {
  return sampleSkill({
    skillId,
    counts: { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid },
    summary: {
      completionRate: null,
      partialScore: null,
      errorRate: null,
      consistencyScore: null,
      flakeRate: null,
      compositeScore: null,
      intervals: { completionRate: null, partialScore: null },
      passAtK: null,
      passHatK: null,
    },
    latency: { p50Ms: null, p95Ms: null, p99Ms: null, latP95Norm: null, maxLatencyMs: 30_000 },
    byTag: {},
  });
}

/** The report of the reference, but for what is given. */
export function sampleReport(given: Partial<Report> = {}): Report {
  return {
    schemaVersion: 1,
    command: "eval",
    tool: { name: "eval-skills", version: "1.0.0" },
    run: {
      id: "20260301T072410Z-k3f9",
      startedAt: "2026-03-01T07:24:10.532Z",
      finishedAt: "2026-03-01T07:24:31.007Z",
      runs: 3,
      concurrency: 4,
      retries: 2,
      timeoutMs: 30_000,
      evaluator: "exact_match",
      seed: 0,
      store: "./eval-skills.db",
      containment: {
        level: "process",
        backend: null,
        network: "open",
        unproven: ["pid-namespace", "seccomp"],
        hint: "bubblewrap 0.6 is too old; try: sudo apt-get install bubblewrap",
      },
    },
    passed: 57,
    total: 60,
    gate: { minCompletion: 0.8, on: "point", enforced: true, passed: true, below: [] },
    reports: [sampleSkill()],
    triggering: [],
    warnings: [],
    files: ["reports/eval-result-2026-03-01T07-24-31-007Z.json", "reports/eval-result.json"],
    exitCode: 0,
    ...given,
  };
}

/** The three cells of the sample skill that did not pass. */
export const failures: readonly TaskResult[] = [
  sampleCell({
    taskId: "coding_003",
    status: "fail",
    score: 0,
    reason: "expected 120, got 119",
    output: { result: "119" },
  }),
  sampleCell({
    taskId: "coding_003",
    trial: 2,
    status: "fail",
    score: 0,
    reason: "expected 120, got 119",
    output: 119,
  }),
  sampleCell({
    taskId: "coding_010",
    status: "timeout",
    score: 0,
    latencyMs: 10_000,
    output: null,
    error: { code: "deadline", message: "no answer within 10000 ms" },
  }),
];

/** What the two tasks of these cells asked for. */
export const askedTasks: TaskFacts[] = [
  {
    id: "coding_003",
    description: "The factorial of a number",
    input: { n: 5 },
    expected: { value: 120 },
    isShortened: false,
  },
  {
    id: "coding_010",
    description: null,
    input: `${"x".repeat(1999)}…`,
    expected: { keywords: ["a", "b"] },
    isShortened: true,
  },
];

/** Cells as a store hands them back. */
export function stored(cells: readonly TaskResult[]): TaskResult[] {
  return structuredClone([...cells]);
}

/** Ids and texts that someone would like to be more than text. */
export const hostileTexts: readonly string[] = [
  "<img src=x onerror=alert(1)>",
  "a | b \\| c",
  "=cmd()",
  "]]>",
  "\u001b]0;owned\u0007\u001b[31mred",
  "\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\",
  "abc\u202Etxt.exe",
  "two\nlines\r\n# heading",
  "`code` ``` **bold** _it_ ~~x~~",
  "nul\u0000byte",
  "[click](javascript:alert(1)) ![x](http://evil.example/p.png)",
  "http://evil.example www.evil.example a@evil.example",
  "../../x",
  "<!-- &lt; --> $math$",
];

/** Whatever could move the cursor, break a line or reorder text; a line break of our own is not among it. */
export const hiddenCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
