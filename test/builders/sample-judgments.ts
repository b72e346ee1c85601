import type { Judge, JudgeAnswer, JudgeQuestion, Judgment } from "../../src/contract/judge.ts";
import type { JudgeName, QueryLine } from "../../src/contract/trigger-report.ts";
import type { QuerySide, TriggerQuery } from "../../src/contract/triggering.ts";
import type { QueryQuestion } from "../../src/levels/trigger/verdict/judge-query.ts";
import { queryLine } from "../../src/levels/trigger/verdict/query-line.ts";

const effort = { ms: 400, tokensIn: 310, tokensOut: 17, usd: 0.001, cached: false };
const unusable = { why: "no decision line", raw: "Well.", rawSha256: "ab".repeat(32) };

/** Judgments for tests: `Y` and `N` decide, `y`, `n` and `?` are unusable replies and what they meant, `E` is none. */
export function sampleJudgments(answers: string): Judgment[] {
  return [...answers].map((letter, repeat) => ({ repeat, ...sampleAnswer(letter) }));
}

export function sampleAnswer(letter: string): JudgeAnswer {
  switch (letter) {
    case "Y":
      return { outcome: "yes", reason: "It fits.", ...effort };
    case "N":
      return { outcome: "no", reason: "It does not.", ...effort };
    case "E":
      return {
        outcome: "error",
        code: "timeout",
        message: "no reply within 30000 ms",
        ...effort,
        usd: null,
        tokensIn: null,
        tokensOut: null,
      };
    default: {
      const lenientDecision = letter === "y" ? "yes" : letter === "n" ? "no" : null;
      return { outcome: "invalid", ...unusable, lenientDecision, ...effort };
    }
  }
}

/** Judgments that chose these skills, null for none, among cards in this order. */
export function sampleChoices(
  skillId: string,
  choices: readonly (string | null)[],
  order?: readonly string[],
): Judgment[] {
  return choices.map((chosen, repeat) => ({
    repeat,
    outcome: chosen === skillId ? "yes" : "no",
    reason: "Chosen.",
    chosen,
    ...effort,
    ...(order !== undefined && { order: [...order] }),
  }));
}

export function sampleTriggerQuery(
  side: QuerySide,
  id: string,
  belongsTo: string | null = null,
): TriggerQuery {
  return { id, text: `request ${id}`, side, tags: [], belongsTo, location: { file: "eval.yaml" } };
}

export const sampleJudgeName: JudgeName = { kind: "model", model: "m", prompt: "trigger-card/1" };

/** The line of a query that got these judgments, with the verdict they give. */
export function sampleLine(
  query: TriggerQuery,
  judgments: readonly Judgment[],
  { skillId = "s", judge = sampleJudgeName, threshold = 0.5 } = {},
): QueryLine {
  const repeats = judgments.length;
  const facts = { skillId, skillDigest: "sha256:s", query, judge, repeats, threshold, agreement: null };
  const hashes = { seed: 0, cardSha256: "c", catalogSha256: "k" };
  return queryLine({ ...facts, ...hashes }, judgments, "2026-03-01T07:24:31.007Z");
}

/** A judge for tests that answers as this function does. */
export function sampleJudge(
  answer: (question: JudgeQuestion, signal: AbortSignal) => unknown,
  given: Partial<Judge> = {},
): Judge {
  return {
    kind: "model",
    model: "m",
    prompt: "trigger-card/1",
    label: "model",
    isDeterministic: false,
    isPaid: false,
    identity: null,
    judge: async (question, signal) => (await answer(question, signal)) as JudgeAnswer,
    ...given,
  };
}

export function sampleQuestion(queryId = "q"): QueryQuestion {
  const card = { description: "Does things.", triggers: [], notFor: [], cuts: [] };
  return {
    skill: { id: "s", aliases: [], card, digest: "sha256:s" },
    query: { id: queryId, text: `request ${queryId}` },
  };
}
