import type { Interval, SubjectReport } from "../../contract/document.ts";
import type { JudgeName, QuerySummary, TriggerMetrics } from "../../contract/trigger-report.ts";
import type { Block, Fact, Scalar, Unit } from "../../contract/view.ts";
import { casesWords } from "../../report/view/interval-words.ts";
import { showBounds } from "../../report/view/show-value.ts";
import type { TriggerSubjectDetails } from "./details.ts";
import { definedOr, queryWords, readDetails } from "./query-words.ts";

/** The judge of a skill, its effort, all figures next to those of simpler judges, and all queries. */
export function subjectBlocks(subject: SubjectReport): Block[] {
  const details = readDetails(subject);
  if (details === null) return [];
  return [
    { kind: "facts", facts: subjectFacts(subject, details) },
    metricTable(details.metrics),
    queryTable(details.queries, subject.skillId),
  ];
}

function subjectFacts({ skillVersion, skillDigest }: SubjectReport, details: TriggerSubjectDetails): Fact[] {
  const { judge, metrics, queries, invalidRate, lenient, latency, cached, usd, tokensIn, tokensOut } =
    details;
  const { coverage, asked, ties, tp, fp, tn, fn } = metrics.query;
  const flips = queries.filter((query) => query.flips).length;
  const unreplicated = queries.filter((query) => query.unreplicated && judge.kind !== "router").length;
  return [
    ...(skillVersion === "" ? [] : [{ label: "Version", value: skillVersion }]),
    { label: "Judge", value: describeJudge(details) },
    ...(coverage === 1
      ? []
      : [
          {
            label: "Coverage",
            value: `${tp + fp + tn + fn} of ${asked} queries are in the figures${ties > 0 ? `, ${ties} tied` : ""}`,
            tone: "warn",
          } as const,
        ]),
    ...(flips === 0 ? [] : [{ label: "Answers differ", value: `on ${flips} of ${queries.length} queries` }]),
    ...(unreplicated === 0
      ? []
      : [
          {
            label: "Unreplicated",
            value: `${unreplicated} of ${queries.length} queries`,
            note: "fewer than 4 answers each",
          },
        ]),
    ...(judge.kind === "router"
      ? []
      : ([
          { label: "Unusable replies", value: invalidRate, unit: "share", ...lenientNote(lenient) },
          { label: "Cost", value: usd ?? "unknown", unit: "usd" },
          { label: "Tokens in", value: tokensIn, unit: "count" },
          { label: "Tokens out", value: tokensOut, unit: "count" },
        ] as const)),
    { label: "P50 latency", value: latency.p50Ms, unit: "ms" },
    { label: "P95 latency", value: latency.p95Ms, unit: "ms" },
    ...(cached === 0 ? [] : [{ label: "Answers from the store", value: cached, unit: "count" } as const]),
    ...(skillDigest === "" ? [] : [{ label: "Content", value: skillDigest }]),
  ];
}

/** What unusable replies meant; it decides nothing. */
function lenientNote({ yes, no, neither }: TriggerSubjectDetails["lenient"]): { note?: string } {
  if (yes + no + neither === 0) return {};
  return { note: yes + no === 0 ? "none of them a clear yes or no" : `${yes} probably meant yes, ${no} no` };
}

/** Who judged, how often it was asked and why it was this one: `model lab/small, 8 answers per query, threshold 0.5, eval.yaml`. */
function describeJudge({ judge, repeats, threshold }: TriggerSubjectDetails): string {
  const often = repeats === 1 ? "" : `, ${repeats} answers per query, threshold ${threshold}`;
  return `${judgeLabel(judge)}${often}${judge.why === undefined || judge.why === "" ? "" : `, ${judge.why}`}`;
}

export function judgeLabel({ kind, model, label = kind }: JudgeName): string {
  return model === null || label.includes(model) ? label : `${label} ${model}`;
}

function metricTable({ query, judgment, baselines }: TriggerSubjectDetails["metrics"]): Block {
  const rows: (readonly [string, TriggerMetrics | null])[] = [
    ["This judge", query],
    ["This judge, answer by answer", judgment],
    ["Lexical router", baselines.lexical],
    ["Always yes", baselines.alwaysYes],
    ["Always no", baselines.alwaysNo],
  ];
  const figures = ({ precision, recall, specificity, f1, mcc, tp, fp, tn, fn }: TriggerMetrics): Scalar[] => [
    ...[precision, recall, specificity, f1, mcc].map(definedOr),
    ...[tp, fp, tn, fn],
  ];
  const [own = [], ...others] = rows.flatMap(([name, of]) => (of === null ? [] : [[name, ...figures(of)]]));
  return {
    kind: "table",
    title: "Figures beside those of simpler judges",
    columns: [
      { label: "Judge" },
      { label: "Precision", unit: "share" },
      { label: "Recall", unit: "share" },
      { label: "Specificity", unit: "share" },
      { label: "F1", unit: "score" },
      { label: "MCC", unit: "score" },
      { label: "TP", unit: "count" },
      { label: "FP", unit: "count" },
      { label: "TN", unit: "count" },
      { label: "FN", unit: "count" },
    ],
    rows: [own, boundsRow(query), ...others],
  };
}

function boundsRow({ intervals: { precision, recall, specificity, mcc = null } }: TriggerMetrics): Scalar[] {
  const words = (interval: Interval | null, unit: Unit) =>
    interval && `${showBounds(interval, unit)} (${casesWords(interval)})`;
  const shares = [precision, recall, specificity].map((interval) => words(interval, "share"));
  return ["95% interval for cases like these", ...shares, "", words(mcc, "score"), "", "", "", ""];
}

function queryTable(queries: readonly QuerySummary[], skillId: string | null): Block {
  const hasChoices = queries.some(({ chosen }) => chosen !== undefined);
  return {
    kind: "table",
    title: "Queries",
    columns: [
      { label: "Query" },
      { label: "Side" },
      { label: "Verdict" },
      ...(hasChoices ? [{ label: "Chosen" }] : []),
      { label: "Id" },
    ],
    rows: queries.map((query) => [
      query.query,
      query.side,
      `${queryWords(query, skillId)}${query.flips ? ", answers differ" : ""}`,
      ...(hasChoices ? [query.chosen === null ? "none" : (query.chosen ?? "")] : []),
      query.queryId,
    ]),
  };
}
