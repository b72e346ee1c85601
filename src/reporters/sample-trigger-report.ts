import type {
  QueryLine,
  QueryReader,
  QuerySummary,
  TriggeringEntry,
  TriggerMetrics,
  TriggerReport,
  TriggerResult,
} from "../contract/trigger-report.ts";
import { percentile } from "../statistics/percentile.ts";
import { biasOf, confusionOf, metricsOf, sampleConfusion } from "./sample-trigger-figures.ts";
import { always, contractLines, editorLines, refactorLines, slideLines } from "./sample-trigger-lines.ts";
import { catalogJudge, modelJudge, rounded, sampleQuery } from "./sample-trigger-query.ts";

/** The result of one skill, folded from its queries, but for what is given. */
export function sampleTriggerResult(
  skillId: string,
  lines: readonly QueryLine[],
  given: Partial<TriggerResult> = {},
): TriggerResult {
  const judge = lines[0]?.judge ?? modelJudge;
  const judgments = lines.flatMap((line) => line.judgments);
  const unusable = judgments.filter((one) => one.outcome === "invalid");
  const meant = (decision: string | null) =>
    unusable.filter(({ lenientDecision }) => lenientDecision === decision).length;
  const replies = judgments.filter(({ outcome }) => outcome !== "error");
  const times = replies.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, one) => all + (one ?? 0), 0);
  const isFailed = ({ verdict, cause }: QueryLine) => verdict === "fail" || cause === "no-verdict";
  return {
    skillId,
    skillDigest: lines[0]?.skillDigest ?? `sha256:${"5f1e".repeat(16)}`,
    judge,
    skipped: null,
    repeats: lines[0]?.repeats ?? 1,
    threshold: 0.5,
    passed: lines.filter(({ verdict }) => verdict === "pass").length,
    failed: lines.filter(isFailed).length,
    inconclusive: lines.filter((line) => line.verdict === "invalid" && !isFailed(line)).length,
    metrics: {
      query: metricsOf(lines.map(({ side, yes, no }) => ({ side, yes: Math.sign(yes - no) }))),
      judgment: metricsOf(
        lines.flatMap(({ side, judgments: answers }) =>
          answers.map(({ outcome }) => ({ side, yes: outcome === "yes" ? 1 : outcome === "no" ? -1 : 0 })),
        ),
      ),
      baselines: {
        alwaysYes: metricsOf(lines.map(({ side }) => ({ side, yes: 1 }))),
        alwaysNo: metricsOf(lines.map(({ side }) => ({ side, yes: -1 }))),
        lexical:
          judge.kind === "router"
            ? null
            : metricsOf(
                lines.map(({ side }, at) => ({
                  side,
                  yes: (side === "should_match") === (at % 4 !== 0) ? 1 : -1,
                })),
              ),
      },
    },
    confusion: judge.kind === "model" ? null : confusionOf(skillId, lines),
    positionBias: judge.kind === "catalog" ? biasOf(lines) : null,
    invalidRate: replies.length === 0 ? null : rounded(unusable.length / replies.length),
    lenient: { yes: meant("yes"), no: meant("no"), neither: meant(null) },
    usd:
      judge.kind === "router" || judgments.some(({ usd }) => usd === null)
        ? null
        : rounded(sum(judgments.map(({ usd }) => usd))),
    tokensIn: judge.kind === "router" ? null : sum(judgments.map(({ tokensIn }) => tokensIn)),
    tokensOut: judge.kind === "router" ? null : sum(judgments.map(({ tokensOut }) => tokensOut)),
    cached: judgments.filter(({ cached }) => cached).length,
    latency: { p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) },
    gate: null,
    notes: [],
    ...given,
  };
}

/** A skill without trigger tests. */
export function skippedResult(
  skillId: string,
  skipped: TriggerResult["skipped"] = "no-block",
): TriggerResult {
  return sampleTriggerResult(skillId, [], { skipped, metrics: null, confusion: null, positionBias: null });
}

