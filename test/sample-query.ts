import type { JudgeName, QueryLine } from "../src/contract/trigger-report.ts";
import { queryLine } from "../src/levels/trigger/verdict/query-line.ts";
import { sha256 } from "../src/shared/json/canonical-json.ts";
import { sampleChoices, sampleJudgments } from "./builders/sample-judgments.ts";

export const modelJudge: JudgeName = {
  kind: "model",
  model: "claude-haiku-4-5-20251001",
  prompt: "trigger-card/1",
  label: "model",
  why: "eval.yaml",
};
export const catalogJudge: JudgeName = {
  kind: "catalog",
  model: "claude-haiku-4-5-20251001",
  prompt: "trigger-catalog/1",
  label: "catalog",
  why: "--judge",
};
export const routerJudge: JudgeName = {
  kind: "router",
  model: null,
  prompt: "router/1",
  label: "router (lexical)",
  why: "no model configured",
};

export interface SampleQuery {
  query: string;
  /** One letter per repetition as `sampleJudgments` reads them, or the skill that was chosen each time. */
  answers: string | readonly (string | null)[];
  skillId?: string;
  queryId?: string;
  side?: QueryLine["side"];
  belongsTo?: string;
  judge?: JudgeName;
}

/** A query for tests with the verdict that its answers give. */
export function sampleQuery(given: SampleQuery): QueryLine {
  const { query, answers, skillId = "refactor", side = "should_match", belongsTo = null } = given;
  const judgments = typeof answers === "string" ? sampleJudgments(answers) : sampleChoices(skillId, answers);
  return queryLine(
    {
      skillId,
      skillDigest: "sha256:5f1e",
      query: { id: given.queryId ?? sha256(query).slice(7, 19), text: query, side, belongsTo, tags: [] },
      judge: given.judge ?? modelJudge,
      repeats: judgments.length,
      threshold: 0.5,
      agreement: null,
      seed: 0,
      cardSha256: "c0de",
      catalogSha256: "ca7a",
    },
    judgments,
    "2026-03-01T07:24:31.007Z",
  );
}
