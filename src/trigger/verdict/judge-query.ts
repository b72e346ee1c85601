import { type Clock, systemClock } from "../../base/clock.ts";
import type { Places } from "../../base/places.ts";
import type { Judge, JudgeQuestion, Judgment } from "../../contract/judge.ts";
import { brokenOff, keepAnswer } from "./keep-answer.ts";

/** What a judge is asked, without which repetition it is. */
export type QueryQuestion = Omit<JudgeQuestion, "repeat">;

export interface JudgeWorld {
  judge: Judge;
  repeats: number;
  /** Shared by all queries of a run: as many judgments are under way as there are places. */
  lanes: Places;
  signal: AbortSignal;
  clock?: Clock | undefined;
}

/**
 * Puts one query to a judge, `repeats` times, however the first answers turn out. What is no answer stays invalid
 * or an error; it is never read as a no.
 */
export function judgeQuery(question: QueryQuestion, world: JudgeWorld): Promise<Judgment[]> {
  const { repeats, lanes, signal } = world;
  const judgments = Array.from({ length: repeats }, (_, repeat) =>
    lanes.with(signal, () => askOnce({ ...question, repeat }, world)),
  );
  return Promise.all(judgments);
}

async function askOnce(question: JudgeQuestion, world: JudgeWorld): Promise<Judgment> {
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
