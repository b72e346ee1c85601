import type { StoredReport } from "../../contract/store.ts";
import type { QuerySummary, TriggeringEntry } from "../../contract/trigger-report.ts";
import type { EvalSession } from "../eval-session.ts";
import type { CauseCounts } from "./trigger-exit-code.ts";
import type { TriggerPart } from "./trigger-part.ts";

/** What the triggering pass of an `eval` or `run` came to. */
export interface PassEnd {
  entries: TriggeringEntry[];
  causes: CauseCounts;
}

/** The triggering pass of an `eval` or `run`: a part of it, and what is reported about that part. */
export interface Pass {
  part: TriggerPart;
  conclude(gateOn: "point" | "lower"): Promise<PassEnd>;
  reportsToKeep(timestamp: string): StoredReport[];
}

/** Opens the pass of a run; null where no skill has trigger tests. */
export async function openPass(
  { run, plan: { seed }, ready: { triggers, plan } }: Pick<EvalSession, "run" | "plan" | "ready">,
  concurrency: number,
): Promise<Pass | null> {
  if (triggers === null) return null;
  const { triggerFigures } = await import("./trigger-figures.ts");
  const { triggerPart } = await import("./trigger-part.ts");
  const { querySummary } = await import("../../trigger/verdict/query-line.ts");
  const { roundResult } = await import("../../trigger/verdict/round-trigger-report.ts");
  const { usualJudgeMs } = await import("./trigger-request.ts");
  const figures = triggerFigures(triggers, seed);
  const summaries = new Map<string, Map<string, QuerySummary>>(
    triggers.subjects.map(({ skill, queries }) => [
      skill.id,
      new Map(queries.map(({ id }) => [id, unjudged])),
    ]),
  );
  const part = triggerPart(triggers, {
    seed,
    concurrency,
    timeoutMs: usualJudgeMs,
    firstPosition: plan.size,
    startedAt: run.startedAt,
    add(line, result) {
      figures.add(line, result);
      summaries.get(line.skillId)?.set(line.queryId, querySummary(line));
    },
  });
  return {
    part,
    async conclude(gateOn) {
      const results = (await figures.results({}, gateOn)).map(roundResult);
      const entries = results.map(({ metrics, ...result }): TriggeringEntry => {
        const queries = [...(summaries.get(result.skillId)?.values() ?? [])];
        return {
          skillId: result.skillId,
          judge: result.judge,
          skipped: result.skipped,
          repeats: result.repeats,
          threshold: result.threshold,
          queries: queries.length,
          passed: result.passed,
          failed: result.failed,
          inconclusive: result.inconclusive,
          metrics: metrics && pickMetrics(metrics.query),
          gate: result.gate,
          notes: result.notes,
          usd: result.usd,
          results: queries,
        };
      });
      return { entries, causes: figures.causes };
    },
    reportsToKeep: (timestamp) => figures.reportsToKeep({ cases: [] }, timestamp),
  };
}

/** Keeps the place of a query in the list until it is judged; no report is made before all of them are. */
const unjudged = {} as QuerySummary;

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
