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

/** A store that writes when it is told to. */
function patientStore() {
  const kept: CellResult[] = [];
  const attempts: number[] = [];
  let finish: (() => void)[] = [];
  const store = {
    async attemptStarted(_: string, __: unknown, attempt: number) {
      attempts.push(attempt);
    },
    flush: () => {},
    cellEnded: (_: string, __: number, result: CellResult) =>
      new Promise<void>((done) => {
        kept.push(result);
        finish.push(done);
      }),
  } as unknown as Store;
  const write = () => {
    for (const done of finish) done();
    finish = [];
  };
  return { store, kept, attempts, write };
}

function voice(changes: Partial<EmitterOptions> = {}) {
  const heard: RunEvent[] = [];
  const folded: RunEvent[] = [];
  const stops: unknown[] = [];
  const emit = createEmitter({
    runId: "r1",
    store: patientStore().store,
    log: { append: async () => {}, flush: () => {} },
    fold: (event) => void folded.push(event),
    listeners: [(event) => void heard.push(event)],
    redact: (value) => value,
    stop: (error) => void stops.push(error),
    ...changes,
  });
  return { emit, heard, folded, stops };
}

test("an ended cell is heard of only when the store has it on the disk", async () => {
  const { store, write } = patientStore();
  const { emit, heard, folded } = voice({ store });

  emit(ended);
  await Promise.resolve();
  expect({ heard, folded }).toEqual({ heard: [], folded: [] });

  write();
  await emit.settled();
  expect(heard).toEqual([ended]);
  expect(folded).toEqual([ended]);
});

test("an ended cell is heard of only when its line is in the log", async () => {
  const { store, write } = patientStore();
  let written = () => {};
  const append = () =>
    new Promise<void>((done) => {
      written = done;
    });
  const { emit, heard } = voice({ store, log: { append, flush: () => {} } });

  emit(ended);
  write();
  await new Promise(setImmediate);
  expect(heard).toEqual([]);

  written();
  await emit.settled();
  expect(heard).toEqual([ended]);
});

test("a started attempt is in the store before anyone hears of it", async () => {
  const { store, attempts } = patientStore();
  const order: string[] = [];
  const { emit } = voice({
    store,
    listeners: [() => void order.push(`heard with ${attempts.length} stored`)],
  });

  await emit.begin(started);

  expect(order).toEqual(["heard with 1 stored"]);
});

test("a listener that throws is dropped, and the others hear everything", async () => {
  const first: string[] = [];
  const last: string[] = [];
  const { emit, stops } = voice({
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

test("a result the store cannot keep stops the run with that error, and nobody hears of it", async () => {
  const failure = new Error("disk full");
  const store = { cellEnded: () => Promise.reject(failure), flush: () => {} } as unknown as Store;
  const { emit, heard, stops } = voice({ store });

  emit(ended);

  await expect(emit.settled()).rejects.toBe(failure);
  expect(stops).toEqual([failure]);
  expect(heard).toEqual([]);
});

test("a line the log cannot keep stops the run with that error", async () => {
  const { store, write } = patientStore();
  const failure = new Error("no space left");
  const { emit, heard, stops } = voice({
    store,
    log: { append: () => Promise.reject(failure), flush: () => {} },
  });

  emit(ended);
  write();

  await expect(emit.settled()).rejects.toBe(failure);
  expect(stops).toEqual([failure]);
  expect(heard).toEqual([]);
});

test("an attempt the store cannot note stops the run: the other cells are not waited for", async () => {
  const failure = new Error("database is locked");
  const store = {
    attemptStarted: () => Promise.reject(failure),
    flush: () => {},
  } as unknown as Store;
  const { emit, heard, stops } = voice({ store });

  await expect(emit.begin(started)).rejects.toBe(failure);

  expect(stops).toEqual([failure]);
  expect(heard).toEqual([]);
  await expect(emit.settled()).rejects.toBe(failure);
});

test("a count that fails stops the run: no report may lack a cell in silence", async () => {
  const { store, write } = patientStore();
  const failure = new Error("cannot count");
  const { emit, stops } = voice({
    store,
    fold: () => {
      throw failure;
    },
  });

  emit(ended);
  write();

  await expect(emit.settled()).rejects.toBe(failure);
  expect(stops).toEqual([failure]);
});

test("the first failure is the one that is told", async () => {
  let n = 0;
  const store = {
    cellEnded: () => Promise.reject(new Error(`failure ${++n}`)),
    flush: () => {},
  } as unknown as Store;
  const { emit } = voice({ store });

  emit(ended);
  emit(ended);

  await expect(emit.settled()).rejects.toThrow("failure 1");
});

test("secrets are gone before the store, the log and the listeners get to see them", async () => {
  const { store, kept, write } = patientStore();
  const logged: CellResult[] = [];
  const secret = "hunter2-hunter2";
  const { emit, heard } = voice({
    store,
    log: { append: async (result) => void logged.push(result), flush: () => {} },
    redact: redactor([secret]),
  });
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: secret } as const;

  emit({ type: "attempt-ended", cell, attempt, stderrTail: `key=${secret}` });
  emit({ type: "warning", message: `saw ${secret}` });
  const said = { output: { [secret]: secret }, reason: secret, attempts: [attempt], stderrTail: secret };
  const judged: Partial<CellResult> = { details: { said: [secret] }, warnings: [secret], cause: "crash" };
  emit({ type: "cell-ended", cell, result: sampleResult({ ...said, ...judged }) });
  write();
  await emit.settled();

  expect(kept).toHaveLength(1);
  expect(logged).toHaveLength(1);
  expect(heard).toHaveLength(3);
  expect(JSON.stringify([kept, logged, heard])).not.toContain(secret);
  expect(JSON.stringify(kept)).toContain("[redacted]");
});

test("settled waits for everything told so far", async () => {
  const { store, write } = patientStore();
  const { emit, heard } = voice({ store });
  for (let n = 0; n < 50; n++) emit(ended);

  setImmediate(write);
  await emit.settled();

  expect(heard).toHaveLength(50);
});

test("settled asks for what was gathered to be written now", async () => {
  const { store, write } = patientStore();
  let logFlushes = 0;
  const { emit, heard } = voice({
    store: { ...store, flush: write },
    log: { append: async () => {}, flush: () => void logFlushes++ },
  });

  emit(ended);
  await emit.settled();

  expect(heard).toEqual([ended]);
  expect(logFlushes).toBe(1);
});

test("names the user gave to cases, suites, models and tags stay as they are, even where they look like a secret", async () => {
  const { store, kept, write } = patientStore();
  const secret = "us-east-1";
  const { emit, heard, folded } = voice({ store, redact: redactor([secret]) });
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
  emit({ type: "cell-ended", cell: named, result: sampleResult({ ...names, reason: secret }) });
  write();
  await emit.settled();

  expect(kept).toMatchObject([{ ...names, reason: "[redacted]" }]);
  expect(folded).toMatchObject([{ result: names }]);
  expect(heard).toMatchObject([{ cell: named, attempt: { message: "[redacted]" } }, { cell: named }]);
});
