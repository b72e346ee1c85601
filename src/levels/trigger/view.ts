import type { SubjectReport } from "../../contract/document.ts";
import type { Rendered } from "../../contract/format.ts";
import type { JudgeName, QuerySummary, TriggerMetrics } from "../../contract/trigger-report.ts";
import type { Block, CaseVerdict, Column, Fact, LevelView, Scalar, Tally } from "../../contract/view.ts";
import { showBounds } from "../../report/view/show-value.ts";
import { confusionSections } from "./confusion-view.ts";
import { TriggerSettings, TriggerSubjectDetails } from "./details.ts";
import { explainJudgment, judgmentDetails } from "./explain-judgment.ts";

/** How tests of when a skill loads are shown: by query, each with one verdict over all its answers. */
export const triggerView: LevelView = {
  headline,
  tally: tallyQueries,
  caseVerdicts,
  columns: triggerColumns(),
  explain: explainJudgment,
  explainsDifference: true,
  subjectBlocks,
  sections: ({ subjects }) => confusionSections(subjects.flatMap((subject) => read(subject) ?? [])),
  skipReasons: {
    "single-case": "--case runs one case alone",
    "no-block": "no triggering block in eval.yaml",
    "empty-lists": "its lists of queries are empty",
  },
  runFacts,
};

const known = new WeakMap<SubjectReport, TriggerSubjectDetails | null>();

/** What is written of a subject besides its metrics; null in a foreign report that lacks it. */
function read(subject: SubjectReport): TriggerSubjectDetails | null {
  let details = known.get(subject);
  if (details === undefined) {
    details = TriggerSubjectDetails.safeParse(subject.details).data ?? null;
    known.set(subject, details);
  }
  return subject.level === "trigger" ? details : null;
}

function headline(subject: SubjectReport): Fact[] {
  const { metrics } = subject;
  const details = read(subject);
  const figure = (label: string, name: string, unit: "share" | "score"): Fact => {
    const metric = metrics[name];
    return {
      label,
      value: metric === undefined ? null : definedOr(metric.value),
      unit,
      ...(unit === "share" && { interval: metric?.interval ?? null }),
    };
  };
  const notes = details?.notes.join(", ") ?? "";
  return [
    figure("Recall", "recall", "share"),
    figure("Precision", "precision", "share"),
    figure("Specificity", "specificity", "share"),
    figure("F1", "f1", "score"),
    figure("MCC", "mcc", "score"),
    { label: "Judge", value: details && judgeLabel(details.judge) },
    { label: "Notes", value: notes === "" ? null : notes, ...(notes !== "" && { tone: "warn" }) },
  ];
}

/** 0/0 is neither 0 nor 1. */
function definedOr(value: number | null): Scalar {
  return value ?? "undefined";
}

function tallyQueries(subject: SubjectReport): Tally {
  const { counts } = subject;
  const queries = read(subject)?.queries;
  if (queries === undefined)
    return { passed: counts.pass, failed: counts.total - counts.pass, unknown: counts.invalid };
  const count = (verdict: QuerySummary["verdict"]) => queries.filter((one) => one.verdict === verdict).length;
  return {
    passed: count("pass"),
    failed: count("fail"),
    unknown: count("invalid"),
    noun: ["query", "queries"],
  };
}

function caseVerdicts(subject: SubjectReport): ReadonlyMap<string, CaseVerdict> {
  return new Map(
    read(subject)?.queries.map((query) => [query.queryId, queryVerdict(query, subject.skillId)]) ?? [],
  );
}

/** Why a query has no verdict is in its reason. */
function queryVerdict(query: QuerySummary, skillId: string | null): CaseVerdict {
  const { verdict, cause, side } = query;
  const open = cause === "undecided" ? "undecided" : "no verdict";
  const isMissed = verdict === "fail" && side === "should_match";
  // A router begins with what the verdict says already.
  const reason = isMissed ? (query.reason?.replace(/^not selected: /, "") ?? null) : query.reason;
  return { status: verdict, words: cause === null ? queryWords(query, skillId) : open, reason };
}

