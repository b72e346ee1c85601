import { Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import {
  attemptStarted,
  cellAt,
  cellEnded,
  heldClock,
  runStarted,
} from "../../../test/builders/sample-run-events.ts";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import type { EventOf, RunEvent } from "../../contract/event.ts";
import { type ProgressOptions, progressListener } from "./progress.ts";

const runEnded: RunEvent = { type: "run-ended", state: "done" };

/** A stream that remembers what was written, piece by piece. */
function remember(columns?: number) {
  const written: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  return { written, stream: Object.assign(stream, columns === undefined ? {} : { columns }) };
}

function listen(given: Partial<ProgressOptions> & { columns?: number } = {}) {
  const clock = heldClock();
  const { written, stream } = remember(given.columns);
  const options = { stream, isTerminal: false, color: false, verbose: false, clock, ...given };
  const { onEvent, close } = progressListener(options);
  return { onEvent, close, clock, written, text: () => written.join(""), [Symbol.dispose]: close };
}

/** What a terminal shows after all this was written: lines that stay, then the live one. */
function onScreen(text: string): string[] {
  const lines = [""];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it plays the terminal
  for (const piece of text.split(/(\r\u001b\[K|\n)/)) {
    if (piece === "\n") lines.push("");
    else if (piece === "\r\u001b[K") lines[lines.length - 1] = "";
    else lines[lines.length - 1] += piece;
  }
  return lines;
}

/** Timers that only a test moves; the real ones are back when it ends. */
function heldTimers(): Disposable {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return { [Symbol.dispose]: () => vi.useRealTimers() };
}

test("without a terminal a run has a line at its start, one each tenth, and one at its end", () => {
  using progress = listen();
  progress.onEvent(runStarted(30));
  for (let position = 0; position < 30; position++) {
    progress.clock.pass(500);
    progress.onEvent(cellEnded(cellAt(position), position === 4 ? "fail" : "pass"));
  }
  progress.onEvent(runEnded);

  const lines = progress.text().split("\n");
  expect(lines[0]).toBe("30 cells");
  expect(lines[1]).toBe("3/30: 3 pass, 0 fail, 0 error, 2/s, ETA 14 s");
  expect(lines[2]).toBe("6/30: 5 pass, 1 fail, 0 error, 2/s, ETA 12 s");
  expect(lines.at(-2)).toBe("done: 30/30, 29 pass, 1 fail, 0 error, after 15.0 s");
  expect(lines).toHaveLength(12);
});

test("without a terminal a quick run has no line in less than a second after another", () => {
  using progress = listen();
  progress.onEvent(runStarted(30));
  for (let position = 0; position < 30; position++) {
    progress.clock.pass(50);
    progress.onEvent(cellEnded(cellAt(position), "pass"));
  }
  progress.onEvent(runEnded);

  expect(progress.text()).toBe(
    [
      "30 cells",
      "20/30: 20 pass, 0 fail, 0 error, 20/s, ETA 1 s",
      "done: 30/30, 30 pass, 0 fail, 0 error, after 1.5 s",
      "",
    ].join("\n"),
  );
});

test("without a terminal a slow run has a line every five seconds, naming what it waits for", () => {
  using _ = heldTimers();
  using progress = listen();
  progress.onEvent(runStarted(100));
  progress.onEvent(attemptStarted(cellAt(1)));
  for (let tick = 0; tick < 120; tick++) {
    progress.clock.pass(100);
    vi.advanceTimersByTime(100);
  }

  expect(progress.text().split("\n").slice(1, -1)).toEqual([
    "0/100: 0 pass, 0 fail, 0 error, slowest: my_calc task_001 #1 5.0 s",
    "0/100: 0 pass, 0 fail, 0 error, slowest: my_calc task_001 #1 10.0 s",
  ]);
});

test("without a terminal nothing is ever erased or drawn twice", () => {
  using progress = listen({ verbose: true });
  progress.onEvent(runStarted(2));
  progress.onEvent(cellEnded(cellAt(1)));
  progress.onEvent(runEnded);

  expect(progress.text()).not.toMatch(hiddenCharacters);
});

test("a verbose run has a line per cell and per attempt, with what the skill printed", () => {
  using progress = listen({ verbose: true });
  const cell = cellAt(3, { caseId: "coding_003" });
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 38, message: "exit 1" } as const;
  progress.onEvent(runStarted(60, 11));
  progress.onEvent({
    type: "attempt-ended",
    cell,
    attempt,
    stray: ["banner"],
    stderrTail: "first\r\nsecond\n",
  });
  progress.onEvent(cellEnded(cell));

  expect(progress.text().split("\n").slice(1)).toEqual([
    "  attempt 1 error my_calc coding_003 #1 38 ms: crash: exit 1",
    "    stdout | banner",
    "    stderr | first",
    "    stderr | second",
    "12/60 pass my_calc coding_003 #1 84 ms",
    "",
  ]);
});

test("a verbose run shows the stack of a scorer that threw", () => {
  using progress = listen({ verbose: true });
  progress.onEvent(runStarted(1));
  const ended = cellEnded(cellAt(0), "invalid") as EventOf<"cell-ended">;
  const details = { scorerStack: "at parse (scorer.mjs:2:10)\nat default (scorer.mjs:4:20)" };
  progress.onEvent({ ...ended, result: { ...ended.result, details } });

  const lines = progress.text().split("\n");
  expect(lines).toContain("    scorer | at parse (scorer.mjs:2:10)");
  expect(lines).toContain("    scorer | at default (scorer.mjs:4:20)");
});

test("a verbose run has no lines in between, unless nothing was said for five seconds", () => {
  using progress = listen({ verbose: true });
  progress.onEvent(runStarted(4));
  progress.clock.pass(4_000);
  progress.onEvent(cellEnded(cellAt(1)));
  progress.clock.pass(4_000);
  progress.onEvent(attemptStarted(cellAt(2)));
  expect(progress.text().split("\n")).toHaveLength(3);

  progress.clock.pass(1_000);
  progress.onEvent(attemptStarted(cellAt(3)));
  expect(progress.text()).toContain("\n1/4: 1 pass");
});

test.each([true, false])(
  "a run in which nothing is left to do says so, also on a terminal (%s)",
  (isTerminal) => {
    using progress = listen({ isTerminal });
    progress.onEvent(runStarted(60, 60));

    expect(progress.text()).toMatch(/nothing left to do: run \S+ is complete, 60 cells\n/);
  },
);

test("a resumed run says what was done before", () => {
  using progress = listen();
  progress.onEvent(runStarted(60, 12));

  expect(progress.text()).toMatch(/^60 cells, 12 already done\n/);

  progress.onEvent(cellEnded(cellAt(12)));
  progress.onEvent(runEnded);
  expect(progress.text()).toContain("\ndone: 13/60, 12 earlier, 1 pass, 0 fail, 0 error, after");
});

test.each([
  [60, "nothing changed: 60 verdicts kept"],
  [59, "60 cells, 59 unchanged"],
])("a run that took over %i of 60 verdicts says %s", (reused, words) => {
  using progress = listen();
  progress.onEvent(runStarted(60, reused, reused));

  expect(progress.text()).toContain(`${words}\n`);
});

test("an interrupted run says so", () => {
  using progress = listen();
  progress.onEvent(runStarted(60));
  progress.onEvent({ type: "run-ended", state: "interrupted" });

  expect(progress.text()).toContain("\ninterrupted: 0/60, after 0 ms\n");
});

test("a warning is a line of its own, before, during and after the run", () => {
  using progress = listen({ isTerminal: true, columns: 80 });
  progress.onEvent({ type: "warning", message: "early" });
  progress.onEvent(runStarted(60));
  progress.onEvent({ type: "warning", message: "midway" });
  progress.onEvent(runEnded);
  progress.onEvent({ type: "warning", message: "late" });

  expect(onScreen(progress.text())).toEqual(["warning: early", "warning: midway", "warning: late", ""]);
});

test("on a terminal one line is drawn at most ten times a second", () => {
  using progress = listen({ isTerminal: true, columns: 80 });
  progress.onEvent(runStarted(1_000));
  for (let position = 0; position < 1_000; position++) {
    progress.clock.pass(1);
    progress.onEvent(cellEnded(cellAt(position)));
  }

  expect(progress.written.length).toBeLessThanOrEqual(11);
  expect(onScreen(progress.text())).toHaveLength(1);
});

test("on a terminal nothing is drawn when nothing has changed", () => {
  using _ = heldTimers();
  using progress = listen({ isTerminal: true, columns: 80 });
  progress.onEvent(runStarted(10));
  for (let tick = 0; tick < 50; tick++) {
    progress.clock.pass(100);
    vi.advanceTimersByTime(100);
  }

  expect(progress.written).toHaveLength(1);
});

test("on a terminal the time of a slow cell goes on between events", () => {
  using _ = heldTimers();
  using progress = listen({ isTerminal: true, columns: 100 });
  progress.onEvent(runStarted(10));
  progress.onEvent(attemptStarted(cellAt(7)));
  progress.clock.pass(4_100);
  vi.advanceTimersByTime(100);

  expect(onScreen(progress.text())).toEqual([
    "░░░░░░░░░░ 0/10  ✓ 0 ✗ 0 ! 0  slowest: my_calc/task_007 #1 4.1 s",
  ]);
});

test("on a terminal log lines stay above the live line, and the live line is gone at the end", () => {
  using progress = listen({ isTerminal: true, columns: 80, verbose: true });
  progress.onEvent(runStarted(2));
  progress.clock.pass(200);
  progress.onEvent(cellEnded(cellAt(1)));
  expect(onScreen(progress.text())).toEqual([
    "1/2 pass my_calc task_001 #1 84 ms",
    "█████░░░░░ 1/2  ✓ 1 ✗ 0 ! 0  5/s  ETA 0 s",
  ]);

  progress.onEvent(runEnded);
  expect(onScreen(progress.text())).toEqual(["1/2 pass my_calc task_001 #1 84 ms", ""]);
});

test("the live line leaves the last column free and follows the width of the terminal", () => {
  const { stream, written } = remember(24);
  using progress = listen({ isTerminal: true, stream });
  progress.onEvent(runStarted(500));
  stream.columns = 12;
  progress.clock.pass(100);
  progress.onEvent(cellEnded(cellAt(1)));

  expect(onScreen(written.join(""))).toEqual(["1/500"]);
});

test("closing clears the live line, may be done twice, and silences the run", () => {
  const progress = listen({ isTerminal: true, columns: 80 });
  progress.onEvent(runStarted(2));
  progress.close();
  progress.close();
  progress.clock.pass(1_000);
  progress.onEvent(cellEnded(cellAt(1)));

  expect(onScreen(progress.text())).toEqual([""]);
});

test("the timer does not keep the process alive", () => {
  const timersBefore = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  using progress = listen({ isTerminal: true });
  progress.onEvent(runStarted(2));

  expect(process.getActiveResourcesInfo().filter((name) => name === "Timeout")).toHaveLength(timersBefore);
});

test("a stream that breaks is left alone, and the run never hears of it", async () => {
  let tries = 0;
  const stream = new Writable({
    write: (_chunk, _encoding, done) => {
      tries++;
      done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    },
  });
  using progress = listen({ stream, verbose: true });
  progress.onEvent(runStarted(2));
  await new Promise((resolve) => stream.once("close", resolve));

  progress.onEvent(cellEnded(cellAt(1)));
  progress.onEvent(runEnded);

  expect(tries).toBe(1);
});

test("a stream that throws is left alone too", () => {
  const { stream } = remember();
  const write = vi.fn(() => {
    throw new Error("gone");
  });
  using progress = listen({ stream: Object.assign(stream, { write }) });

  progress.onEvent(runStarted(2));
  progress.onEvent(runEnded);

  expect(write).toHaveBeenCalledTimes(1);
});

test("fault row 36: what a skill prints or is called reaches the log as visible text", () => {
  for (const hostile of fewHostileTexts) {
    using progress = listen({ verbose: true });
    const cell = cellAt(1, { subject: hostile, caseId: hostile });
    const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: hostile } as const;
    progress.onEvent(runStarted(9));
    progress.onEvent(attemptStarted(cell));
    progress.onEvent({ type: "attempt-ended", cell, attempt, stray: [hostile], stderrTail: hostile });
    progress.onEvent({ type: "warning", message: hostile });
    progress.clock.pass(6_000);
    progress.onEvent(attemptStarted(cellAt(2)));
    progress.onEvent(cellEnded(cell, "error"));

    expect(progress.text(), hostile).not.toMatch(hiddenCharacters);
    expect(progress.text()).toContain("    stderr | ");
  }
});

test("fault row 48: a wall clock that jumps moves neither rate nor estimate", () => {
  const renderAfter = (jumpsTo: number | null) => {
    using progress = listen();
    progress.onEvent(runStarted(20));
    progress.clock.pass(1_000);
    if (jumpsTo !== null) progress.clock.setWall(jumpsTo);
    progress.onEvent(cellEnded(cellAt(1)));
    progress.onEvent(cellEnded(cellAt(2)));
    return progress.text();
  };

  expect(renderAfter(0)).toBe(renderAfter(null));
  expect(renderAfter(Date.UTC(2039, 0, 1))).toBe(renderAfter(null));
});
