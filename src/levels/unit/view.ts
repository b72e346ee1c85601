import type { Interval, SubjectReport } from "../../contract/document.ts";
import type { Summary } from "../../contract/figures.ts";
import type { Rendered } from "../../contract/format.ts";
import { levelSettings } from "../../contract/level-settings.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Column, Fact, LevelView } from "../../contract/view.ts";
import { casesWords } from "../../report/view/interval-words.ts";
import { metricFact } from "../../report/view/metric-fact.ts";
import { showBounds } from "../../report/view/show-value.ts";
import { explainTask, taskDetails } from "./explain-task.ts";

/** How skills that are called with the input of a task are shown. */
export const unitView: LevelView = {
  headline,
  columns: unitColumns(),
  explain: explainTask,
  explainsDifference: true,
  subjectBlocks,
  runFacts,
};

function headline(subject: SubjectReport): Fact[] {
  return [
    ...selectionFact(subject.details),
    metricFact(subject, "completionRate", "Completion"),
    metricFact(subject, "errorRate", "Error rate"),
    metricFact(subject, "flakeRate", "Flaky tasks"),
    metricFact(subject, "latencyP95Ms", "P95 latency", "ms"),
    metricFact(subject, "compositeScore", "Composite score", "score"),
  ];
}

/** Whether `run` chose a skill; `eval` chooses none. */
function selectionFact(details: SubjectReport["details"]): Fact[] {
  const { selected, rank } = details as { selected?: boolean; rank?: number | null };
  if (selected === undefined) return [];
  if (!selected) return [{ label: "Selected", value: "no", tone: "muted" }];
  return [{ label: "Selected", value: rank == null ? "yes" : `rank ${rank}`, tone: "good" }];
}

function unitColumns(): Column[] {
  return [
    {
      id: "scorerType",
      label: "Scorer",
      isFilter: true,
      value: (cell) => taskDetails(cell).scorerType ?? null,
    },
    { id: "tags", label: "Tags", value: (cell) => taskDetails(cell).tags?.join(", ") ?? null },
    {
      id: "weight",
      label: "Weight",
      unit: "count",
      isHidden: true,
      value: (cell) => taskDetails(cell).weight ?? null,
    },
    { id: "expectations", label: "Expectations", isHidden: true, value: expectationWords },
    {
      id: "judgeLatencyMs",
      label: "Judge latency",
      unit: "ms",
      isHidden: true,
      value: ({ judge }) => judge?.latencyMs ?? null,
    },
  ];
}

/** `1 pass; 2 fail`, where a task has several. */
function expectationWords(cell: CellResult): string | null {
  const { expectations } = taskDetails(cell);
  if (expectations === undefined) return null;
  const words = ({ passed, score }: { passed: boolean; score: number | null }) =>
    score === null ? "no verdict" : passed ? "pass" : "fail";
  return expectations.map((one, at) => `${at + 1} ${words(one)}`).join("; ");
}

/** What does not fit in the table of subjects. */
function subjectBlocks(subject: SubjectReport): Block[] {
  return [{ kind: "facts", facts: subjectFacts(subject) }, ...repeatTable(subject), ...tagTable(subject)];
}

function subjectFacts(subject: SubjectReport): Fact[] {
  const { skillVersion, skillDigest, counts, metrics, details } = subject;
  const { disturbed, tokenCost } = details as {
    disturbed?: number;
    tokenCost?: {
      promptTokens: number;
      completionTokens: number;
      totalTokens: number;
      estimatedUSD: number | null;
    } | null;
  };
  const count = (label: string, value: number): Fact[] =>
    value === 0 ? [] : [{ label, value, unit: "count" }];
  return [
    ...(skillVersion === "" ? [] : [{ label: "Version", value: skillVersion }]),
    { label: "Passed", value: `${counts.pass} of ${counts.total}` },
    ...count("Failed", counts.fail),
    ...count("Errors", counts.error),
    ...count("Timed out", counts.timeout),
    ...count("No verdict (not in the total)", counts.invalid),
    metricFact(subject, "partialScore", "Partial score", "score"),
    ...(metrics.consistencyScore?.value == null
      ? []
      : [metricFact(subject, "consistencyScore", "Consistency", "score")]),
    metricFact(subject, "latencyP50Ms", "P50 latency", "ms"),
    metricFact(subject, "latencyP95Ms", "P95 latency", "ms"),
    metricFact(subject, "latencyP99Ms", "P99 latency", "ms"),
    ...(disturbed === undefined
      ? []
      : [
          {
            label: "Not in the latencies",
            value: disturbed,
            unit: "count",
            note: "cells slowed down by others",
          } as const,
        ]),
    ...(tokenCost == null
      ? []
      : ([
          { label: "Prompt tokens", value: tokenCost.promptTokens, unit: "count" },
          { label: "Completion tokens", value: tokenCost.completionTokens, unit: "count" },
          { label: "Tokens", value: tokenCost.totalTokens, unit: "count" },
          { label: "Estimated cost", value: tokenCost.estimatedUSD, unit: "usd" },
        ] as const)),
    ...(skillDigest === "" ? [] : [{ label: "Content", value: skillDigest }]),
  ];
}

const boundsLabel = "95% interval for cases like these";

/** The bounds of a rate, and of how many cases: each row of a table has others. */
function boundsWords(interval: Interval | null | undefined): string | null {
  return interval == null ? null : `${showBounds(interval, "share")} (${casesWords(interval)})`;
}

/** What could be expected of k trials, where there was more than one. */
function repeatTable({ details }: SubjectReport): Block[] {
  const { passAtK, passHatK, passAtKIntervals } = details as Partial<
    Pick<Summary, "passAtK" | "passHatK" | "passAtKIntervals">
  >;
  if (passAtK == null) return [];
  return [
    {
      kind: "table",
      title: "Passing in k trials",
      columns: [
        { label: "k", unit: "count" },
        { label: "At least one passes (pass@k)", unit: "share" },
        { label: boundsLabel },
        { label: "All pass (pass^k)", unit: "share" },
      ],
      rows: Object.entries(passAtK).map(([k, value]) => [
        Number(k),
        value,
        boundsWords(passAtKIntervals?.[k]),
        passHatK?.[k] ?? null,
      ]),
    },
  ];
}

function tagTable({ byTag }: SubjectReport): Block[] {
  const tags = Object.entries(byTag);
  if (tags.length === 0) return [];
  return [
    {
      kind: "table",
      title: "Tags",
      columns: [
        { label: "Tag" },
        { label: "Passed", unit: "count" },
        { label: "Total", unit: "count" },
        { label: "Completion", unit: "share" },
        { label: boundsLabel },
        { label: "Partial score", unit: "score" },
      ],
      rows: tags.map(([tag, { pass, total, completionRate, interval, partialScore }]) => [
        tag,
        pass,
        total,
        completionRate,
        boundsWords(interval),
        partialScore,
      ]),
    },
  ];
}

function runFacts({ run }: Rendered): Fact[] {
  const { runs, retries, timeoutMs, evaluator } = levelSettings(run, "unit") as Record<
    string,
    number | string | undefined
  >;
  return [
    ...(runs === undefined || runs === run.trials ? [] : [{ label: "Trials per task", value: runs }]),
    ...(retries === undefined ? [] : [{ label: "Retries", value: retries }]),
    ...(timeoutMs === undefined ? [] : [{ label: "Timeout", value: timeoutMs, unit: "ms" } as const]),
    ...(evaluator === undefined ? [] : [{ label: "Default scorer", value: evaluator }]),
  ];
}
