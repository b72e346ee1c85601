import { type Fault, passOf } from "../../../cases/grade/dimension.ts";
import type { DimensionScore } from "../../../contract/agent-report.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import type { RunView } from "./run-view.ts";

/** What a judge says of one sentence of a rubric. Null: nothing that could be used. */
export interface RubricWord {
  pass: boolean | null;
  reason: string;
}

export interface JudgedRubric {
  score: DimensionScore;
  faults: readonly Fault[];
}

/** Prose is for a judge. Without one nothing is known of it; null where a case has none. */
export function judgeRubric(view: RunView, words: readonly RubricWord[] | undefined): JudgedRubric | null {
  const { expect } = view.case;
  if (expect.rubric === undefined || expect.rubric.length === 0) return null;
  const checks: DimensionScore["checks"] = [];
  const faults: Fault[] = [];
  for (const [n, sentence] of expect.rubric.entries()) {
    const word = words?.[n];
    const isKnown = word !== undefined && word.pass !== null;
    checks.push({
      name: shownText(sentence, 200),
      status: !isKnown ? "not_observed" : word.pass === true ? "pass" : "fail",
      exercised: isKnown,
    });
    if (word?.pass === false)
      faults.push({
        code: "RubricNotMet",
        message: `${shownText(sentence, 200)}: ${shownText(word.reason, 400)}`,
        expected: sentence,
        actual: word.reason,
        at: [view.finished],
      });
  }
  const isUnknown = checks.some(({ status }) => status === "not_observed");
  const status = faults.length > 0 ? "fail" : isUnknown ? "not_observed" : "pass";
  return { score: { status, pass: passOf(status), checks }, faults };
}
