import type { ReportFile } from "../src/contract/report.ts";
import type {
  JudgeName,
  TriggerGateResult,
  TriggerMetrics,
  TriggerReport,
} from "../src/contract/trigger-report.ts";

type Bounds = TriggerMetrics["intervals"]["recall"];

/** What the summary shows of a skill whose queries were judged, whichever command judged them. */
export interface TriggerRow {
  skillId: string;
  judge: JudgeName;
  passed: number;
  failed: number;
  inconclusive: number;
  recall: { rate: number | null; interval: Bounds };
  precision: { rate: number | null; interval: Bounds };
  mcc: { rate: number | null; interval: Bounds };
  /** Undefined: the report does not tell. */
  invalidRate: number | null | undefined;
  usd: number | null | undefined;
  p95Ms: number | null | undefined;
  gate: TriggerGateResult | null;
  notes: readonly string[];
}

/** The judged skills of a report of `trigger`. */
export function triggerRows({ results }: Pick<TriggerReport, "results">): TriggerRow[] {
  return results.flatMap(({ skipped, metrics, latency, ...result }) =>
    skipped === null ? [{ ...result, ...rates(metrics?.query ?? null), p95Ms: latency.p95Ms }] : [],
  );
}

/** The judged skills of a report of `eval` or `run`. */
export function triggeringRows({ triggering }: Pick<ReportFile, "triggering">): TriggerRow[] {
  return triggering.flatMap(({ skipped, metrics, gate = null, notes = [], ...entry }) =>
    skipped === null
      ? [
          {
            ...entry,
            ...rates(metrics),
            gate,
            notes,
            usd: entry.usd,
            invalidRate: undefined,
            p95Ms: undefined,
          },
        ]
      : [],
  );
}

function rates(
  metrics: (Pick<TriggerMetrics, "recall" | "precision" | "mcc"> & Partial<TriggerMetrics>) | null,
): Pick<TriggerRow, "recall" | "precision" | "mcc"> {
  return {
    recall: { rate: metrics?.recall ?? null, interval: metrics?.intervals?.recall ?? null },
    precision: { rate: metrics?.precision ?? null, interval: metrics?.intervals?.precision ?? null },
    mcc: { rate: metrics?.mcc ?? null, interval: metrics?.intervals?.mcc ?? null },
  };
}
