import type { Summary } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import { type SkillSummary, type SummaryPlan, skillSummary } from "./summarize-skill.ts";

/** A result for tests: passed in 100 ms, unless told otherwise. */
export function exampleResult(changes: Partial<CellResult> = {}): CellResult {
  const status = changes.status ?? "pass";
  return {
    taskId: "a",
    skillId: "skill",
    trial: 1,
    taskDigest: "sha256:task",
    cellKey: "sha256:cell",
    status,
    score: status === "invalid" ? null : Number(status === "pass"),
    latencyMs: 100,
    scorerType: "exact_match",
    reason: null,
    output: null,
    outputTruncated: false,
    outputBytes: 0,
    error: null,
    usage: null,
    judge: null,
    weight: 1,
    tags: [],
    attempts: [],
    beganAtMs: 0,
    finishedAt: "2026-03-01T07:24:31.007Z",
    ...changes,
  };
}

/** A summary for tests, over two tasks `a` and `b`, with these results told. */
export function exampleSummary(
  results: Iterable<CellResult>,
  changes: Partial<SummaryPlan> = {},
): SkillSummary {
  const summary = skillSummary({
    skill: { id: "skill", version: "1.0.0", digest: "sha256:skill" },
    benchmark: exampleBenchmark(),
    runs: 1,
    seed: 0,
    taskIds: ["a", "b"],
    ...changes,
  });
  for (const result of results) summary.add(result);
  return summary;
}

const letters = { p: "pass", f: "fail", e: "error", t: "timeout", i: "invalid" } as const;

/** Results from one word per task and one letter per trial: `{ a: "pf", b: "pi" }`; `.` is a cell not told of. */
export function resultsOf(words: Record<string, string>): CellResult[] {
  return Object.entries(words).flatMap(([taskId, word]) =>
    [...word].flatMap((letter, place) =>
      letter === "." ? [] : [exampleResult({ taskId, trial: place + 1, status: letters[letter as "p"] })],
    ),
  );
}

/** A benchmark for tests, scored by the mean unless told otherwise. */
export function exampleBenchmark(changes: Partial<SummaryPlan["benchmark"]> = {}): SummaryPlan["benchmark"] {
  return { id: "bench", version: "1.1.0", scoringMethod: "mean", k: 1, maxLatencyMs: 30_000, ...changes };
}

/** The summary over `resultsOf` these words. */
export function summaryOf(words: Record<string, string>, changes: Partial<SummaryPlan> = {}): Summary {
  const runs = Math.max(...Object.values(words).map((word) => word.length));
  const summary = exampleSummary(resultsOf(words), { taskIds: Object.keys(words), runs, ...changes });
  return summary.report("now").summary;
}
