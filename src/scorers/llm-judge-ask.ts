import { randomBytes } from "node:crypto";
import type { Model, ModelReply } from "../contract/model.ts";
import type { Usage } from "../contract/outcome.ts";
import type { JudgeRecord } from "../contract/result.ts";
import type { Unscored } from "../contract/scorer.ts";
import { type JudgeQuestion, questionMessages } from "./llm-judge-question.ts";
import { readVerdict, verdictSchema } from "./llm-judge-verdict.ts";

interface Asking {
  trial: number;
  signal: AbortSignal;
}

/** A model and how it is asked. */
export interface JudgeSettings {
  model: Model;
  temperature: number;
}

/** A model that judges. */
export interface JudgeModel extends JudgeSettings {
  /** Why its verdicts cannot be used; null where they can. It is checked when this is first asked. */
  findProblem(signal: AbortSignal): Promise<JudgeProblem | null>;
  /** Whether the user wants its verdicts all the same. */
  isTrusted: boolean;
}

/** Why no verdict of a judge can be used. */
export type JudgeProblem = Pick<Unscored, "cause" | "message">;

/** The verdict of a judge, or why there is none; with the usage either way. */
export type Judgment = ({ score: number; reason: string | null } | Omit<Unscored, "judge">) & {
  judge: JudgeRecord;
};

/** Asks a judge one question, unless it is known to judge badly and not trusted all the same. */
export async function askCheckedJudge(
  question: JudgeQuestion,
  judge: JudgeModel,
  asking: Asking,
): Promise<Judgment> {
  const problem = await judge.findProblem(asking.signal);
  if (problem !== null && !judge.isTrusted)
    return { score: null, ...problem, judge: { model: judge.model.id, ...emptyRecord } };
  const judgment = await askJudge(question, judge, asking);
  return problem === null
    ? judgment
    : { ...judgment, judge: { ...judgment.judge, problem: problem.message } };
}

const emptyRecord: Omit<JudgeRecord, "model"> = {
  calls: 0,
  latencyMs: 0,
  usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0, costUsd: 0 },
};

const maxQuestions = 3;

/** Asks a model one question. An unusable reply is retried twice; after that there is no score. */
export async function askJudge(
  question: JudgeQuestion,
  { model, temperature }: JudgeSettings,
  { trial, signal }: Asking,
): Promise<Judgment> {
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
    latencyMs += outcome.latencyMs ?? 0;
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

/** What several questions to one model took together. */
export function sumRecords(model: string, records: readonly JudgeRecord[]): JudgeRecord {
  const problem = records.find((record) => record.problem !== undefined)?.problem;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    model,
    calls: sum(records.map(({ calls }) => calls)),
    latencyMs: Math.round(sum(records.map(({ latencyMs }) => latencyMs)) * 1000) / 1000,
    usage: sumUsage(records.map(({ usage }) => usage)),
    ...(problem !== undefined && { problem }),
  };
}

/** The total usage of several calls. A sum with an unknown part is unknown; so is an empty sum. */
function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
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
