import { groupedBy } from "../../base/grouped-by.ts";
import { benchTable, type PlanReportFile, type PlanResult } from "../../contract/planbench-report.ts";
import { percentile } from "../../statistics/percentile.ts";
import type { ComparedSide, TriedTask } from "../compared-side.ts";

/** What a report of `planbench` says of each stratum of its bench. */
export function planSides({ run, results }: Pick<PlanReportFile, "run" | "results">): ComparedSide[] {
  const strata = groupedBy(results, ({ route }) => route);
  return [...strata].map(([route, samples]) => {
    // What is scripted does the same however often it runs: neither luck nor its speed says anything.
    const isReal = run.model !== "mock" && route !== "fixed";
    return {
      skillId: run.model,
      benchmarkId: benchTable(run.bench, route),
      tasks: triedCases(samples, isReal),
      figures: figuresOf(samples, isReal),
    };
  });
}

function triedCases(samples: readonly PlanResult[], isReal: boolean): TriedTask[] {
  const cases = groupedBy(samples, ({ caseId, caseDigest }) => JSON.stringify([caseId, caseDigest]));
  return [...cases.values()].map((tried) => ({
    taskId: tried[0].caseId,
    content: tried[0].caseDigest,
    valid: tried.filter(({ outcome }) => outcome !== "error").length,
    passed: tried.filter(({ outcome }) => outcome === "ok").length,
    ...(!isReal && { worth: Number.POSITIVE_INFINITY }),
  }));
}

function figuresOf(samples: readonly PlanResult[], isReal: boolean): ComparedSide["figures"] {
  const counted = samples.filter(({ outcome }) => outcome !== "error");
  const share = (isIn: (sample: PlanResult) => boolean) =>
    counted.length === 0 ? null : counted.filter(isIn).length / counted.length;
  const rates = {
    passRate: share(({ outcome }) => outcome === "ok"),
    ok0Rate: share(({ outcome, repairs }) => outcome === "ok" && (repairs ?? 0) === 0),
  };
  if (!isReal) return rates;
  const times = Float64Array.from(counted, ({ ms }) => ms).sort();
  return { ...rates, latencyP95Ms: percentile(times, 0.95) };
}
