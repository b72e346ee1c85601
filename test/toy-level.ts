import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { PlannedCase } from "../src/contract/cell.ts";
import type { Level } from "../src/contract/level.ts";
import { plainRun, plainSuite } from "../src/run/plain-suite.ts";
import { type SessionContext, sessionsFor } from "../src/run/session.ts";

/** Is a word the same backwards? A level of its own, for the test that the engine needs to know nothing else of one. */
export const toyLevel: Level = {
  name: "toy",
  nouns: { case: ["word", "words"], subject: "skill" },
  details: z.object({ letters: z.number() }),
  metrics: [{ name: "completionRate", unit: "share", better: "up", isCompared: true, isMain: true }],
};

export interface ToyPlan {
  words: string[];
  trials: number;
  pauseMs: number;
  /** Every execution is written down here. */
  calls: string;
  asked: object;
}

export const toySessions = sessionsFor({
  command: "toy",
  format: 1,
  async prepare(plan: ToyPlan, _: SessionContext) {
    const cases = plan.words.map(
      (id): PlannedCase => ({ id, digest: id, title: null, input: id, expected: id, tags: [], weight: 1 }),
    );
    const subjects = [{ skillId: "mirror", skillVersion: "1", skillDigest: "m", model: null, arm: null }];
    const suite = plainSuite({
      level: toyLevel,
      id: "palindromes",
      subjects,
      cases,
      trials: plan.trials,
      async execute({ case: { id } }, signal) {
        appendFileSync(plan.calls, `${id}\n`);
        await sleep(plan.pauseMs, undefined, { signal });
        return { status: "answered", output: [...id].reverse().join(""), latencyMs: plan.pauseMs };
      },
      score: ({ output }, { case: { expected, id } }) => {
        const passed = output === expected;
        return { score: Number(passed), passed, reason: null, details: { letters: id.length } };
      },
    });
    return { ...plainRun({ suites: () => [suite] }), words: plan.words };
  },
  identity: ({ words }) => Object.fromEntries(words.map((word) => [`word ${word}`, word])),
  resumed: (plan) => plan,
});
