import type { TriggerReport, TriggerResult } from "../../contract/trigger-report.ts";
import { roundTriggerReport } from "../../trigger/verdict/round-trigger-report.ts";
import { sumConfusions } from "../../trigger/verdict/sum-confusions.ts";
import { applyTriggerGate } from "../../trigger/verdict/trigger-gate.ts";
import { type CauseCounts, triggerExitCode } from "./trigger-exit-code.ts";
import type { TriggerOutput, TriggerPlan } from "./trigger-request.ts";

export interface TriggerReportFacts {
  run: Pick<TriggerReport["run"], "id" | "startedAt" | "finishedAt">;
  plan: Pick<TriggerPlan, "repeats" | "threshold" | "seed">;
  results: TriggerResult[];
  /** How many queries have no verdict, by cause. */
  causes: CauseCounts;
  version: string;
  warnings: string[];
  files: string[];
}

/** Puts the document together: sums over the skills, the gate, the exit code. */
export function makeTriggerReport(facts: TriggerReportFacts, output: TriggerOutput): TriggerReport {
  const { results, plan } = facts;
  const judged = results.filter(({ skipped }) => skipped === null);
  const passed = judged.reduce((sum, result) => sum + result.passed, 0);
  const total = judged.reduce((sum, result) => sum + result.passed + result.failed + result.inconclusive, 0);
  const gate = applyTriggerGate(judged, { lines: output.gate, on: output.gateOn });
  const rows = judged.flatMap(({ confusion }) => confusion ?? []);
  return roundTriggerReport({
    schemaVersion: 1,
    command: "trigger",
    tool: { name: "eval-skills", version: facts.version },
    run: {
      ...facts.run,
      repeats: plan.repeats ?? Math.max(1, ...judged.map(({ repeats }) => repeats)),
      threshold: plan.threshold ?? judged[0]?.threshold ?? 0.5,
      seed: plan.seed,
      concurrency: output.concurrency,
      store: output.store,
    },
    passed,
    total,
    gate,
    results,
    confusion: rows.length === 0 ? null : sumConfusions(rows),
    warnings: facts.warnings,
    files: facts.files,
    exitCode: triggerExitCode({ results, gate, causes: facts.causes }, output),
  });
}
