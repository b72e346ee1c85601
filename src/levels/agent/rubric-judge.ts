import type { CaseReport } from "../../contract/agent-report.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import type { JudgeRecord } from "../../contract/result.ts";
import type { JudgeModel } from "../../engine/open-judges.ts";
import { askJudge, sumUsage } from "../../scorers/llm-judge-ask.ts";
import { defaultPassThreshold } from "../../scorers/llm-judge-verdict.ts";
import type { RubricWord } from "./grade/verdict.ts";

/** A judge's decision on each sentence of a rubric, and the effort of asking; null if no judge was asked. */
export interface JudgedSentences {
  words: RubricWord[];
  judge: JudgeRecord | null;
}

/** Puts each sentence of a rubric to a judge, with the request and the answer. */
export async function askAboutRubric(
  { request, case: { expect, title } }: LoadedAgentCase,
  answer: string | null,
  { model, temperature }: JudgeModel,
  { trial, signal }: { trial: number; signal: AbortSignal },
): Promise<JudgedSentences> {
  const words: RubricWord[] = [];
  const records: JudgeRecord[] = [];
  for (const rubric of answer === null ? [] : (expect.rubric ?? [])) {
    const question = { description: title, input: request, rubric, reference: undefined, output: answer };
    const judgment = await askJudge(question, { model, temperature, trial, signal });
    records.push(judgment.judge);
    if (judgment.score === null) words.push({ pass: null, reason: judgment.message });
    else words.push({ pass: judgment.score >= defaultPassThreshold, reason: judgment.reason ?? "" });
  }
  return { words, judge: records.length === 0 ? null : sumRecords(model.id, records) };
}

function sumRecords(model: string, records: readonly JudgeRecord[]): JudgeRecord {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    model,
    calls: sum(records.map(({ calls }) => calls)),
    latencyMs: Math.round(sum(records.map(({ latencyMs }) => latencyMs)) * 1000) / 1000,
    usage: sumUsage(records.map(({ usage }) => usage)),
  };
}

/** The decisions from an earlier grading: a judge is not asked twice about the same answer. */
export function wordsIn({ scores, failures }: CaseReport): RubricWord[] | undefined {
  const reasons = failures
    .filter(({ dimension }) => dimension === "rubric")
    .map(({ actual }) => String(actual));
  return scores.rubric?.checks.map(({ status }) => ({
    pass: status === "not_observed" ? null : status === "pass",
    reason: status === "fail" ? (reasons.shift() ?? "") : "",
  }));
}
