import { expect, test } from "vitest";
import { sampleCell, sampleScorer, sampleTask, sleeplessClock } from "../../test/sample-cell.ts";
import { sampleSuite } from "../../test/sample-suite.ts";
import type { HarnessFault, SkillFault } from "../contract/cause.ts";
import type { CellName, RunEvent } from "../contract/event.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Failed, Outcome } from "../contract/outcome.ts";
import type { Attempt, CellResult } from "../contract/result.ts";
import type { Scorer } from "../contract/scorer.ts";
import type { Emit } from "./emit.ts";
import { Interrupted } from "./interrupted.ts";
import { type CellContext, runCell } from "./run-cell.ts";
import { watchInputs } from "./run-inputs.ts";
import { watchSpending } from "./spending.ts";

const answered: Outcome = { status: "answered", output: 42, latencyMs: 5 };
const wrong: Outcome = { status: "answered", output: 41, latencyMs: 5 };
const timedOut: Outcome = { status: "timed-out", latencyMs: 1000, message: "no answer within 1000 ms" };

function failed(cause: SkillFault, changes: Partial<Failed> = {}): Outcome {
  return { status: "failed", cause, message: `it was ${cause}`, latencyMs: 7, ...changes };
}

function invalid(cause: HarnessFault): Outcome {
  return { status: "invalid", cause, message: `it was ${cause}`, latencyMs: 0 };
}

/** An emitter that adds every event to a list. */
function emitTo(events: RunEvent[]): Emit {
  const onEvent = (event: RunEvent) => void events.push(event);
  return Object.assign(onEvent, {
    begin: async (event: RunEvent) => onEvent(event),
    ended(cell: CellName, result: CellResult | Promise<CellResult>) {
      if (result instanceof Promise) throw new Error("nothing is watched here");
      onEvent({ type: "cell-ended", cell, result });
    },
    settled: async () => {},
  });
}

/** A context without randomness and listeners, in which cells are executed like this. */
function quietContext(execute: SuiteRun["execute"], retries = 2): Omit<CellContext, "emit"> {
  return {
    suite: sampleSuite({}, { retries, execute }),
    redact: (value) => value,
    clock: sleeplessClock(),
    steadyNow: () => 0,
    random: () => 0,
    signal: new AbortController().signal,
    earlierAttempts: null,
    watch: watchInputs(),
    spending: watchSpending(null),
  };
}

/** Runs one cell whose attempts end like this, one after the other; the last one repeats. */
async function runThrough(
  outcomes: Outcome[],
  { execute, retries, ...changes }: Partial<CellContext & Pick<SuiteRun, "execute" | "retries">> = {},
) {
  const events: RunEvent[] = [];
  const clock = sleeplessClock();
  let calls = 0;
  const next = async () => outcomes[Math.min(calls++, outcomes.length - 1)] as Outcome;
  const context: CellContext = {
    ...quietContext(execute ?? next, retries),
    clock,
    steadyNow: () => 1_000_000 + clock.monotonic(),
    emit: emitTo(events),
    ...changes,
  };
  await runCell(sampleCell(), context);
  const end = events.at(-1);
  if (end?.type !== "cell-ended") throw new Error("the cell did not end");
  return { events, result: end.result, attempts: end.result.attempts, calls, slept: clock.slept };
}

const retried: SkillFault[] = [
  "spawn-failed",
  "crash",
  "no-response",
  "connection",
  "http-status",
  "rpc-error",
  "tool-error",
  "module-error",
  "tool-crashed",
];
const final: SkillFault[] = [
  "bad-response",
  "redirect-refused",
  "tool-missing",
  "tool-failed",
  "bad-arguments",
  "bad-result",
  "result-too-large",
  "output-limit",
  "memory-limit",
  "cpu-limit",
  "process-limit",
  "disk-limit",
];
const harness: HarnessFault[] = [
  "judge-unavailable",
  "judge-unparseable",
  "scorer-crashed",
  "scorer-timeout",
  "scorer-bad-result",
  "sandbox-refused",
  "skill-changed",
  "contaminated",
];

test.each(retried)("%s is tried again, and a later answer counts", async (cause) => {
  const { result, calls } = await runThrough([failed(cause), answered]);

  expect(calls).toBe(2);
  expect(result).toMatchObject({ status: "pass", score: 1, cause: null });
});

test("a deadline is tried again", async () => {
  const { result, calls } = await runThrough([timedOut, answered]);

  expect(calls).toBe(2);
  expect(result.status).toBe("pass");
});

test.each(final)("%s is final", async (cause) => {
  const { result, calls, slept } = await runThrough([failed(cause), answered]);

  expect({ calls, slept }).toEqual({ calls: 1, slept: [] });
  expect(result).toMatchObject({ status: "error", score: 0, cause, reason: `it was ${cause}` });
});

