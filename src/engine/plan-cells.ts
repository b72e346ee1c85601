import type { Cell, PlannedCase, Subject } from "../contract/cell.ts";
import type { CellPlan, SuiteRun } from "../contract/level.ts";
import type { Scorer } from "../contract/scorer.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";

type Planned<Case extends PlannedCase, Of extends Subject> = Pick<
  SuiteRun<Case, Of>,
  "level" | "id" | "subjects"
> & {
  casesOf(subject: Of): readonly Case[];
  trialsOf(subject: Of, one: Case): number;
  /** All that decides a result, as one hash: the same on every machine. */
  keyOf(subject: Of, one: Case, trial: number, deadlineMs: number): string;
  deadlineOf(subject: Of, one: Case): number;
};

/**
 * Unfolds subjects and cases into cells, one at a time: every trial, every subject, every case. A run that is cut short
 * has seen every case before any case twice.
 */
export function planCells<Case extends PlannedCase, Of extends Subject>(
  planned: Planned<Case, Of>,
): CellPlan<Case, Of> & { trials: number } {
  const { level, id: suiteId, subjects } = planned;
  let size = 0;
  let trials = 1;
  for (const subject of subjects)
    for (const one of planned.casesOf(subject)) {
      const count = planned.trialsOf(subject, one);
      size += count;
      trials = Math.max(trials, count);
    }

  function* cells(): Generator<Cell<Case, Of>> {
    let position = 0;
    for (let trial = 1; trial <= trials; trial++)
      for (const subject of subjects)
        for (const one of planned.casesOf(subject)) {
          if (trial > planned.trialsOf(subject, one)) continue;
          const deadlineMs = planned.deadlineOf(subject, one);
          const key = planned.keyOf(subject, one, trial, deadlineMs);
          yield {
            key,
            position: position++,
            level: level.name,
            suiteId,
            subject,
            case: one,
            trial,
            deadlineMs,
          };
        }
  }

  return { size, trials, [Symbol.iterator]: cells };
}

/** Everything that decides how an answer is judged, as one hash. */
export function scorerDigest({ type, identity }: Scorer): string {
  return sha256(canonicalJson({ type, identity }));
}
