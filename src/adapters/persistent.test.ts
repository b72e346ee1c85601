import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSkill, type SkillOptions, within } from "../../test/open-skill.ts";
import { isAlive } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Outcome } from "../contract/outcome.ts";

const patience = within(20_000);

function open(program: string, args: readonly string[] = [], options: SkillOptions = {}) {
  return openSkill(program, args, { ...options, lifecycle: "persistent" });
}

function outputOf(outcome: Outcome): number {
  expect(outcome).toMatchObject({ status: "answered" });
  return (outcome as { output: number }).output;
}

test("calls one after the other share one process", async () => {
  await using skill = await open("tells-pid.py");
  const pids = [];
  for (let round = 0; round < 5; round++) pids.push(outputOf(await skill.call(null, patience)));
  expect(new Set(pids).size).toBe(1);
  expect(skill.processes).toHaveLength(1);
});

test("calls at once have a process each, and later calls use these again", async () => {
  await using skill = await open("tells-pid.py");
  const callThree = () => Promise.all([1, 2, 3].map(() => skill.call(null, patience)));

  const first = (await callThree()).map(outputOf);
  const second = (await callThree()).map(outputOf);

  expect(new Set(first).size).toBe(3);
  expect(new Set([...first, ...second]).size).toBe(3);
  expect(skill.processes).toHaveLength(3);
});

test("nothing is started before the first call", async () => {
  await using skill = await open("tells-pid.py");
  expect(skill.processes).toHaveLength(0);
});

test("the call it dies in is a crash with its last words, and the next one gets a new process", async () => {
  await using skill = await open("tells-pid.py");
  const before = outputOf(await skill.call(null, patience));

  const crash = await skill.call("crash", patience);
  const after = outputOf(await skill.call(null, patience));

  expect(crash).toMatchObject({
    status: "failed",
    cause: "crash",
    message: "exit 3 without an answer: I was told to",
  });
  expect(after).not.toBe(before);
});

test("after a deadline it is killed and replaced", async () => {
  await using skill = await open("tells-pid.py");
  const before = outputOf(await skill.call(null, patience));

  const hang = await skill.call("hang", within(300));

  expect(hang).toMatchObject({ status: "timed-out", latencyMs: 300 });
  expect(isAlive(before)).toBe(false);
  expect(outputOf(await skill.call(null, patience))).not.toBe(before);
});

test("one that leaves after its answer is replaced, and nobody is blamed", async () => {
  await using skill = await open("tells-pid.py");
  const before = outputOf(await skill.call("exit", patience));
  await skill.processes[0]?.exited;

  const outcome = await skill.call(null, patience);

  expect(outputOf(outcome)).not.toBe(before);
  expect(outcome.startupMs).toBeGreaterThan(0);
});

test("fault row 26: an answer with an old id is dropped and kept as chatter of the call it came in", async () => {
  await using skill = await open("tells-pid.py");
  const pid = outputOf(await skill.call(null, patience));

  const next = await skill.call("repeat", patience);

  expect(next).toMatchObject({
    status: "answered",
    output: pid,
    stray: [expect.stringContaining('"id": 1')],
  });
  expect(skill.processes).toHaveLength(1);
});

test("fault row 26: a second answer is kept as chatter, and the next call is not confused by it", async () => {
  await using skill = await open("tells-pid.py");

  const outcomes = [await skill.call("stutter", patience), await skill.call(null, patience)];

  expect(outcomes.map(outputOf)).toHaveLength(2);
  // Which of the two calls it came in is up to the machine; lost it is never.
  expect(outcomes.flatMap(({ stray }) => stray ?? [])).toEqual([expect.stringContaining('"id": 1')]);
  expect(skill.processes).toHaveLength(1);
});

test("an error in an answer leaves the process in place", async () => {
  await using skill = await open("answers-with.py", [
    '{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"no"}}',
  ]);
  for (let round = 0; round < 3; round++) {
    expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "rpc-error" });
  }
  expect(skill.processes).toHaveLength(1);
});

