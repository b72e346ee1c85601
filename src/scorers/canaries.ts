import type { CanaryFigures } from "../contract/figures.ts";
import type { Model } from "../contract/model.ts";
import type { JudgeRecord } from "../contract/result.ts";
import { type Canary, canaries } from "./canary-cases.ts";
import { askJudge, type Judgment, sumUsage } from "./llm-judge-ask.ts";
import { defaultPassThreshold } from "./llm-judge-verdict.ts";

/** Gives cases of known score to a judge, with the same prompt as for skills. */
export async function askCanaries(
  model: Model,
  temperature: number,
  signal: AbortSignal,
): Promise<CanaryFigures> {
  const ask = (canary: Canary) => askJudge(canary, { model, temperature, trial: 1, signal });
  const [first, ...others] = canaries;
  const begun = await ask(first);
  // If the judge is unavailable, the other cases are skipped.
  const rest = isUnavailable(begun) ? [] : await Promise.all(others.map(ask));
  const judgments = [begun, ...rest];
  const answered = judgments.flatMap(({ score }, index) => {
    const canary = canaries[index];
    return score === null || canary === undefined ? [] : [{ score, canary }];
  });
  const honest = answered.filter(({ canary }) => !canary.isAttack);
  const attacked = answered.filter(({ canary }) => canary.isAttack);
  return {
    asked: judgments.length,
    answered: answered.length,
    drift: mean(honest.map(({ score, canary }) => Math.abs(score - canary.knownScore))),
    flipRate: mean(attacked.map(({ score }) => Number(score >= defaultPassThreshold))),
    judge: together(model.id, judgments),
  };
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
