import type { Adapter, CallLimits, Outcome } from "../contract/outcome.ts";
import type { Sandbox, SkillCommand, SkillProcess } from "../contract/sandbox.ts";
import { withinMs } from "../shared/async/abort.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import type { Json } from "../shared/json/json.ts";
import { describeExit } from "./answers.ts";
import { describeReply } from "./describe-reply.ts";
import { type Codec, rpcCodec } from "./json-rpc.ts";
import { ProcessSession, type Reply } from "./process-session.ts";

export interface SubprocessOptions extends Omit<SkillCommand, "deadlineMs"> {
  maxOutputBytes: number;
  sandbox: Sandbox;
  clock?: Clock;
}

/** How long a process may take to end once it has nothing more to do. */
export const farewellMs = 2000;

/** A fresh process for every call: nothing is carried over from one cell to the next. */
export function perCallAdapter(
  { sandbox, clock = systemClock, maxOutputBytes, ...command }: SubprocessOptions,
  protocol: Pick<Protocol, "openCodec" | "toOutcome"> = plainProtocol,
): Adapter {
  let calls = 0;

  async function call(input: Json, { deadlineMs, signal }: CallLimits): Promise<Outcome> {
    signal.throwIfAborted();
    const began = clock.monotonic();
    const skill = sandbox.start({ ...command, deadlineMs });
    const session = new ProcessSession(skill, maxOutputBytes, protocol.openCodec());
    try {
      const reply = await session.ask({ id: ++calls, input, deadlineMs, signal, isLast: true });
      const latencyMs = clock.monotonic() - began;
      const hasAnswered = reply.kind === "result" || reply.kind === "error" || reply.kind === "bad";
      const warnings = hasAnswered ? await sayFarewell(skill, signal) : [];
      const outcome = protocol.toOutcome(reply, session.takeChatter(), { latencyMs }, deadlineMs);
      return withWarnings(outcome, warnings);
    } finally {
      await endAtOnce(skill);
    }
  }

  return { call, [Symbol.asyncDispose]: async () => {} };
}

/** An answer is in; the process may take a moment to end, and an odd exit is worth a warning but not a failure. */
async function sayFarewell(skill: SkillProcess, signal: AbortSignal): Promise<string[]> {
  const exit = await withinMs(skill.exited, farewellMs, signal);
  if (signal.aborted) return []; // the answer counts; do not wait for the exit
  if (exit === null) return [`still running ${farewellMs} ms after its answer; ended`];
  if (exit.code === 0) return [];
  return [`answered, then ${describeExit(exit)}`];
}

/** Ends the tree, unless it ended by itself: then only the pipes are dropped. */
async function endAtOnce(skill: SkillProcess): Promise<void> {
  if ((await withinMs(skill.exited, 0)) === null) return skill.kill();
  skill.stdin.destroy();
  skill.stdout.destroy();
  skill.stderr.destroy();
}

function withWarnings(outcome: Outcome, warnings: readonly string[]): Outcome {
  return warnings.length === 0
    ? outcome
    : { ...outcome, warnings: [...(outcome.warnings ?? []), ...warnings] };
}

/** What differs between a program of the skill's author and our own program that runs their code. */
export interface Protocol {
  /** Called for every process, since a codec may hold the nonce of one process. */
  openCodec(): Codec;
  toOutcome: typeof describeReply;
  /** Whether a process that replied so is fit for the next request. */
  staysAfter(reply: Reply): boolean;
  /** How long a process that passed its deadline may tidy up before it is killed. */
  overdueMs: number;
}

export const plainProtocol: Protocol = {
  openCodec: () => rpcCodec,
  toOutcome: describeReply,
  staysAfter: ({ kind }) => kind === "result" || kind === "error",
  overdueMs: 0,
};