test.each(harness)("%s is final and gives no score", async (cause) => {
  const { result, calls } = await runThrough([invalid(cause), answered]);

  expect(calls).toBe(1);
  expect(result).toMatchObject({ status: "invalid", score: null, cause, reason: `it was ${cause}` });
});

test("a wrong answer is never tried again", async () => {
  const { result, calls } = await runThrough([wrong, answered]);

  expect(calls).toBe(1);
  expect(result).toMatchObject({ status: "fail", score: 0, reason: "not 42" });
});

test("without retries there is one attempt", async () => {
  const { calls, slept } = await runThrough([failed("crash")], { retries: 0 });

  expect({ calls, slept }).toEqual({ calls: 1, slept: [] });
});

test("retries are counted: the first try and as many again", async () => {
  const { calls, attempts } = await runThrough([failed("crash")], { retries: 20 });

  expect(calls).toBe(21);
  expect(attempts).toHaveLength(21);
});

test("every attempt is recorded, and the last one decides status and latency", async () => {
  const { result } = await runThrough([
    failed("crash", { latencyMs: 38.12345 }),
    timedOut,
    failed("connection"),
  ]);

  expect(result).toMatchObject({
    status: "error",
    latencyMs: 7,
    cause: "connection",
    reason: "it was connection",
  });
  expect(result.attempts).toEqual([
    { n: 1, status: "error", code: "crash", latencyMs: 38.123, message: "it was crash" },
    { n: 2, status: "timeout", code: "deadline", latencyMs: 1000, message: "no answer within 1000 ms" },
    { n: 3, status: "error", code: "connection", latencyMs: 7, message: "it was connection" },
  ]);
});

