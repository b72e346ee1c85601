import { recordIn, toCaseReport } from "../contract/agent-details.ts";
import type { AgentMetrics, ConversationRates } from "../contract/agent-report.ts";
import { type Subject, subjectName } from "../contract/cell.ts";
import type { LevelFold, MetricValue, OwnFigures } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import type { Json } from "../shared/json/json.ts";
import { roundShare } from "../shared/statistics/numbers.ts";
import { type AgentFold, type AgentSummary, agentFold } from "./figures/agent-fold.ts";
import type { PlannedCase } from "./figures/case-row.ts";
import { skillVersions } from "./figures/conversation-rates.ts";
import { type AgentCase, type AgentSubject, type SuitePlan, subjectCondition } from "./plan-cases.ts";

/** The figures of all suites of cases in a run. Gates and warnings are about both levels together. */
export interface CaseFigures {
  /** The fold of one level; what it says about the whole run is the same at each. */
  foldOf(level: string): LevelFold;
  /** Ids of skills that were edited between two cells, or in one. */
  mixedSkills(): string[];
  /** The versions of the graders that decided. */
  graders(): string[];
}

export function caseFigures(plans: readonly SuitePlan[], seed: number): CaseFigures {
  const everything = agentFold({ cases: plans.flatMap(plannedCases), seed });
  const bySubject = new Map<string, SubjectFold>();
  for (const plan of plans)
    for (const subject of plan.subjects)
      bySubject.set(
        subjectKey(plan.level, plan.suite, subjectName(subject)),
        subjectFold(plan, subject, seed),
      );
  const graders = new Set<string>();
  const versions = skillVersions();

  function add(cell: CellResult): void {
    const report = toCaseReport(cell);
    const tried = { ...report, condition: subjectCondition(cell), latency_ms: cell.latencyMs };
    everything.add(tried);
    const named = (subject: Pick<Subject, "skillId" | "model" | "arm">) =>
      bySubject.get(subjectKey(cell.level, cell.suite, subjectName(subject)));
    named(cell)?.fold.add({ ...tried, condition: "with-skills" });
    // A model with skills is compared with itself without any.
    if (tried.condition === "no-skills") named({ ...cell, arm: "installed" })?.fold.add(tried);
    graders.add(report.grader);
    versions.add({ conversation: recordIn(cell) ?? undefined });
  }

  function leaveOut(level: string, subject: Subject, suite: string, caseIds: ReadonlySet<string>): void {
    const own = bySubject.get(subjectKey(level, suite, subjectName(subject)));
    for (const case_id of caseIds) {
      const planned = { suite, case_id, model: subject.model ?? "" };
      own?.fold.leaveOut(planned);
      // A baseline only adds to the row of its model with skills.
      if (subject.arm === "installed") everything.leaveOut(planned);
    }
  }

  function figures(level: string, subject: Subject, suite: string): OwnFigures {
    const own = bySubject.get(subjectKey(level, suite, subjectName(subject)));
    return own === undefined ? { metrics: {}, details: {} } : own.figures();
  }

  const runWide = {
    overall: () => overallFigures(everything.summary()),
    warnings: versions.warnings,
  };
  const folds = new Map<string, LevelFold>();
  for (const { level } of plans) {
    if (folds.has(level)) continue;
    // What is about the run as a whole is counted at one level only.
    const runFigures = folds.size === 0 ? runWide : { ...runWide, warnings: () => [] };
    folds.set(level, {
      add,
      leaveOut: (subject, suite, caseIds) => leaveOut(level, subject, suite, caseIds),
      figures: (subject, suite) => figures(level, subject, suite),
      ...runFigures,
    });
  }
  return {
    foldOf: (level) => folds.get(level) ?? { add, figures: () => ({ metrics: {}, details: {} }) },
    mixedSkills: versions.mixed,
    graders: () => [...graders].sort(),
  };
}

function subjectKey(level: string, suite: string, subject: string): string {
  return JSON.stringify([level, suite, subject]);
}

/** Case by case, every model that decides it; the baseline of a model adds to its row with skills. */
function plannedCases({ suite, subjects, cases, casesOf }: SuitePlan): PlannedCase[] {
  const installed = subjects.filter(({ arm }) => arm === "installed");
  const decided = new Map(installed.map((subject) => [subject, new Set(casesOf(subject))]));
  return cases.flatMap((one) =>
    installed
      .filter((subject) => decided.get(subject)?.has(one))
      .map((subject) => planRow(suite, subject, one)),
  );
}

