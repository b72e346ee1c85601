import type { Baselines, TriggerMetrics } from "../../../contract/trigger-report.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { addAnswers, emptyMatrix, triggerMetrics } from "./trigger-metrics.ts";

/** What the lexical router says about a query. */
export interface LexicalAnswer {
  side: QuerySide;
  isYes: boolean;
}

/** Figures to beat over these queries; `lexical` is null where the lexical router judges itself. */
export function baselines(sides: readonly QuerySide[], lexical: readonly LexicalAnswer[] | null): Baselines {
  const always = (isYes: boolean) => metricsOf(sides.map((side) => ({ side, isYes })));
  return { alwaysYes: always(true), alwaysNo: always(false), lexical: lexical && metricsOf(lexical) };
}

function metricsOf(answers: readonly LexicalAnswer[]): TriggerMetrics {
  const matrix = emptyMatrix();
  for (const { side, isYes } of answers) {
    matrix.asked++;
    addAnswers(matrix, side, { yes: Number(isYes), no: Number(!isYes) });
  }
  return triggerMetrics(matrix);
}
