import type { Evidence, Outcome } from "../contract/outcome.ts";
import type { SkillExit } from "../contract/sandbox.ts";
import { informativeLine } from "../shared/text/informative-line.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { describeExit, floodMessage, silenceMessage } from "./answers.ts";
import { type Chatter, chatterEvidence } from "./process-reader.ts";
import type { Reply } from "./process-session.ts";

type RefusedStart =
  | { status: "failed"; cause: "spawn-failed"; message: string }
  | { status: "invalid"; cause: "sandbox-refused"; message: string };

/** Turns what a skill process did into an outcome, with a message that helps its author. */
export function describeReply(
  reply: Reply,
  chatter: Chatter,
  evidence: Evidence,
  deadlineMs: number,
): Outcome {
  const seen: Evidence = { ...evidence, ...chatterEvidence(chatter) };
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
      return {
        ...seen,
        status: "failed",
        cause: "rpc-error",
        message: withCode(reply),
        ...statusCode(reply.code),
      };
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
        message: floodMessage(reply.bytes),
        bytesSeen: reply.bytes,
      };
    case "silent":
      return {
        ...seen,
        latencyMs: deadlineMs,
        status: "timed-out",
        message: `${silenceMessage(deadlineMs)}${whatWasSeen(chatter)}`,
      };
    case "not-started":
      return startFailure(reply.error, seen);
    case "exited":
      return exitOutcome(reply.exit, chatter, seen);
    default:
      return reply satisfies never;
  }
}

function withCode({ message, code }: Extract<Reply, { kind: "error" }>): string {
  return code === null ? message : `${message} (code ${code})`;
}

function statusCode(code: number | null): { statusCode?: number } {
  return code === null ? {} : { statusCode: code };
}

/** The system cannot start another process; not a fault of the skill. */
const exhaustedCodes = new Set(["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

function startFailure({ code, message }: NodeJS.ErrnoException, seen: Evidence): Outcome {
  return exhaustedCodes.has(code ?? "")
    ? { ...seen, status: "invalid", cause: "sandbox-refused", message }
    : { ...seen, status: "failed", cause: "spawn-failed", message };
}

function exitOutcome(exit: SkillExit, chatter: Chatter, seen: Evidence): Outcome {
  if (exit.refusal !== undefined) return { ...seen, ...refusedStart(exit.refusal, chatter.stderrTail) };
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
      message: `exit 0 without an answer${whatWasSeen(chatter)}`,
    };
  }
  // The wrapper runs before the program and is replaced by it, so its own message is all there is.
  const notExecuted = /^prlimit: failed to execute (.*)\n$/.exec(chatter.stderrTail)?.[1];
  if (notExecuted !== undefined) return { ...seen, ...notExecutable(notExecuted) };
  const why = informativeLine(chatter.stderrTail);
  const detail = why === "" ? whatWasSeen(chatter) : `: ${why}`;
  return {
    ...seen,
    status: "failed",
    cause: "crash",
    message: `${describeExit(exit)} without an answer${detail}`,
    ...statusCode(exit.code),
  };
}

function notExecutable(why: string): RefusedStart {
  return { status: "failed", cause: "spawn-failed", message: `it cannot be executed: ${why}` };
}

/** When a start failed, only the sandbox has written anything, so its output can be trusted. */
function refusedStart(refusal: string, stderrTail: string): RefusedStart {
  const notExecuted = /^bwrap: execvp (.*)/m.exec(stderrTail)?.[1];
  if (notExecuted !== undefined) return notExecutable(notExecuted);
  const why = informativeLine(stderrTail);
  const message = why === "" ? refusal : `${refusal}: ${why}`;
  return { status: "invalid", cause: "sandbox-refused", message };
}

/** Nine times in ten a missing answer is an answer in the wrong shape: say which. */
function whatWasSeen({ stray }: Chatter): string {
  if (stray.length === 0) return "; nothing was written to stdout";
  const kinds = [...new Set(stray.map(({ what }) => what))].join(", ");
  return `; stdout had ${kinds}: ${shorten(stray[0]?.text ?? "", 200)}`;
}