function planRow(suite: string, { model }: AgentSubject, { id, digest, loaded }: AgentCase): PlannedCase {
  return {
    suite,
    case_id: id,
    case_digest: digest,
    model,
    level: loaded.level,
    min_pass_rate: loaded.case.min_pass_rate,
  };
}

interface SubjectFold {
  fold: AgentFold;
  figures(): OwnFigures;
}

function subjectFold({ suite, casesOf }: SuitePlan, subject: AgentSubject, seed: number): SubjectFold {
  const rows = casesOf(subject).map((one) => planRow(suite, subject, one));
  const minRates = new Map(rows.map(({ case_id, min_pass_rate }) => [case_id, min_pass_rate]));
  const fold = agentFold({ cases: rows, seed });
  return {
    fold,
    figures() {
      const summary = fold.summary();
      return {
        metrics: subjectMetrics(summary),
        details: {
          isScripted: subject.caseClass !== "L2",
          cases: summary.cases.map(({ case_id, pass, trials, verdicts, passed, pass_rate }) => ({
            caseId: case_id,
            pass,
            trials,
            verdicts,
            passed,
            passRate: roundShare(pass_rate),
            minPassRate: minRates.get(case_id) ?? 1,
          })),
          ...(summary.conversations !== null && {
            conversations: conversationFigures(summary.conversations),
          }),
          ...(summary.metrics !== null && modelDetails(summary.metrics)),
        },
      };
    },
  };
}

function subjectMetrics({ metrics, selection, pass_rate: passRate }: AgentSummary): OwnFigures["metrics"] {
  if (metrics === null)
    return { passRate, recall: { value: selection.recall }, precision: { value: selection.precision } };
  return {
    passRate,
    recall: figure(metrics.trigger_recall),
    precision: figure(metrics.trigger_precision),
    triggerPrecision: figure(metrics.trigger_precision),
    triggerRecall: figure(metrics.trigger_recall),
    firstPassJson: figure(metrics.first_pass_json),
    extractedRate: figure(metrics.extracted_rate),
    finalJson: figure(metrics.final_json),
  };
}

/** What the gates of a run check: all models with skills, at both levels. */
function overallFigures({ metrics, cases, pass_rate }: AgentSummary): Record<string, MetricValue> {
  return {
    passRate: pass_rate,
    triggerPrecision: figure(metrics?.trigger_precision),
    triggerRecall: figure(metrics?.trigger_recall),
    finalJson: figure(metrics?.final_json),
    failedCases: { value: cases.filter(({ pass }) => pass === false).length, n: cases.length },
  };
}

type Ratio = AgentMetrics["final_json"];

function figure(ratio: Ratio | undefined): MetricValue {
  return {
    value: ratio?.value ?? null,
    interval: ratio?.interval ?? null,
    n: ratio?.denominator ?? null,
  };
}

function conversationFigures(rates: ConversationRates): Json {
  const { cells, protocol_after_correction, ...others } = rates;
  const rate = ({ value, numerator, denominator, interval }: ConversationRates["hit"]): Json => ({
    value: roundShare(value),
    numerator,
    denominator,
    interval: interval && {
      ...interval,
      lower: roundShare(interval.lower),
      upper: roundShare(interval.upper),
      nEff: roundShare(interval.nEff),
    },
  });
  return {
    cells,
    hit: rate(others.hit),
    protocol: rate(others.protocol),
    protocolAfterCorrection: rate(protocol_after_correction),
    calls: rate(others.calls),
    continuation: rate(others.continuation),
    output: rate(others.output),
  };
}

/** Facts about a real model besides its metrics. */
function modelDetails(metrics: AgentMetrics): Record<string, Json> {
  const { retry_cost, cost, baseline } = metrics;
  return {
    passAtK: metrics.pass_at_k,
    passHatK: metrics.pass_hat_k,
    retryCost: {
      value: roundShare(retry_cost.value),
      numerator: retry_cost.numerator,
      denominator: retry_cost.denominator,
      unknownCalls: retry_cost.unknown_calls,
    },
    cost: { inputTokens: cost.input_tokens, outputTokens: cost.output_tokens, costUsd: cost.cost_usd },
    withoutVerdict: metrics.without_verdict,
    baseline: baseline && {
      withSkills: roundShare(baseline.with_skills),
      noSkills: roundShare(baseline.no_skills),
      difference: roundShare(baseline.difference),
      interval: baseline.interval && {
        lower: roundShare(baseline.interval.lower),
        upper: roundShare(baseline.interval.upper),
      },
      cases: baseline.cases,
    },
  };
}
