import { shorten } from "../base/visible-text.ts";
import type { Evidence, Outcome } from "../contract/outcome.ts";
import type { SkillExit } from "../contract/sandbox.ts";
import type { Conversation, Reply } from "./conversation.ts";

/** Turns what a skill process did into an outcome, with words that help its author. */
export function outcomeOfReply(
  reply: Reply,
  talk: Conversation,
  evidence: Evidence,
  deadlineMs: number,
): Outcome {
  const seen: Evidence = {
    ...evidence,
    ...(talk.stray.length > 0 && { stray: talk.stray.map(({ text }) => text) }),
    ...(talk.stderrTail !== "" && { stderrTail: talk.stderrTail }),
  };
  switch (reply.kind) {
    case "result":
      return {
        ...seen,
        status: "answered",
        output: reply.output,
        usage: reply.usage,
        ...(reply.warnings.length > 0 && { warnings: reply.warnings }),
      };
    case "error":
      return { ...seen, status: "failed", cause: "rpc-error", message: reply.message };
    case "bad":
      return {
        ...seen,
        status: "failed",
        cause: "bad-response",
        message: reply.problem,
        ...(reply.rawBase64 !== undefined && { rawBase64: reply.rawBase64 }),
      };
    case "flooded":
      return {
        ...seen,
        status: "failed",
        cause: "output-limit",
        message: `more than the allowed output: stopped after ${reply.bytes} bytes`,
        bytesSeen: reply.bytes,
      };
    case "silent":
      return {
        ...seen,
        latencyMs: deadlineMs,
        status: "timed-out",
        message: `no answer within ${deadlineMs} ms${whatWasSeen(talk)}`,
      };
    case "not-started":
      return { ...seen, status: "failed", cause: "spawn-failed", message: reply.message };
    case "exited":
      return exitOutcome(reply.exit, talk, seen);
    default:
      return reply satisfies never;
  }
}

function exitOutcome(exit: SkillExit, talk: Conversation, seen: Evidence): Outcome {
  if (exit.limit !== null) {
    return {
      ...seen,
      status: "failed",
      cause: exit.limit,
      message: `stopped at the ${exit.limit.replace("-", " ")}`,
    };
  }
  if (exit.code === 0) {
    return {
      ...seen,
      status: "failed",
      cause: "no-response",
      message: `exit 0 without an answer${whatWasSeen(talk)}`,
    };
  }
  const end = exit.signal === null ? `exit ${exit.code}` : `ended by ${exit.signal}`;
  const lastWords = talk.stderrTail.trim().split("\n").slice(-3).join("\n");
  const detail = lastWords === "" ? whatWasSeen(talk) : `: ${shorten(lastWords, 500)}`;
  return { ...seen, status: "failed", cause: "crash", message: `${end} without an answer${detail}` };
}

/** Nine times in ten a missing answer is an answer in the wrong shape: say which. */
function whatWasSeen(talk: Conversation): string {
  if (talk.stray.length === 0) return "; nothing was written to stdout";
  const kinds = [...new Set(talk.stray.map(({ what }) => what))].join(", ");
  return `; stdout had ${kinds}: ${shorten(talk.stray[0]?.text ?? "", 200)}`;
}
