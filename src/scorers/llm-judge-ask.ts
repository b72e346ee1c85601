import { randomBytes } from "node:crypto";
import type { Model, ModelReply } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";
import type { JudgeRecord } from "../contract/result.ts";
import type { Unscored } from "../contract/scorer.ts";
import { type JudgeQuestion, questionMessages } from "./llm-judge-question.ts";
import { readVerdict, verdictSchema } from "./llm-judge-verdict.ts";

interface Asking {
  model: Model;
  temperature: number;
  trial: number;
  signal: AbortSignal;
}

/** The verdict of a judge, or why there is none; with the usage either way. */
export type Judgment = ({ score: number; reason: string | null } | Omit<Unscored, "judge">) & {
  judge: JudgeRecord;
};

const maxQuestions = 3;

/** Asks a judge one question. An unusable reply is retried twice; after that there is no score. */
export async function askJudge(question: JudgeQuestion, asking: Asking): Promise<Judgment> {
  const { model, temperature, trial, signal } = asking;
  const replies: ModelReply[] = [];
  let latencyMs = 0;
  const judge = (calls: number): JudgeRecord => ({
    model: model.id,
    calls,
    latencyMs: Math.round(latencyMs * 1000) / 1000,
    usage: sumUsage(replies.map(({ usage }) => usage)),
  });

  for (let calls = 1; ; calls++) {
    // Recordings hold replies only: a broken one must not take an ordinal, or a replay would miss it.
    const ordinal = replies.length + 1;
    const nonce = randomBytes(16).toString("hex");
    const messages = questionMessages(question, nonce);
    const request = { messages, temperature, schema: verdictSchema, nonce, trial, ordinal };
    const outcome = await model.call(request, { signal });
    latencyMs += outcome.latencyMs;
    if (outcome.status === "answered") replies.push(outcome);
    // An unreadable reply counts as an unusable one.
    if (outcome.status === "failed" && outcome.fault !== "bad-reply") {
      const message = `cannot ask the judge ${model.id}: ${outcome.message}`;
      return { score: null, cause: "judge-unavailable", message, judge: judge(calls) };
    }
    const verdict =
      outcome.status === "answered"
        ? readVerdict(outcome.text.replaceAll(nonce, "«nonce»")) // or the same verdict would differ from run to run
        : ({ ok: false, problem: outcome.message } as const);
    if (verdict.ok) return { score: verdict.score, reason: verdict.reason, judge: judge(calls) };
    if (calls < maxQuestions) continue;
    const message = `no verdict in ${calls} replies from the judge ${model.id}; last problem: ${verdict.problem}`;
    return { score: null, cause: "judge-unparseable", message, judge: judge(calls) };
  }
}

/** The total usage of several calls. A sum with an unknown part is unknown; so is an empty sum. */
export function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  const [first = null, ...rest] = usages;
  return rest.reduce(plus, first);
}

function plus(sum: Usage | null, usage: Usage | null): Usage | null {
  if (sum === null || usage === null) return null;
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    promptTokens: add(sum.promptTokens, usage.promptTokens),
    completionTokens: add(sum.completionTokens, usage.completionTokens),
    totalTokens: add(sum.totalTokens, usage.totalTokens),
    costUsd: add(sum.costUsd, usage.costUsd),
  };
}
