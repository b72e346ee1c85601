import type { CauseCode } from "../contract/cause.ts";
import type { Adapter, Outcome } from "../contract/outcome.ts";
import type { Sandbox, SkillCommand } from "../contract/sandbox.ts";

type Command = Omit<SkillCommand, "deadlineMs">;

/** Calls a skill that may fail for want of something that the sandbox hides: that says nothing about the skill. */
export function withHiddenCause(adapter: Adapter, sandbox: Sandbox, command: Command): Adapter {
  return {
    call: async (input, limits) => unlessHidden(await adapter.call(input, limits), sandbox, command),
    [Symbol.asyncDispose]: () => adapter[Symbol.asyncDispose](),
  };
}

/** The same outcome, or that the sandbox is to blame for it. `said` is what the program said, where the message leaves something out. */
export function unlessHidden(outcome: Outcome, sandbox: Sandbox, command: Command, said = ""): Outcome {
  if (outcome.status === "answered" || !mayLackSomething(outcome)) return outcome;
  const { message, network, stderrTail, latencyMs, startupMs, usage, warnings, stray } = outcome;
  // What the sandbox says about its own failures names its own paths.
  const words = outcome.status === "invalid" ? "" : [stderrTail, said, message].join("\n");
  const hindrance = sandbox.explain?.({ ...command, deadlineMs: null }, { words, network }) ?? null;
  if (hindrance === null) return outcome;
  if (hindrance.isChosen) return { ...outcome, message: `${message} (${hindrance.why})` };
  return {
    ...{ latencyMs, startupMs, usage, warnings, stray, network, stderrTail },
    status: "invalid",
    cause: "sandbox-hid",
    message: `${hindrance.why} (${message})`,
  };
}

/** Not those that passed a limit, or that were never asked: they have their reason. */
const failuresForWant: ReadonlySet<CauseCode> = new Set([
  "spawn-failed",
  "crash",
  "no-response",
  "bad-response",
  "rpc-error",
  "tool-error",
  "module-error",
  "tool-failed",
  "tool-crashed",
  "sandbox-refused",
] as const);

function mayLackSomething(outcome: Exclude<Outcome, { status: "answered" }>): boolean {
  return outcome.status === "timed-out" || failuresForWant.has(outcome.cause);
}
