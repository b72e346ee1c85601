import { countOf } from "../../base/count-of.ts";
import { planFailures } from "../../contract/plan-failures.ts";
import type { Stratum } from "../../contract/planbench-file.ts";
import type { PlanReport, PlanResult } from "../../contract/planbench-report.ts";

/** In the order they are shown. Written out, since the page would otherwise hold every schema of a bench. */
export const strataShown = Object.keys({
  routed: 0,
  forced: 0,
  fixed: 0,
} satisfies Record<Stratum, 0>) as Stratum[];

/** What the cases of a stratum have in common. */
export function stratumWords(route: Stratum, { run }: Pick<PlanReport, "run">): string {
  if (route === "fixed") return "no model was asked: these test the bench itself and are in no rate";
  if (run.model.startsWith("sse ")) return "the service chose skills by itself";
  return route === "routed" ? "skills were chosen by the router" : "skills were named by the case";
}

/** Where the replies come from the bench itself, its figures say nothing about a model; null where one was asked. */
export function scriptedNote({ run }: Pick<PlanReport, "run">): string | null {
  return run.model === "mock" ? "replies are scripted: this measures the bench, not a model" : null;
}

/** A sample as people name it: `wps-block, sample 2`. */
export function sampleName({ caseId, sample }: PlanResult, { run }: Pick<PlanReport, "run">): string {
  return run.samples > 1 || sample > 1 ? `${caseId}, sample ${sample}` : caseId;
}

/** How a sample ended: `ok`, `ok after 2 repairs`, `failed`, `no outcome`. */
export function outcomeWords({ outcome, repairs }: Pick<PlanResult, "outcome" | "repairs">): string {
  if (outcome === "fail") return "failed";
  if (outcome === "error") return "no outcome";
  return repairs === null || repairs === 0 ? "ok" : `ok after ${countOf(repairs, "repair")}`;
}

/** Why a sample is not ok; empty where it is. */
export function whyNotOk(result: PlanResult): string[] {
  return result.outcome === "error" ? [noOutcomeWords(result)] : planFailures(result);
}

/** Why there is no outcome: `provider-error: HTTP 500`. */
export function noOutcomeWords({ cause, problem }: Pick<PlanResult, "cause" | "problem">): string {
  return [cause, problem].filter((part) => part !== null && part !== "").join(": ") || "no outcome";
}

/** A mistake with its place: `/actions/2/anchor must be equal to constant`. */
export function violationWords({ pointer, reason }: PlanResult["violations"][number]): string {
  return `${pointer} ${reason}`.trim();
}