/** What came of a query: `failed: would not load, yes 0/8 [0–0.324]`, `failed: no skill was chosen`. */
function queryWords(query: QuerySummary, skillId: string | null): string {
  const { verdict, cause, side } = query;
  const answers = query.repeats === 1 ? "" : answerWords(query);
  switch (cause) {
    case null:
      if (verdict === "pass") return `passed${answers}`;
      if (side === "should_not_match") return `failed: would load${answers}`;
      return `failed: ${missWords(query, skillId)}${answers}`;
    case "undecided":
      return `undecided${answers}`;
    case "judge-error":
      return `no verdict: too few replies${answers}`;
    case "uncalibrated":
      return `no verdict: the judge is not reliable enough${answers}`;
    case "no-verdict":
      return `no verdict: no usable answer${answers}`;
    default:
      return cause satisfies never;
  }
}

/** The usable answers, with the interval of their rate: `, yes 7/8 [0.529–0.978]`. */
function answerWords({ yes, no, interval }: QuerySummary): string {
  if (yes + no === 0) return "";
  const short = (value: number) => String(Number(value.toFixed(3)));
  const bounds = interval === null ? "" : ` [${short(interval[0])}–${short(interval[1])}]`;
  return `, yes ${yes}/${yes + no}${bounds}`;
}

/** What happened instead of loading a skill. */
function missWords({ chosen }: QuerySummary, skillId: string | null): string {
  if (chosen === undefined || chosen === skillId) return "would not load";
  return chosen === null ? "no skill was chosen" : `${chosen} was chosen instead`;
}

function triggerColumns(): Column[] {
  return [
    { id: "side", label: "Side", isFilter: true, value: (cell) => judgmentDetails(cell).side ?? null },
    {
      id: "outcome",
      label: "Answer",
      isFilter: true,
      value: (cell) => judgmentDetails(cell).outcome ?? null,
    },
    // Nothing where one skill was asked about at a time, `NONE` where none of several was chosen: two things to tell apart.
    {
      id: "chosen",
      label: "Chosen",
      isFilter: true,
      value: (cell) => chosenWord(judgmentDetails(cell).chosen),
    },
    {
      id: "cached",
      label: "From the store",
      isHidden: true,
      value: ({ output }) => (output as { cached?: boolean } | null)?.cached ?? null,
    },
  ];
}

function chosenWord(chosen: string | null | undefined): string | null {
  return chosen === null ? "NONE" : (chosen ?? null);
}

/** Who judged a skill, what its answers took, every figure beside those of simpler judges, and every query. */
function subjectBlocks(subject: SubjectReport): Block[] {
  const details = read(subject);
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

function judgeLabel({ kind, model, label = kind }: JudgeName): string {
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
  const shares = [precision, recall, specificity].map((bounds) => bounds && showBounds(bounds, "share"));
  return ["95% interval", ...shares, "", mcc && showBounds(mcc, "score"), "", "", "", ""];
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

function runFacts({ run, subjects }: Rendered): Fact[] {
  const settings = TriggerSettings.safeParse(run.settings.triggering).data;
  const judges = new Map<string, number>();
  for (const subject of subjects) {
    const details = read(subject);
    if (details === null) continue;
    const label = judgeLabel(details.judge);
    judges.set(label, (judges.get(label) ?? 0) + 1);
  }
  const names = [...judges].map(([label, skills]) =>
    judges.size === 1 ? label : `${label} (${skills} skills)`,
  );
  const { repeats = run.trials, threshold = null } = settings ?? {};
  return [
    ...(repeats === run.trials
      ? []
      : [{ label: "Answers per query", value: repeats, unit: "count" } as const]),
    ...(repeats === 1 || threshold === null
      ? []
      : [{ label: "Threshold", value: threshold, unit: "score" } as const]),
    ...(names.length === 0 ? [] : [{ label: "Trigger judge", value: names.join(", ") }]),
  ];
}
