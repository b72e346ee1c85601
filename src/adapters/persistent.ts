import type { Adapter, CallLimits, Evidence, Outcome } from "../contract/outcome.ts";
import type { SkillExit } from "../contract/sandbox.ts";
import { withinMs } from "../shared/async/abort.ts";
import { systemClock } from "../shared/async/clock.ts";
import type { Json } from "../shared/json/json.ts";
import { ProcessSession } from "./process-session.ts";
import { farewellMs, type Protocol, plainProtocol, type SubprocessOptions } from "./subprocess.ts";

const longestStartMs = 10_000;

interface StartUp {
  startupMs?: number;
  /** How much of the deadline the start took. */
  lostMs: number;
}

interface Worker {
  session: ProcessSession;
  exit: SkillExit | null;
}

/** Processes that stay and serve one request at a time: as many as there are calls at once, started when first needed. */
export function persistentAdapter(
  { sandbox, clock = systemClock, maxOutputBytes, ...command }: SubprocessOptions,
  protocol: Protocol = plainProtocol,
): Adapter {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  let calls = 0;

  function startWorker(): Worker {
    const worker: Worker = {
      session: new ProcessSession(
        sandbox.start({ ...command, deadlineMs: null }),
        maxOutputBytes,
        protocol.openCodec(),
      ),
      exit: null,
    };
    all.add(worker);
    void worker.session.process.exited.then((exit) => {
      worker.exit = exit;
      all.delete(worker);
    });
    return worker;
  }

  /** An idle process that is still there, or a new one. */
  function takeWorker(): { worker: Worker; isNew: boolean } {
    for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) {
      if (worker.exit === null) return { worker, isNew: false };
    }
    return { worker: startWorker(), isNew: true };
  }

  async function startUp({ session }: Worker, { deadlineMs, signal }: CallLimits): Promise<StartUp> {
    const began = clock.monotonic();
    const limitMs = Math.min(longestStartMs, deadlineMs / 2);
    const isReady = await withinMs(session.process.waitsForInput(limitMs), limitMs + 1000, signal);
    const startupMs = clock.monotonic() - began;
    // Not seen ready: it may be starting still or hang. The deadline then counts from its start, so that a hang ends on time.
    return { startupMs, lostMs: isReady ? 0 : startupMs };
  }

  async function call(input: Json, limits: CallLimits): Promise<Outcome> {
    const { deadlineMs, signal } = limits;
    signal.throwIfAborted();
    const { worker, isNew } = takeWorker();
    let isReusable = false;
    try {
      const { startupMs, lostMs }: StartUp = isNew ? await startUp(worker, limits) : { lostMs: 0 };
      const began = clock.monotonic();
      const reply = await worker.session.ask({
        id: ++calls,
        input,
        deadlineMs: deadlineMs - lostMs,
        signal,
        isLast: false,
      });
      const evidence: Evidence = { latencyMs: clock.monotonic() - began, startupMs };
      isReusable = protocol.staysAfter(reply);
      if (reply.kind === "silent" && protocol.overdueMs > 0)
        await withinMs(worker.session.process.exited, protocol.overdueMs, signal);
      // What was written to stderr before the answer may be read only after it.
      await new Promise(setImmediate);
      return protocol.toOutcome(reply, worker.session.takeChatter(), evidence, deadlineMs);
    } finally {
      if (isReusable) idle.push(worker);
      else await worker.session.process.kill();
    }
  }

  async function close(): Promise<void> {
    await Promise.all(
      [...all].map(async ({ session: { process } }) => {
        process.stdin.end();
        if ((await withinMs(process.exited, farewellMs)) === null) await process.terminate();
      }),
    );
  }

  return { call, [Symbol.asyncDispose]: close };
}
