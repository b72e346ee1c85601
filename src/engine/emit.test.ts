import { expect, test } from "vitest";
import type { RunEvent } from "../contract/event.ts";
import type { CellResult } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import { redactor } from "../shared/text/redact.ts";
import { sampleResult } from "../store/samples.ts";
import { createEmitter, type EmitterOptions } from "./emit.ts";

const cell = {
  key: "sha256:cell",
  position: 3,
  level: "unit",
  suite: "bench",
  subject: "skill",
  caseId: "a",
  trial: 1,
};
const ended = { type: "cell-ended", cell, result: sampleResult() } as const;
const started = { type: "attempt-started", cell, attempt: 1, at: "2026-03-01T07:00:00.000Z" } as const;
const warning = { type: "warning", message: "careful" } as const;

/** A store that writes on demand. */
function patientStore() {
  const stored: CellResult[] = [];
  const attempts: number[] = [];
  let finish: (() => void)[] = [];
  const store = {
    async attemptStarted(_: string, __: unknown, attempt: number) {
      attempts.push(attempt);
    },
    flush: () => {},
    cellEnded: (_: string, __: number, result: CellResult) =>
      new Promise<void>((done) => {
        stored.push(result);
        finish.push(done);
      }),
  } as unknown as Store;
  const write = () => {
    for (const done of finish) done();
    finish = [];
  };
  return { store, stored, attempts, write };
}

function makeEmitter(changes: Partial<EmitterOptions> = {}) {
  const events: RunEvent[] = [];
  const folded: RunEvent[] = [];
  const stops: unknown[] = [];
  const emit = createEmitter({
    runId: "r1",
    store: patientStore().store,
    log: { append: async () => {}, flush: () => {} },
    fold: (event) => void folded.push(event),
    listeners: [(event) => void events.push(event)],
    redact: (value) => value,
    stop: (error) => void stops.push(error),
    ...changes,
  });
  return { emit, events, folded, stops };
}

test("an ended cell is emitted only when the store has it on the disk", async () => {
  const { store, write } = patientStore();
  const { emit, events, folded } = makeEmitter({ store });

  emit.ended(cell, ended.result);
  await Promise.resolve();
  expect({ events, folded }).toEqual({ events: [], folded: [] });

  write();
  await emit.settled();
  expect(events).toEqual([ended]);
  expect(folded).toEqual([ended]);
});

test("an ended cell is emitted only when its line is in the log", async () => {
  const { store, write } = patientStore();
  let written = () => {};
  const append = () =>
    new Promise<void>((done) => {
      written = done;
    });
  const { emit, events } = makeEmitter({ store, log: { append, flush: () => {} } });

  emit.ended(cell, ended.result);
  write();
  await new Promise(setImmediate);
  expect(events).toEqual([]);

  written();
  await emit.settled();
  expect(events).toEqual([ended]);
});

test("a started attempt is in the store before any listener is called", async () => {
  const { store, attempts } = patientStore();
  const order: string[] = [];
  const { emit } = makeEmitter({
    store,
    listeners: [() => void order.push(`called with ${attempts.length} stored`)],
  });

  await emit.begin(started);

  expect(order).toEqual(["called with 1 stored"]);
});

test("a listener that throws is dropped, and the others get every event", async () => {
  const first: string[] = [];
  const last: string[] = [];
  const { emit, stops } = makeEmitter({
    listeners: [
      ({ type }) => {
        first.push(type);
        throw new Error("bad listener");
      },
      ({ type }) => void last.push(type),
    ],
  });

  emit(warning);
  await emit.begin(started);

  expect(first).toEqual(["warning"]);
  expect(last).toEqual(["warning", "attempt-started"]);
  expect(stops).toEqual([]);
});

test("a result the store cannot keep stops the run with that error, and no listener is called", async () => {
  const failure = new Error("disk full");
  const store = { cellEnded: () => Promise.reject(failure), flush: () => {} } as unknown as Store;
  const { emit, events, stops } = makeEmitter({ store });

  emit.ended(cell, ended.result);

  await expect(emit.settled()).rejects.toBe(failure);
  expect(stops).toEqual([failure]);
  expect(events).toEqual([]);
});

test("a line the log cannot keep stops the run with that error", async () => {
  const { store, write } = patientStore();
  const failure = new Error("no space left");
  const { emit, events, stops } = makeEmitter({
    store,
    log: { append: () => Promise.reject(failure), flush: () => {} },
  });

  emit.ended(cell, ended.result);
  write();

  await expect(emit.settled()).rejects.toBe(failure);
  expect(stops).toEqual([failure]);
  expect(events).toEqual([]);
});