/** A report on these skills and a reader of their queries, but for what is given. */
export function sampleTriggerReport(
  results: readonly TriggerResult[],
  given: Partial<TriggerReport> = {},
): TriggerReport {
  const count = (of: (result: TriggerResult) => number) => results.reduce((sum, one) => sum + of(one), 0);
  return {
    schemaVersion: 1,
    command: "trigger",
    tool: { name: "eval-skills", version: "1.0.0" },
    run: {
      id: "20260301T072410Z-k3f9",
      startedAt: "2026-03-01T07:24:10.532Z",
      finishedAt: "2026-03-01T07:24:31.007Z",
      repeats: 8,
      threshold: 0.5,
      seed: 0,
      concurrency: 4,
      store: "./eval-skills.db",
    },
    passed: count(({ passed }) => passed),
    total: count(({ passed, failed, inconclusive }) => passed + failed + inconclusive),
    gate: { on: "point", passed: true, below: [], inconclusive: [] },
    results: [...results],
    confusion: sampleConfusion(results),
    warnings: [],
    files: ["reports/trigger-result-2026-03-01T07-24-31-007Z.json", "reports/trigger-result.json"],
    exitCode: 3,
    ...given,
  };
}

/** Reads queries from a list. */
export function readerOf(lines: readonly QueryLine[]): QueryReader {
  return (id) => lines.filter(({ skillId }) => skillId === id);
}

/** What `eval` tells about a skill, made of what `trigger` tells. */
export function sampleEntry(result: TriggerResult, lines: readonly QueryLine[]): TriggeringEntry {
  const { skillId, judge, skipped, passed, failed, inconclusive, metrics, gate, notes, usd } = result;
  return {
    skillId,
    judge,
    skipped,
    queries: passed + failed + inconclusive,
    passed,
    failed,
    inconclusive,
    metrics: metrics && figuresOf(metrics.query),
    gate,
    notes,
    usd,
    results: lines.map(summaryOf),
  };
}

function figuresOf(metrics: TriggerMetrics): TriggeringEntry["metrics"] {
  const { precision, recall, specificity, f1, mcc, coverage } = metrics;
  return { precision, recall, specificity, f1, mcc, coverage };
}

function summaryOf(line: QueryLine): QuerySummary {
  const { skillId, judge, judgments, seed, skillDigest, cardSha256, catalogSha256, ts, ...summary } = line;
  return summary;
}

/** Every query of the report below. */
export const sampleLines: readonly QueryLine[] = [
  ...refactorLines,
  ...contractLines,
  ...editorLines,
  ...slideLines,
];
export const sampleQueries: QueryReader = readerOf(sampleLines);

const gate = { recall: 0.9, precision: 0.8, on: "point", passed: false } as const;
const editorResult = sampleTriggerResult("doc-editor", editorLines, {
  notes: ["not calibrated", "not better than lexical"],
});
if (editorResult.metrics !== null) editorResult.metrics.baselines.lexical = editorResult.metrics.query;

/** One run over skills of every sort: a model, a catalog and the router judged, all causes, a gate missed, a skill skipped. */
export const fullTriggerReport: TriggerReport = sampleTriggerReport(
  [
    sampleTriggerResult("refactor", refactorLines, {
      gate: { ...gate, below: [], inconclusive: ["refactor"], reasons: ["coverage 0.85 is below 0.9"] },
      notes: ["not calibrated"],
    }),
    sampleTriggerResult("contract-review", contractLines, {
      gate: { ...gate, below: ["contract-review"], inconclusive: [], reasons: ["recall 0.8 is below 0.9"] },
      notes: ["not calibrated"],
    }),
    editorResult,
    sampleTriggerResult("slides", slideLines),
    skippedResult("weather"),
  ],
  {
    gate: { ...gate, below: ["contract-review"], inconclusive: ["refactor"] },
    warnings: ["no model configured for slides: the router judges it"],
  },
);

/** A report in which a stranger's text stands wherever one can. */
export function hostileTriggerReport(text: string): { report: TriggerReport; queriesOf: QueryReader } {
  const judge = { ...catalogJudge, model: text, label: text, why: text };
  const hostile = {
    skillId: text,
    query: text,
    queryId: text,
    tags: [text],
    belongsTo: text,
    judge,
    reason: text,
  };
  const lines = [
    sampleQuery({ ...hostile, answers: always(null) }),
    sampleQuery({ ...hostile, answers: always(text), side: "should_not_match" }),
    sampleQuery({ ...hostile, answers: [text, null, text, null] }),
    sampleQuery({ ...hostile, answers: "yyyy" }),
    sampleQuery({ ...hostile, answers: "EEEE" }),
  ];
  const missed = { ...gate, below: [text], inconclusive: [text], reasons: [text] };
  const report = sampleTriggerReport(
    [
      sampleTriggerResult(text, lines, { gate: missed, notes: [text] }),
      sampleTriggerResult("other", editorLines),
      skippedResult(`${text} skipped`),
    ],
    { gate: missed, warnings: [text], files: [text] },
  );
  return { report, queriesOf: readerOf([...lines, ...editorLines]) };
}
