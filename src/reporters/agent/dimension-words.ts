import type { Dimension } from "../../contract/agent-case.ts";
import type { AgentResult, CaseReport, DimensionScore } from "../../contract/agent-report.ts";

export type DimensionStatus = DimensionScore["status"];
/** What a case can be scored in: the seven, and what only some cases have. */
export type ScoreName = keyof CaseReport["scores"];

/** A sign for each status, so that nobody has to tell them apart by colour. */
export const dimensionMarks: Readonly<Record<DimensionStatus, string>> = {
  pass: "✓",
  fail: "✗",
  not_observed: "?",
  not_applicable: "–",
};

export const statusWords: Readonly<Record<DimensionStatus, string>> = {
  pass: "pass",
  fail: "fail",
  not_observed: "not observed",
  not_applicable: "not applicable",
};

/** What the signs of a table mean. */
export const markLegend: string = (Object.keys(dimensionMarks) as DimensionStatus[])
  .map((status) => `${dimensionMarks[status]} ${statusWords[status]}`)
  .join(", ");

export const cellMarks: Readonly<Record<AgentResult["status"], string>> = {
  pass: "✓",
  fail: "✗",
  invalid: "?",
};

/** In the order they are shown. Written out, since the page would otherwise hold every schema of a case. */
const dimensions = Object.keys({
  trigger: 0,
  sequence: 0,
  disclosure: 0,
  security: 0,
  budget: 0,
  output: 0,
  streaming: 0,
} satisfies Record<Dimension, 0>) as Dimension[];

const ofConversations: readonly ScoreName[] = ["hit", "protocol", "calls", "continuation"];

/** What cases are about. */
export interface ScoreKinds {
  /** An agent at work, which is judged in all seven. */
  agent: boolean;
  unit: boolean;
  rubric: boolean;
  conversation: boolean;
}

export function scoreKinds({ scores }: Pick<CaseReport, "scores">): ScoreKinds {
  const unit = scores.unit !== undefined;
  const conversation = scores.protocol !== undefined;
  return { agent: !unit && !conversation, unit, rubric: scores.rubric !== undefined, conversation };
}

/** All scores that cases of these kinds have; the seven where nothing is known. */
export function scoreNames(has: ScoreKinds): ScoreName[] {
  const isSeven = has.agent || !(has.unit || has.conversation);
  return [
    ...(has.conversation ? ofConversations : []),
    ...(isSeven ? dimensions : has.conversation ? (["output"] as const) : []),
    ...(has.unit ? (["unit"] as const) : []),
    ...(has.rubric ? (["rubric"] as const) : []),
  ];
}

/** The sign of one score of a cell; nothing where the case has no such score. */
export function markOf({ scores }: Pick<CaseReport, "scores">, name: ScoreName): string {
  const score = scores[name];
  return score === undefined ? "" : dimensionMarks[score.status];
}
