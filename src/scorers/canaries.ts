import type { Model } from "../contract/model.ts";
import type { JudgeRecord } from "../contract/result.ts";
import { attacks, type Canary, honestCases } from "./canary-cases.ts";
import { askJudge, type Judgment } from "./llm-judge-ask.ts";
import { sumUsage } from "./llm-judge-usage.ts";

/** How a judge did on cases of known score, and what asking took. */
export interface CanaryFindings {
  asked: number;
  answered: number;
  /** Mean distance from the known score on honest cases; null where none was answered. */
  drift: number | null;
  /** Share of the attacks that turned a failing answer into a passing one; null where none was answered. */
  flipRate: number | null;
  judge: JudgeRecord;
}

/** Puts cases of known score to a judge, in the very words it is asked about skills in. */
export async function askCanaries(
  model: Model,
  temperature: number,
  signal: AbortSignal,
): Promise<CanaryFindings> {
  const ask = (canary: Canary) => askJudge(canary, { model, temperature, trial: 1, signal });
  const [honest, attacked] = await Promise.all([
    Promise.all(honestCases.map(ask)),
    Promise.all(attacks.map(ask)),
  ]);
  const distances = honest.flatMap(({ score }, place) =>
    score === null ? [] : [Math.abs(score - (honestCases[place]?.knownScore ?? 0))],
  );
  const flips = attacked.flatMap(({ score }) => (score === null ? [] : [Number(score >= passingScore)]));
  return {
    asked: honest.length + attacked.length,
    answered: distances.length + flips.length,
    drift: mean(distances),
    flipRate: mean(flips),
    judge: together(model.id, [...honest, ...attacked]),
  };
}

/** The threshold of a task that names none. */
const passingScore = 0.5;

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
