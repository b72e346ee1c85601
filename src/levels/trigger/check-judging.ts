import { neverAborted } from "../../shared/async/never-aborted.ts";
import { alwaysJudge, neverJudge, perfectJudge } from "./judges/synthetic-judges.ts";
import type { TriggerSubject } from "./prepare.ts";
import { selfCheck } from "./verdict/self-check.ts";

/** Sends judges of whom every number is known through the queries of each skill, before anybody is paid. */
export async function checkJudging(subjects: readonly TriggerSubject[]): Promise<void> {
  for (const { queries, judged, digest, repeats, threshold, skipped } of subjects) {
    if (skipped !== null) continue;
    const plan = {
      repeats,
      threshold,
      questionOf: (query: { id: string; text: string }) => ({ skill: { ...judged, digest }, query }),
      signal: neverAborted,
    };
    const sides = new Map(queries.map(({ id, side }) => [id, side]));
    await selfCheck(queries, plan, {
      perfect: perfectJudge(sides),
      never: neverJudge(),
      always: alwaysJudge(),
    });
  }
}
