import type { CaseReport } from "../../contract/agent-report.ts";
import type { Json } from "../../contract/json.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import type { RubricWord } from "../../scorers/agent/rubric.ts";
import { askJudge } from "../../scorers/llm-judge-ask.ts";
import { promptVersion } from "../../scorers/llm-judge-question.ts";
import { usualPassThreshold } from "../../scorers/llm-judge-verdict.ts";
import type { JudgeModel } from "../open-judges.ts";

/** Puts each sentence of a rubric to a judge, with the request and the answer. What it cannot say stays unsaid. */
export async function askAboutRubric(
  { request, case: { expect, title } }: LoadedAgentCase,
  answer: string | null,
  { model, temperature }: JudgeModel,
  { trial, signal }: { trial: number; signal: AbortSignal },
): Promise<RubricWord[]> {
  const words: RubricWord[] = [];
  for (const rubric of answer === null ? [] : (expect.rubric ?? [])) {
    const question = { description: title, input: request, rubric, reference: undefined, output: answer };
    const said = await askJudge(question, { model, temperature, trial, signal });
    if (said.score === null) words.push({ pass: null, reason: said.message });
    else words.push({ pass: said.score >= usualPassThreshold, reason: said.reason ?? "" });
  }
  return words;
}

/** Everything about a judge that may change what it says. */
export function judgeIdentity({ model, temperature }: JudgeModel): Json {
  return { model: model.identity, temperature, promptVersion };
}

/** What a judge said when a run was graded before; it is not asked twice about the same answer. */
export function wordsIn({ scores, failures }: CaseReport): RubricWord[] | undefined {
  const reasons = failures
    .filter(({ dimension }) => dimension === "rubric")
    .map(({ actual }) => String(actual));
  return scores.rubric?.checks.map(({ status }) => ({
    pass: status === "not_observed" ? null : status === "pass",
    reason: status === "fail" ? (reasons.shift() ?? "") : "",
  }));
}
