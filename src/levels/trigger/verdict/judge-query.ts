import type { Judge, JudgeQuestion, Judgment } from "../../../contract/judge.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";
import { brokenOff, keepAnswer } from "./keep-answer.ts";

/** What a judge is asked, without which repetition it is. */
export type QueryQuestion = Omit<JudgeQuestion, "repeat">;

export interface JudgeWorld {
  judge: Judge;
  signal: AbortSignal;
  clock?: Clock | undefined;
}

/** Puts one question to a judge. What is no answer stays invalid or an error; it is never read as a no. */
export async function askOnce(question: JudgeQuestion, world: JudgeWorld): Promise<Judgment> {
  const { judge, signal, clock = systemClock } = world;
  const { repeat } = question;
  const began = clock.monotonic();
  const tookMs = () => Math.round(clock.monotonic() - began);
  try {
    return keepAnswer(await judge.judge(question, signal), { repeat, ms: tookMs() });
  } catch (error) {
    signal.throwIfAborted();
    return brokenOff(error, { repeat, ms: tookMs() });
  }
}
