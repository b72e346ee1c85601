import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { Answer, Score, Scorer } from "../contract/scorer.ts";
import { findScorerProgram } from "./find-scorer-program.ts";
import { replyAfter, runScorerProcess, type ScorerEnd, wholeReply } from "./run-scorer-process.ts";
import { badResult, readModuleReply, readScoreText } from "./score-reply.ts";
import type { ScorerRequest } from "./scorer-request.ts";

/** Asks a module or a command of the suite's author for the score, in a process of its own for every answer. */
export async function custom(request: ScorerRequest): Promise<Scorer> {
  const program = await findScorerProgram(request);
  const { timeoutMs = 5000, passThreshold = 1 } = request.task.evaluator ?? {};

  async function score(answer: Answer): Promise<Score> {
    const nonce = randomBytes(16).toString("hex");
    const question = JSON.stringify(describeAnswer(answer));
    const end = await runScorerProcess({
      sandbox: request.sandbox,
      argv: program.argv,
      cwd: dirname(request.file),
      reads: program.reads,
      timeoutMs,
      input: program.kind === "module" ? `${nonce}\n${question}` : question,
      collector: program.kind === "module" ? replyAfter(nonce) : wholeReply(),
    });
    if (end.status !== "replied") return withoutReply(end, timeoutMs);
    return program.kind === "module"
      ? readModuleReply(end.text, passThreshold, dirname(request.file))
      : readScoreText(end.text, passThreshold);
  }

  return {
    type: "custom",
    identity: { type: "custom", ...program.identity, passThreshold, timeoutMs },
    score,
  };
}

function describeAnswer({ task, output, latencyMs }: Answer) {
  return { task, input: task.inputData, output, expected: task.expectedOutput.value ?? null, latencyMs };
}

function withoutReply(end: Exclude<ScorerEnd, { status: "replied" }>, timeoutMs: number): Score {
  switch (end.status) {
    case "overran":
      return {
        score: null,
        cause: "scorer-timeout",
        message: `the scorer gave no answer within ${timeoutMs} ms`,
      };
    case "refused":
      return { score: null, cause: "sandbox-refused", message: end.message };
    case "crashed":
      return { score: null, cause: "scorer-crashed", message: end.message };
    case "unreadable":
      return badResult(end.message);
    default:
      return end satisfies never;
  }
}
