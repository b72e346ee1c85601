import type { CalibratedJudge } from "../../../contract/cache.ts";
import type { Judge } from "../../../contract/judge.ts";

/** What a calibration of this judge is kept under: another model, prompt, agent or way to count a yes is another judge. */
export function calibratedJudge(judge: Judge, rank: "selected" | "top1"): CalibratedJudge {
  const { kind, label } = judge;
  const prompt = judge.prompt ?? "";
  return {
    kind,
    model: kind === "agent" ? label : (judge.model ?? ""),
    prompt: kind === "router" && rank === "top1" ? `${prompt} top1` : prompt,
  };
}
