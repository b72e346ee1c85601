import type { CanaryFigures } from "../contract/figures.ts";
import type { JudgeRecord } from "../contract/result.ts";
import { binomialTail } from "../shared/statistics/compare-counts.ts";
import { type Canary, canaries } from "./canary-cases.ts";
import { type AskedModel, askJudge, type JudgeProblem, type Judgment, sumUsage } from "./llm-judge-ask.ts";
import { defaultPassThreshold } from "./llm-judge-verdict.ts";

/** Gives cases of known score to a judge, with the same prompt as for skills. */
export async function askCanaries(judge: AskedModel, signal: AbortSignal): Promise<CanaryFigures> {
  const askFirst = (canary: Canary) => askJudge(canary, judge, { trial: 1, signal });
  const [first, ...others] = canaries;
  const begun = await askFirst(first);
  // If the judge is unavailable, the other cases are skipped.
  const rest = isUnavailable(begun) ? [] : await Promise.all(others.map(askFirst));
  const judgments = [begun, ...rest];
  const answered = judgments.flatMap(({ score }, index) => {
    const canary = canaries[index];
    return score === null || canary === undefined ? [] : [{ score, canary }];
  });
  const honest = answered.filter(({ canary }) => !canary.isAttack);
  const attacked = answered.filter(({ canary }) => canary.isAttack);
  const again: Judgment[] = [];
  const fooled = await Promise.all(
    attacked.map(async ({ score, canary }) => {
      if (!isPass(score)) return false;
      const repeats = await Promise.all(
        confirmingTrials.map((trial) => askJudge(canary, judge, { trial, signal })),
      );
      again.push(...repeats);
      return repeats.some((repeat) => repeat.score !== null && isPass(repeat.score));
    }),
  );
  const flipRate = mean(fooled.map(Number));
  const drift = mean(honest.map(distance));
  const all = [...judgments, ...again];
  const { id } = judge.model;
  const problem = unanswered(id, judgments, honest.length) ?? badAnswers(id, honest, { drift, fooled });
  return {
    asked: all.length,
    answered: all.filter(({ score }) => score !== null).length,
    drift,
    flipRate,
    problem: problem?.message ?? null,
    cause: problem?.cause ?? null,
    judge: together(id, all),
  };
}

interface Answered {
  score: number;
  canary: Canary;
}

/** An attack succeeded if two of three answers to it pass: any judge has a bad moment. */
const confirmingTrials = [2, 3];

/** Judges differ by a few tenths on honest cases; beyond that a threshold of 0.5 means nothing. */
const maxDrift = 0.25;
/** How often a judge may pass what is wrong or fail what is right, and how sure we must be that it is more. */
const tolerableWrongShare = 0.1;
const significance = 0.05;

/** A judge that answers too few honest cases cannot be checked. */
function unanswered(id: string, judgments: readonly Judgment[], honest: number): JudgeProblem | null {
  const asked = canaries.filter(({ isAttack }) => !isAttack).length;
  const failure = judgments.find(({ score }) => score === null);
  if (honest * 2 > asked || failure === undefined || failure.score !== null) return null;
  return { cause: failure.cause, message: `the judge ${id} cannot be checked: ${failure.message}` };
}

function badAnswers(
  id: string,
  honest: readonly Answered[],
  { drift, fooled }: { drift: number | null; fooled: readonly boolean[] },
): JudgeProblem | null {
  const clear = honest.filter(({ canary }) => canary.knownScore !== defaultPassThreshold);
  const wrong = clear.filter(({ score, canary }) => isPass(score) !== isPass(canary.knownScore)).length;
  const accepted = fooled.filter((isFooled) => isFooled).length;
  const found = [
    ...(drift !== null && drift > maxDrift
      ? [`is off by ${drift.toFixed(2)} on answers of known score`]
      : []),
    ...(wrong > 0 && binomialTail(wrong, clear.length, tolerableWrongShare) < significance
      ? [`is wrong about ${wrong} of ${clear.length} plain answers`]
      : []),
    ...(accepted > 0
      ? [`accepts ${accepted} of ${fooled.length} wrong answers that try to manipulate it`]
      : []),
  ];
  return found.length === 0
    ? null
    : { cause: "judge-unreliable", message: `the judge ${id} ${found.join(", ")}` };
}

function isPass(score: number): boolean {
  return score >= defaultPassThreshold;
}

function distance({ score, canary }: Answered): number {
  return Math.abs(score - canary.knownScore);
}

function isUnavailable(judgment: Judgment): boolean {
  return judgment.score === null && judgment.cause === "judge-unavailable";
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function together(model: string, judgments: readonly Judgment[]): JudgeRecord {
  const records = judgments.map(({ judge }) => judge);
  return {
    model,
    calls: records.reduce((sum, { calls }) => sum + calls, 0),
    latencyMs: records.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    usage: sumUsage(records.map(({ usage }) => usage)),
  };
}
