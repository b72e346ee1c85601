import { inOrder } from "../../base/in-order.ts";
import type { GateReport, SubjectReport } from "../../contract/document.ts";
import type { CellReader, Rendered } from "../../contract/format.ts";
import { parseCell } from "../../contract/result.ts";
import {
  type QueryLine,
  type QueryReader,
  type TriggeringEntry,
  type TriggerReport,
  TriggerResult,
  triggeringSuite,
} from "../../contract/trigger-report.ts";
import { TriggerGate } from "../../contract/triggering.ts";
import { skippedResult } from "../../trigger/verdict/fold-queries.ts";
import { roundTriggerReport } from "../../trigger/verdict/round-trigger-report.ts";
import { sumConfusions } from "../../trigger/verdict/sum-confusions.ts";
import { applyTriggerGate, gateSkill } from "../../trigger/verdict/trigger-gate.ts";
import { triggerMetrics } from "../../trigger/verdict/trigger-metrics.ts";
import { type EndedTrial, judgmentsIn, lastEnd } from "../triggering/query-lines.ts";
import { TriggerSettings, TriggerSubjectDetails, triggerLevel } from "../triggering/trigger-level.ts";

/** A report of `trigger` as the writers of Markdown, HTML and the like read it. */
export function triggerShape(
  report: Rendered,
  cells: CellReader,
): { report: TriggerReport; queriesOf: QueryReader } {
  const { run, tool, warnings, files, exitCode } = report;
  const { repeats, threshold } = settingsOf(report);
  const results = resultsIn(report);
  const judged = results.filter(({ skipped }) => skipped === null);
  const rows = judged.flatMap(({ confusion }) => confusion ?? []);
  const sum = (count: (result: TriggerResult) => number) =>
    judged.reduce((total, result) => total + count(result), 0);
  return {
    report: roundTriggerReport({
      schemaVersion: 1,
      command: "trigger",
      tool,
      run: {
        id: run.id,
        startedAt: run.startedAt,
        finishedAt: run.finishedAt,
        repeats,
        threshold,
        seed: run.seed,
        concurrency: run.concurrency,
        store: run.store,
      },
      passed: sum(({ passed }) => passed),
      total: sum(({ passed, failed, inconclusive }) => passed + failed + inconclusive),
      gate: applyTriggerGate(judged, { lines: {}, on: gateOn(ownGates(report)) }),
      results,
      confusion: rows.length === 0 ? null : sumConfusions(rows),
      warnings,
      files,
      exitCode,
    }),
    queriesOf: queryReader(report, cells),
  };
}

/** The trigger tests in a report of `eval` or `run`, as those writers read them. */
export function triggeringEntries(report: Rendered): TriggeringEntry[] {
  const summaries = new Map(
    triggerSubjects(report).map((subject) => [subject.skillId, detailsOf(subject).queries]),
  );
  return resultsIn(report).map((result) => {
    const results = summaries.get(result.skillId) ?? [];
    return {
      skillId: result.skillId,
      judge: result.judge,
      skipped: result.skipped,
      repeats: result.repeats,
      threshold: result.threshold,
      queries: results.length,
      passed: result.passed,
      failed: result.failed,
      inconclusive: result.inconclusive,
      metrics: result.metrics && pickMetrics(result.metrics.query),
      gate: result.gate,
      notes: result.notes,
      usd: result.usd,
      results,
    };
  });
}

function pickMetrics({
  precision,
  recall,
  specificity,
  f1,
  mcc,
  coverage,
}: NonNullable<TriggeringEntry["metrics"]>): TriggeringEntry["metrics"] {
  return { precision, recall, specificity, f1, mcc, coverage };
}

/** One result per skill, skipped ones among them, in the order of their ids. */
function resultsIn(report: Rendered): TriggerResult[] {
  const tested = triggerSubjects(report).map((subject): TriggerResult => {
    const { queries, gate, cardSha256, catalogSha256, ...figures } = detailsOf(subject);
    const skillId = subject.skillId ?? "";
    return {
      skillId,
      skillDigest: subject.skillDigest,
      skipped: null,
      ...figures,
      gate: gateOf(skillId, figures.metrics.query, ownGates(report)),
    };
  });
  return [...tested, ...skippedResults(report)].sort((a, b) => inOrder(a.skillId, b.skillId));
}

function skippedResults(report: Rendered): TriggerResult[] {
  const reasons = new Map(
    report.skipped.flatMap(({ level, skillId, reason }) =>
      level === triggerLevel.name ? [[skillId, TriggerResult.shape.skipped.parse(reason)] as const] : [],
    ),
  );
  return settingsOf(report).skipped.map((subject) =>
    skippedResult({ ...subject, repeats: 0 }, reasons.get(subject.skillId) ?? "no-block"),
  );
}

/** The gate of one skill in words, from the lines it was held against. */
function gateOf(
  skillId: string,
  counted: TriggerSubjectDetails["metrics"]["query"],
  gates: readonly GateReport[],
) {
  const own = gates.filter(({ subject }) => subject?.skillId === skillId);
  const lines = Object.fromEntries(own.map(({ metric, threshold }) => [metric, threshold]));
  // From the counts: what is written was rounded, and gates go by full precision.
  return gateSkill(skillId, triggerMetrics(counted), { lines: TriggerGate.parse(lines), on: gateOn(own) });
}

/** The gates on the figures of skills; that no query failed is asked besides. */
function ownGates({ gates }: Rendered): GateReport[] {
  return gates.filter(({ level, subject }) => level === triggerLevel.name && subject !== null);
}

function gateOn([first]: readonly GateReport[]): "point" | "lower" {
  return first?.on === "lower" ? "lower" : "point";
}

function triggerSubjects({ subjects }: Rendered): SubjectReport[] {
  return subjects.filter(({ level }) => level === triggerLevel.name);
}

function detailsOf({ details }: SubjectReport): TriggerSubjectDetails {
  return TriggerSubjectDetails.parse(details);
}

/** A report without trigger tests says nothing about them. */
function settingsOf({ run }: Rendered): TriggerSettings {
  const { triggering } = run.settings;
  return triggering === undefined
    ? { repeats: 1, threshold: 0.5, skipped: [] }
    : TriggerSettings.parse(triggering);
}

/** Reads the queries of one skill with all their judgments, in the order of the plan. */
function queryReader(report: Rendered, cells: CellReader): QueryReader {
  const subjects = new Map(triggerSubjects(report).map((subject) => [subject.skillId, subject]));
  return function* (skillId) {
    const subject = subjects.get(skillId);
    if (subject === undefined) return;
    const { queries, judge, cardSha256, catalogSha256 } = detailsOf(subject);
    const trials = new Map<string, EndedTrial[]>();
    for (const text of cells({ level: triggerLevel.name, suite: triggeringSuite, subject: skillId })) {
      const { caseId, trial, output, finishedAt } = parseCell(text);
      const known = trials.get(caseId) ?? [];
      trials.set(caseId, known);
      known.push({ skillId, caseId, trial, output, finishedAt });
    }
    for (const query of queries) {
      const asked = trials.get(query.queryId) ?? [];
      const line: QueryLine = {
        skillId,
        ...query,
        judge,
        judgments: judgmentsIn(asked),
        seed: report.run.seed,
        skillDigest: subject.skillDigest,
        cardSha256,
        catalogSha256,
        ts: lastEnd(asked),
      };
      yield line;
    }
  };
}
