import type { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { Sandbox, SkillCommand, SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { StreamTail } from "../shared/text/bytes-to-text.ts";
import { informativeLine } from "../shared/text/informative-line.ts";

interface ScorerCall {
  argv: readonly [string, ...string[]];
  /** The folder of the suite: it may read everything there, the expectations too, which it is handed anyway. */
  cwd: string;
  reads: readonly string[];
  timeoutMs: number;
}

interface ScorerRun extends ScorerCall {
  sandbox: Sandbox;
  input: string;
  collector: ReplyCollector;
}

export type ScorerEnd =
  | { status: "replied"; text: string }
  | { status: "overran" }
  | { status: "refused"; message: string }
  | { status: "hindered"; message: string }
  | { status: "crashed"; message: string }
  | { status: "unreadable"; message: string };

/** Sends one question to a scorer's process. However it ends, nothing of the process is left. */
export async function runScorerProcess(run: ScorerRun): Promise<ScorerEnd> {
  const { sandbox } = run;
  const command = scorerCommand(run);
  const failed: Describe = (exit, stderr) => {
    const end = describeFailure(exit, stderr);
    const words = exit.refusal === undefined ? stderr : "";
    const hindrance = exit.limit === null ? sandbox.explain?.(command, { words }) : null;
    return hindrance ? { status: "hindered", message: `${hindrance.why} (${end.message})` } : end;
  };
  const scorer = sandbox.start(command);
  try {
    scorer.stdin.on("error", () => {}); // a scorer may exit without reading; its exit code is enough
    scorer.stdout.on("error", () => {});
    scorer.stderr.on("error", () => {});
    const problem = await scorer.started.catch((error: Error) => error);
    if (problem === undefined) return await waitForReply(scorer, run, failed);
    const exit = await scorer.exited;
    if (exit.refusal !== undefined) return failed(exit, "");
    return { status: "crashed", message: `the scorer could not be started: ${problem.message}` };
  } finally {
    await scorer.kill();
  }
}

export function scorerCommand({ argv, cwd, reads, timeoutMs }: ScorerCall): SkillCommand {
  return {
    ...{ argv, cwd, folder: cwd, reads, env: {} },
    seesEvalMaterial: true,
    deadlineMs: timeoutMs,
  };
}

/** Says how it failed. */
type Describe = (exit: SkillExit, stderr: string) => ScorerEnd;

function waitForReply(
  scorer: SkillProcess,
  { collector, input, timeoutMs }: ScorerRun,
  failed: Describe,
): Promise<ScorerEnd> {
  return new Promise((resolve, reject) => {
    let bytesSeen = 0;
    const stderr = new StreamTail(tailBytes);
    scorer.stderr.on("data", (chunk: Buffer) => stderr.take(chunk));
    const end = (how: ScorerEnd) => {
      clearTimeout(timer);
      resolve(how);
    };
    // A busy loop of ours may see the deadline before a reply that is already here: look once more, then end.
    const timer = setTimeout(() => {
      turn()
        .then(() => turn())
        .then(() => end({ status: "overran" }), reject);
    }, timeoutMs);
    scorer.stdout.on("data", (chunk: Buffer) => {
      bytesSeen += chunk.length;
      const state = collector.take(chunk);
      if (state === "complete") end(decode(collector.reply()));
      if (state === "too-long")
        end({ status: "unreadable", message: `the scorer's output is longer than ${maxReplyBytes} bytes` });
    });
    scorer.exited
      .then(async (exit) => {
        await drained(scorer.stdout, () => bytesSeen);
        end(exit.code === 0 ? decode(collector.reply()) : failed(exit, stderr.text()));
      })
      .catch(reject);
    scorer.stdin.end(input);
  });
}

/**
 * Settles when all that was written before the exit is read: at the end of the stream, or when a whole turn of the
 * loop brings nothing, since something the scorer left behind may hold the pipe open.
 */
async function drained(stream: Readable, bytesSeen: () => number): Promise<void> {
  for (let before = -1; before !== bytesSeen() && !stream.readableEnded && !stream.destroyed; ) {
    before = bytesSeen();
    await turn();
    await turn();
  }
}

function decode(reply: Buffer | null): ScorerEnd {
  if (reply === null)
    return { status: "crashed", message: "the scorer exited with code 0 before it answered" };
  try {
    return { status: "replied", text: new TextDecoder("utf-8", { fatal: true }).decode(reply) };
  } catch {
    return { status: "unreadable", message: "the scorer's output is not UTF-8" };
  }
}

function describeFailure(
  { code, signal, limit, refusal }: SkillExit,
  stderr: string,
): ScorerEnd & { message: string } {
  const why = informativeLine(stderr);
  const words = (how: string) => (why === "" ? how : `${how}: ${why}`);
  if (refusal !== undefined) return { status: "refused", message: words(refusal) };
  const how = limit ?? (signal === null ? `code ${code}` : signal);
  return { status: "crashed", message: words(`the scorer exited with ${how}`) };
}

const tailBytes = 4096;

/** Gathers a scorer's reply from its stdout, and holds no more of it than a reply may have. */
interface ReplyCollector {
  /** `complete` ends the reading at once; `too-long` as well. */
  take(chunk: Buffer): "more" | "complete" | "too-long";
  /** The reply when the process has ended; null when there was none. */
  reply(): Buffer | null;
}

const maxReplyBytes = 64 * 1024;

/** The reply is everything on stdout. */
export function wholeReply(): ReplyCollector {
  let bytes = Buffer.alloc(0);
  return {
    take(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
      return bytes.length > maxReplyBytes ? "too-long" : "more";
    },
    reply: () => bytes,
  };
}

/** The reply is the rest of the line after the first nonce; other output is ignored. */
export function replyAfter(nonce: string): ReplyCollector {
  let isFound = false;
  let isComplete = false;
  let bytes = Buffer.alloc(0);
  return {
    take(chunk) {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isFound) {
        const at = bytes.indexOf(nonce);
        isFound = at !== -1;
        bytes = isFound ? bytes.subarray(at + nonce.length) : bytes.subarray(1 - nonce.length);
      }
      if (!isFound) return "more";
      const end = bytes.indexOf("\n");
      isComplete = end !== -1;
      if (isComplete) bytes = bytes.subarray(0, end);
      if (bytes.length > maxReplyBytes) return "too-long";
      return isComplete ? "complete" : "more";
    },
    reply: () => (isComplete ? bytes : null),
  };
}
