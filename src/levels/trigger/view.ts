import type { SubjectReport } from "../../contract/document.ts";
import type { Rendered } from "../../contract/format.ts";
import { levelSettings } from "../../contract/level-settings.ts";
import type { QuerySummary } from "../../contract/trigger-report.ts";
import type { CaseVerdict, Column, Fact, LevelView, Tally } from "../../contract/view.ts";
import { confusionSections } from "./confusion-view.ts";
import { TriggerSettings } from "./details.ts";
import { explainJudgment, judgmentDetails } from "./explain-judgment.ts";
import { definedOr, queryWords, readDetails } from "./query-words.ts";
import { judgeLabel, subjectBlocks } from "./subject-blocks.ts";

/** How tests of when a skill loads are shown: by query, each with one verdict over all its answers. */
export const triggerView: LevelView = {
  headline,
  tally: tallyQueries,
  caseVerdicts,
  columns: triggerColumns(),
  explain: explainJudgment,
  explainsDifference: true,
  subjectBlocks,
  sections: ({ subjects }) => confusionSections(subjects.flatMap((subject) => readDetails(subject) ?? [])),
  skipReasons: {
    "single-case": "--case runs one case alone",
    "no-block": "no triggering block in eval.yaml",
    "empty-lists": "its lists of queries are empty",
    "no-agent": "their judge needs an agent",
  },
  runFacts,
};

function headline(subject: SubjectReport): Fact[] {
  const { metrics } = subject;
  const details = readDetails(subject);
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

function tallyQueries(subject: SubjectReport): Tally {
  const { counts } = subject;
  const queries = readDetails(subject)?.queries;
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
    readDetails(subject)?.queries.map((query) => [query.queryId, queryVerdict(query, subject.skillId)]) ?? [],
  );
}

/** Why a query has no verdict is in its reason. */
function queryVerdict(query: QuerySummary, skillId: string | null): CaseVerdict {
  const { verdict, cause, side } = query;
  const open = cause === "undecided" ? "undecided" : "no verdict";
  const isMissed = verdict === "fail" && side === "should_match";
  // The reason of a router repeats the verdict.
  const reason = isMissed ? (query.reason?.replace(/^not selected: /, "") ?? null) : query.reason;
  return { status: verdict, words: cause === null ? queryWords(query, skillId) : open, reason };
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
    // Empty where the judge saw one skill at a time, `NONE` where it chose none of several.
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

function runFacts({ run, subjects }: Rendered): Fact[] {
  const settings = TriggerSettings.safeParse(levelSettings(run, "trigger").triggering).data;
  const judges = new Map<string, number>();
  for (const subject of subjects) {
    const details = readDetails(subject);
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
