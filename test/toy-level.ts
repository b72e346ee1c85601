import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { PlannedCase } from "../src/contract/cell.ts";
import type { Level } from "../src/contract/level.ts";
import type { OptionTable, Settled } from "../src/contract/option-table.ts";
import { levelTable } from "../src/engine/common-options.ts";
import { plainRun, plainSuite } from "../src/engine/plain-suite.ts";
import { type SessionContext, sessionsFor } from "../src/engine/session.ts";

const options = {
  words: { flag: "[words...]", help: "to turn round", type: "texts", required: "toy anna", scope: "plan" },
  pauseMs: { flag: "--pause <ms>", help: "time per word", type: "count", min: 0, default: 0, scope: "plan" },
  calls: { flag: "--calls <file>", help: "log of calls", type: "text", default: "calls", scope: "plan" },
} as const satisfies OptionTable;
export const toyTable = levelTable(options);
export type ToyPlan = Settled<typeof toyTable, "plan"> & { cwd: string; storedOptions: object };
const rate = { isCompared: true, isMain: true };

/** Is a word the same backwards? A level of its own, for the test that the engine needs to know nothing else of one. */
export const toyLevel: Level = {
  name: "toy",
  options,
  nouns: { case: ["word", "words"], subject: "skill" },
  details: z.object({ letters: z.number() }),
  metrics: [{ ...rate, name: "completionRate", label: "palindromes", unit: "share", better: "up" }],
};

export const toySessions = sessionsFor({
  command: "toy",
  format: 2,
  async prepare({ words, runs, pauseMs, calls }: ToyPlan, _: SessionContext) {
    const cases = words.map(
      (id): PlannedCase => ({ id, digest: id, title: null, input: id, expected: id, tags: [], weight: 1 }),
    );
    const suite = plainSuite({
      level: toyLevel,
      id: "palindromes",
      subjects: [{ skillId: "mirror", skillVersion: "1", skillDigest: "m", model: null, arm: null }],
      cases,
      trials: runs ?? 1,
      async execute({ case: { id } }, signal) {
        appendFileSync(calls, `${id}\n`);
        await sleep(pauseMs, undefined, { signal });
        return { status: "answered", output: [...id].reverse().join(""), latencyMs: pauseMs };
      },
      score: ({ output }, { case: { expected, id } }) => {
        const passed = output === expected;
        return { score: Number(passed), passed, reason: null, details: { letters: id.length } };
      },
    });
    return { ...plainRun({ suites: () => [suite] }), words };
  },
  identity: ({ words }) => Object.fromEntries(words.map((word) => [`word ${word}`, word])),
  resumed: (_, now) => now,
});