test("pauses double from 250 ms and never pass 30 s", async () => {
  const { slept } = await runThrough([failed("crash")], { retries: 9 });

  expect(slept).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test("chance lengthens a pause by up to half, within the same 30 s", async () => {
  const { slept } = await runThrough([failed("crash")], { retries: 8, random: () => 0.999 });

  for (const [index, pause] of slept.entries()) {
    const least = 250 * 2 ** index;
    expect(pause).toBeGreaterThanOrEqual(Math.min(30_000, least));
    expect(pause).toBeLessThanOrEqual(Math.min(30_000, least * 1.5));
  }
  expect(slept[0]).toBeCloseTo(250 * 1.4995);
});

test("a skill that asks for a pause gets exactly that one, without chance", async () => {
  const { slept } = await runThrough([failed("http-status", { retryAfterMs: 2000 }), failed("crash")], {
    random: () => 0.5,
  });

  expect(slept).toEqual([2000, 625]);
});

test.each([
  ["none at all", 0, [0]],
  ["a time in the past", -5000, [0]],
  ["a minute", 60_000, [60_000]],
])("a demand for %s is honoured without going back in time", async (_, retryAfterMs, pauses) => {
  const { slept } = await runThrough([failed("http-status", { retryAfterMs }), answered]);

  expect(slept).toEqual(pauses);
});

test.each([60_001, 1e12, Number.POSITIVE_INFINITY])(
  "a demand for %d ms ends the retries",
  async (retryAfterMs) => {
    const { calls, slept, result } = await runThrough([failed("http-status", { retryAfterMs }), answered]);

    expect({ calls, slept }).toEqual({ calls: 1, slept: [] });
    expect(result).toMatchObject({ status: "error", cause: "http-status" });
  },
);

test("an outcome that calls itself final is final, whatever its cause allows", async () => {
  const { calls } = await runThrough([failed("http-status", { isFinal: true }), answered]);

  expect(calls).toBe(1);
});

test("events come in the order things happened", async () => {
  const { events } = await runThrough([failed("crash", { stderrTail: "boom", stray: ["hm"] }), answered]);

  expect(events.map(({ type }) => type)).toEqual([
    "attempt-started",
    "attempt-ended",
    "attempt-started",
    "attempt-ended",
    "cell-ended",
  ]);
  expect(events[1]).toMatchObject({ attempt: { n: 1, code: "crash" }, stderrTail: "boom", stray: ["hm"] });
});

test("an attempt is reported with the cell's name and the time it began", async () => {
  const { events } = await runThrough([failed("crash"), answered]);

  expect(events[2]).toEqual({
    type: "attempt-started",
    cell: {
      key: "sha256:cell",
      position: 0,
      level: "unit",
      suite: "bench",
      subject: "calc",
      caseId: "t1",
      trial: 1,
    },
    attempt: 2,
    at: "2026-03-01T07:00:00.250Z",
  });
});

test("the deciding attempt says when it began", async () => {
  const { result } = await runThrough([failed("crash"), answered]);

  expect(result.beganAtMs).toBe(1_000_250);
});

test("numbers go on after the attempts of an earlier part of the run, and the retries start anew", async () => {
  const earlier: Attempt = { n: 3, status: "interrupted", code: null, latencyMs: 0, message: "stopped" };

  const { attempts, calls, slept } = await runThrough([failed("crash")], {
    earlierAttempts: async () => [earlier],
  });

  expect(calls).toBe(3);
  expect(attempts.map(({ n, status }) => [n, status])).toEqual([
    [3, "interrupted"],
    [4, "error"],
    [5, "error"],
    [6, "error"],
  ]);
  expect(slept).toEqual([250, 500]);
});

test("an interruption before the first attempt starts nothing", async () => {
  const stop = new AbortController();
  stop.abort(new Interrupted("SIGINT"));
  let calls = 0;
  const execute = async () => {
    calls++;
    return answered;
  };

  await expect(runThrough([], { execute, signal: stop.signal })).rejects.toBeInstanceOf(Interrupted);

  expect(calls).toBe(0);
});

test("an interruption during a pause ends the pause, and no further attempt begins", async () => {
  const stop = new AbortController();
  let calls = 0;
  const execute = async () => {
    calls++;
    stop.abort(new Interrupted("SIGTERM"));
    return failed("crash");
  };

  await expect(runThrough([], { execute, signal: stop.signal })).rejects.toMatchObject({ signal: "SIGTERM" });

  expect(calls).toBe(1);
});

test("an answer that arrived before the interruption is stored", async () => {
  const stop = new AbortController();
  const execute = async () => {
    stop.abort(new Interrupted("SIGINT"));
    return answered;
  };

  const { result } = await runThrough([], { execute, signal: stop.signal });

  expect(result.status).toBe("pass");
});

test.each(["before", "while"])("an interruption %s a scorer hangs is not held up by it", async (when) => {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Interrupted("SIGINT"));
  const scorer: Scorer = {
    ...sampleScorer,
    score() {
      if (when === "while") setImmediate(interrupt);
      return new Promise(() => {});
    },
  };
  const execute = async () => {
    if (when === "before") interrupt();
    return answered;
  };
  const cell = sampleCell({ case: sampleTask({}, { scorer }) });

  const run = runCell(cell, { ...quietContext(execute), emit: emitTo([]), signal: stop.signal });

  await expect(run).rejects.toBeInstanceOf(Interrupted);
});

test("a wall clock that jumps an hour moves no pause and no begin", async () => {
  const clock = sleeplessClock();
  let jumpMs = 0;
  const jumping = { ...clock, now: () => clock.now() + jumpMs };
  const execute = async () => {
    jumpMs = jumpMs === 0 ? 3_600_000 : -3_600_000;
    return failed("crash");
  };

  const { result } = await runThrough([], { execute, clock: jumping, steadyNow: () => clock.monotonic() });

  expect(clock.slept).toEqual([250, 500]);
  expect(result.beganAtMs).toBe(750);
});

test("an attempt begins only when its beginning is on record", async () => {
  const order: string[] = [];
  const voice = emitTo([]);
  const emit: Emit = Object.assign((event: Parameters<Emit>[0]) => voice(event), {
    async begin() {
      await new Promise(setImmediate);
      order.push("on record");
    },
    ended: voice.ended,
    settled: voice.settled,
  });
  const execute = async () => {
    order.push("executed");
    return answered;
  };

  await runCell(sampleCell(), { ...quietContext(execute), emit });

  expect(order).toEqual(["on record", "executed"]);
});

test("an attempt whose beginning cannot be recorded is not made", async () => {
  const failure = new Error("disk full");
  let calls = 0;
  const emit: Emit = Object.assign(() => {}, {
    begin: () => Promise.reject(failure),
    ended: () => {},
    settled: async () => {},
  });
  const execute = async () => {
    calls++;
    return answered;
  };

  await expect(runCell(sampleCell(), { ...quietContext(execute), emit })).rejects.toBe(failure);

  expect(calls).toBe(0);
});

test("tags and weight of the task go along with the result", async () => {
  const events: RunEvent[] = [];
  const cell = sampleCell({ case: sampleTask({ tags: ["math"], weight: 2 }), trial: 3 });

  await runCell(cell, { ...quietContext(async () => answered), emit: emitTo(events) });

  const details = { tags: ["math"], weight: 2, scorerType: "exact_match" };
  const result = { details, trial: 3, skillId: "calc", caseId: "t1", level: "unit", suite: "bench" };
  expect(events.at(-1)).toMatchObject({ type: "cell-ended", result });
});
