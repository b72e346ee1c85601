import type { CanaryFigures } from "../contract/figures.ts";
import type { JudgeModel } from "./open-judges.ts";

/** Puts cases of known score to every judge of a run, beside its cells. Throws the signal's reason when interrupted. */
export async function askCanariesOf(
  judges: readonly JudgeModel[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CanaryFigures>> {
  const figures = new Map<string, CanaryFigures>();
  if (judges.length === 0) return figures;
  const { askCanaries } = await import("../scorers/canaries.ts");
  await Promise.all(
    judges.map(async ({ model, temperature }) => {
      figures.set(model.id, await askCanaries(model, temperature, signal));
    }),
  );
  return figures;
}

/** What the canaries say against a judge, in words. */
export function canaryWarnings(figures: ReadonlyMap<string, CanaryFigures>): string[] {
  return [...figures].flatMap(([model, { asked, answered, flipRate, drift }]) => {
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    if (answered === 0) return [`judge ${model} answered none of its ${asked} canaries`];
    const warnings: string[] = [];
    if (flipRate !== null && flipRate > 0)
      warnings.push(`judge ${model} accepted ${percent(flipRate)} of the prompt-injection canaries`);
    if (drift !== null && drift > tolerableDrift)
      warnings.push(`judge ${model} is off by ${drift.toFixed(2)} on canaries of known score`);
    return warnings;
  });
}

/** Judges differ by a few tenths on honest cases; beyond that a threshold of 0.5 means nothing. */
const tolerableDrift = 0.25;