test("an attempt the store cannot note stops the run: the other cells are not waited for", async () => {
  const failure = new Error("database is locked");
  const store = {
    attemptStarted: () => Promise.reject(failure),
    flush: () => {},
  } as unknown as Store;
  const { emit, events, stops } = makeEmitter({ store });

  await expect(emit.begin(started)).rejects.toBe(failure);

  expect(stops).toEqual([failure]);
  expect(events).toEqual([]);
  await expect(emit.settled()).rejects.toBe(failure);
});

test("a count that fails stops the run: no report may lack a cell in silence", async () => {
  const { store, write } = patientStore();
  const failure = new Error("cannot count");
  const { emit, stops } = makeEmitter({
    store,
    fold: () => {
      throw failure;
    },
  });

  emit.ended(cell, ended.result);
  write();

  await expect(emit.settled()).rejects.toBe(failure);
  expect(stops).toEqual([failure]);
});

test("the first failure is the one that is reported", async () => {
  let n = 0;
  const store = {
    cellEnded: () => Promise.reject(new Error(`failure ${++n}`)),
    flush: () => {},
  } as unknown as Store;
  const { emit } = makeEmitter({ store });

  emit.ended(cell, ended.result);
  emit.ended(cell, ended.result);

  await expect(emit.settled()).rejects.toThrow("failure 1");
});

test("secrets are gone before the store, the log and the listeners get to see them", async () => {
  const { store, stored, write } = patientStore();
  const logged: CellResult[] = [];
  const secret = "hunter2-hunter2";
  const { emit, events } = makeEmitter({
    store,
    log: { append: async (result) => void logged.push(result), flush: () => {} },
    redact: redactor([secret]),
  });
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: secret } as const;

  emit({ type: "attempt-ended", cell, attempt, stderrTail: `key=${secret}` });
  emit({ type: "warning", message: `saw ${secret}` });
  const secrets = { output: { [secret]: secret }, reason: secret, attempts: [attempt], stderrTail: secret };
  const judged: Partial<CellResult> = { details: { said: [secret] }, warnings: [secret], cause: "crash" };
  emit.ended(cell, sampleResult({ ...secrets, ...judged }));
  write();
  await emit.settled();

  expect(stored).toHaveLength(1);
  expect(logged).toHaveLength(1);
  expect(events).toHaveLength(3);
  expect(JSON.stringify([stored, logged, events])).not.toContain(secret);
  expect(JSON.stringify(stored)).toContain("[redacted]");
});

test("settled waits for everything emitted so far", async () => {
  const { store, write } = patientStore();
  const { emit, events } = makeEmitter({ store });
  for (let n = 0; n < 50; n++) emit.ended(cell, ended.result);

  setImmediate(write);
  await emit.settled();

  expect(events).toHaveLength(50);
});

test("settled asks for what was gathered to be written now", async () => {
  const { store, write } = patientStore();
  let logFlushes = 0;
  const { emit, events } = makeEmitter({
    store: { ...store, flush: write },
    log: { append: async () => {}, flush: () => void logFlushes++ },
  });

  emit.ended(cell, ended.result);
  await emit.settled();

  expect(events).toEqual([ended]);
  expect(logFlushes).toBe(1);
});

test("names the user gave to cases, suites, models and tags stay as they are, even where they look like a secret", async () => {
  const { store, stored, write } = patientStore();
  const secret = "us-east-1";
  const { emit, events, folded } = makeEmitter({ store, redact: redactor([secret]) });
  const names = {
    caseId: `${secret} via ftp://me@host`,
    skillId: "skill",
    level: secret,
    suite: secret,
    model: secret,
    arm: secret,
    details: { tags: [secret] },
  };
  const named = { ...cell, caseId: names.caseId };
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: secret } as const;

  emit({ type: "attempt-ended", cell: named, attempt });
  emit.ended(named, sampleResult({ ...names, reason: secret }));
  write();
  await emit.settled();

  expect(stored).toMatchObject([{ ...names, reason: "[redacted]" }]);
  expect(folded).toMatchObject([{ result: names }]);
  expect(events).toMatchObject([{ cell: named, attempt: { message: "[redacted]" } }, { cell: named }]);
});
