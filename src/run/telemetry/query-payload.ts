import type { JsonObject } from "../../contract/json.ts";
import type { Judgment } from "../../contract/judge.ts";
import type { CellResult } from "../../contract/result.ts";
import type { JudgeName } from "../../contract/trigger-report.ts";
import type { QuerySide } from "../../contract/triggering.ts";
import { countAnswers } from "../../trigger/verdict/count-answers.ts";
import type { TriggerSubject } from "../triggering/prepare-triggers.ts";

/** What a plan knows about a query. */
export interface QueryFacts {
  side: QuerySide;
  judge: Pick<JudgeName, "kind" | "model">;
  repeats: number;
}

/** What telemetry says of a judged query; what was asked and answered stays out of it. */
export function queryPayload({ side, judge, repeats }: QueryFacts, result: CellResult): JsonObject {
  const judgments = Array.isArray(result.output) ? (result.output as unknown as Judgment[]) : [];
  const { yes, no } = countAnswers(judgments, repeats);
  const verdict = result.status === "pass" || result.status === "fail" ? result.status : "invalid";
  return { side, verdict, judge: judge.kind, model: judge.model, yes, valid: yes + no, repeats };
}

/** Looks queries up by their skill and id. */
export function queriesIn(
  subjects: readonly Pick<TriggerSubject, "skill" | "queries" | "judgeName" | "repeats">[],
): (skillId: string, queryId: string) => QueryFacts | undefined {
  const facts = new Map(
    subjects.flatMap(({ skill, queries, judgeName: judge, repeats }) =>
      queries.map(({ id, side }) => [JSON.stringify([skill.id, id]), { side, judge, repeats }] as const),
    ),
  );
  return (skillId, queryId) => facts.get(JSON.stringify([skillId, queryId]));
}

/** The models that judge these skills, each once. */
export function judgeModels(subjects: readonly Pick<TriggerSubject, "judgeName">[]): string[] {
  return [...new Set(subjects.flatMap(({ judgeName }) => judgeName.model ?? []))];
}
