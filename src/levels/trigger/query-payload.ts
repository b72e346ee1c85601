import type { JudgeName, QuerySummary } from "../../contract/trigger-report.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** What telemetry says of a judged query; what was asked and answered stays out of it. */
export function queryPayload(
  { side, verdict, yes, no, repeats }: QuerySummary,
  judge: Pick<JudgeName, "kind" | "model">,
): JsonObject {
  return { side, verdict, judge: judge.kind, model: judge.model, yes, valid: yes + no, repeats };
}