test("after an answer that cannot be read the process is replaced", async () => {
  await using skill = await open("answers-with.py", ['{"jsonrpc":"2.0","id":ID,"result":NaN}']);
  for (let round = 0; round < 2; round++) {
    expect(await skill.call(null, patience)).toMatchObject({ status: "failed", cause: "bad-response" });
  }
  expect(skill.processes).toHaveLength(2);
});

test("each call has the whole output cap for itself", async () => {
  await using skill = await open("echo.py", [], { maxOutputBytes: 100_000 });
  for (let round = 0; round < 5; round++) {
    expect((await skill.call("x".repeat(60_000), patience)).status).toBe("answered");
  }
  expect(skill.processes).toHaveLength(1);
  expect(await skill.call("x".repeat(120_000), patience)).toMatchObject({ cause: "output-limit" });
});

test("one that dies before it reads is a crash at once, with its last words", async () => {
  await using skill = await open("dies-at-start.sh");
  for (let round = 0; round < 3; round++) {
    const began = performance.now();
    expect(await skill.call(null, patience)).toMatchObject({
      status: "failed",
      cause: "crash",
      message: "exit 7 without an answer: no such module: cheese",
    });
    expect(performance.now() - began).toBeLessThan(10_000);
  }
});

describe.concurrent("start-up", () => {
  for (const program of ["starts-slowly.sh", "starts-slowly.py", "starts-slowly.mjs"]) {
    test(`of ${program} is reported, and no part of the latency`, async () => {
      await using skill = await open(program);

      const began = performance.now();
      const first = await skill.call(null, patience);
      const tookMs = performance.now() - began;
      const second = await skill.call(null, patience);

      expect(first).toMatchObject({ status: "answered", output: "up" });
      const { startupMs = 0, latencyMs } = first;
      expect(startupMs).toBeGreaterThan(450);
      expect(startupMs + latencyMs).toBeLessThanOrEqual(tookMs);
      expect(second).toMatchObject({ status: "answered", output: "up" });
      expect(second.startupMs).toBeUndefined();
    });
  }

  test("that never ends is cut by the deadline, counted from the start", async () => {
    await using skill = await open("forever.sh");

    const began = performance.now();
    const outcome = await skill.call(null, within(1000));

    expect(outcome).toMatchObject({ status: "timed-out", latencyMs: 1000 });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("is left at once by an interruption", async () => {
    await using skill = await open("forever.sh");
    const reason = new Error("stop");

    const began = performance.now();
    const call = skill.call(null, { deadlineMs: 20_000, signal: AbortSignal.any([abortSoon(reason)]) });

    await expect(call).rejects.toBe(reason);
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test("what it said while starting belongs to the first call", async () => {
    await using skill = await open("tells-pid.py");
    expect((await skill.call(null, patience)).stderrTail).toBe("starting\n");
    expect((await skill.call(null, patience)).stderrTail).toBeUndefined();
  });
});

describe.concurrent("the end of a run", () => {
  async function endOf(...args: string[]) {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "words");
    const skill = await open("tells-signals.py", [file, ...args]);
    await skill.call(null, patience);
    const began = performance.now();
    await skill[Symbol.asyncDispose]();
    const tookMs = performance.now() - began;
    const exit = await skill.processes[0]?.exited;
    return { words: readFileSync(file, "utf8").trim().split("\n"), tookMs, exit };
  }

  test("its input ends first, and one that exits then is not hurried", async () => {
    const { words, exit } = await endOf();
    expect(words).toEqual(["eof"]);
    expect(exit).toMatchObject({ code: 0, signal: null });
  });

  test("after 2 s it gets SIGTERM", async () => {
    const { words, tookMs } = await endOf("stay");
    expect(words).toEqual(["eof", "term"]);
    expect(tookMs).toBeGreaterThan(1990);
  });

  test("fault row 12: one that ignores SIGTERM is killed after the grace", async () => {
    const { words, tookMs, exit } = await endOf("stay", "deaf");
    expect(words).toEqual(["eof", "term"]);
    expect(tookMs).toBeGreaterThan(2290);
    expect(exit).toMatchObject({ signal: "SIGKILL" });
  });
});

function abortSoon(reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 200);
  return controller.signal;
}
