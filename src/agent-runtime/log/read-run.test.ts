import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleData } from "../../../test/builders/sample-run-log.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { type EventType, eventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { readRun } from "./read-run.ts";

interface Line {
  v: number;
  seq: number;
  ts: string;
  run_id: string;
  turn: number;
  type: string;
  data: object;
}

/** A log with one line of every type, changed as a test needs. */
function sampleLines(): Line[] {
  return (Object.keys(eventData) as EventType[]).map((type, at) => ({
    v: 1,
    seq: at + 1,
    ts: "2026-02-03T12:34:56.789Z",
    run_id: "20260203_123456_abcd",
    turn: type.startsWith("run_") || type === "skills_indexed" ? 0 : 1,
    type,
    data: sampleData(type),
  }));
}

async function readText(text: string | Uint8Array): Promise<RecordedRun> {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "events.jsonl"), text);
  return readRun(folder.path);
}

function written(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

function changed(change: (lines: Line[]) => unknown): Promise<RecordedRun> {
  const lines = sampleLines();
  const other = change(lines);
  return readText(written(Array.isArray(other) ? other : lines));
}

test("a whole log is read as it is", async () => {
  const run = await changed(() => null);
  expect(run).toMatchObject({
    problem: null,
    warnings: [],
    runId: "20260203_123456_abcd",
    final: null,
    hasWorkspace: false,
  });
  expect(run.events).toEqual(sampleLines());
  expect(run.lines[1]).toBe(JSON.stringify(sampleLines()[1]));
});

const damages: [string, (lines: Line[]) => unknown, number | null, RegExp][] = [
  [
    "a line that is no JSON",
    (lines) => [...lines.slice(0, 3), "{", ...lines.slice(4)],
    4,
    /^line 4 cannot be read/,
  ],
  ["an empty line", (lines) => [...lines.slice(0, 3), "", ...lines.slice(3)], 4, /cannot be read/],
  ["a duplicate key", (lines) => ['{"v":1,"v":1}', ...lines.slice(1)], 1, /duplicate key/],
  [
    "nesting without end",
    (lines) => [...lines.slice(0, 1), "[".repeat(300_000), ...lines.slice(2)],
    2,
    /nested deeper/,
  ],
  ["a list", (lines) => ["[]", ...lines.slice(1)], 1, /is not an event/],
  ["a gap", (lines) => lines.filter((_, at) => at !== 5), 6, /has seq 7, not 6/],
  [
    "another run",
    (lines) => void Object.assign(lines[4] ?? {}, { run_id: "x\u001b[31m" }),
    5,
    /another run: x\\e\[31m/,
  ],
  [
    "another version",
    (lines) => void Object.assign(lines[4] ?? {}, { v: 2 }),
    5,
    /version 2; only version 1 is supported/,
  ],
  [
    "data that do not fit",
    (lines) => void Object.assign(lines[3] ?? {}, { data: {} }),
    4,
    /is not a valid turn_finished event: data\.outcome is required/,
  ],
  ["a turn below 0", (lines) => void Object.assign(lines[3] ?? {}, { turn: -1 }), 4, /has no valid turn/],
  [
    "no beginning",
    (lines) => lines.slice(1).map((line, at) => ({ ...line, seq: at + 1 })),
    1,
    /run_started must come first/,
  ],
  [
    "two beginnings",
    (lines) => void Object.assign(lines[3] ?? {}, { type: "run_started", data: lines[0]?.data }),
    4,
    /duplicate run_started/,
  ],
  [
    "events after the end",
    (lines) => [...lines, { ...lines[3], seq: lines.length + 1 }],
    22,
    /turn_finished comes after run_finished/,
  ],
];
for (const [name, change, line, message] of damages) {
  test(`a log with ${name} is damaged`, async () => {
    const { problem } = await changed(change);
    expect(problem).toMatchObject({ code: "LogDamaged", line });
    expect(problem?.message).toMatch(message);
  });
}

test("a byte that is no UTF-8 is damage, and the other lines are read", async () => {
  const bytes = Buffer.from(written(sampleLines()));
  bytes[bytes.indexOf("pdf-form")] = 0xff;
  const { problem, events } = await readText(bytes);
  expect(problem).toMatchObject({ code: "LogDamaged", line: 2 });
  expect(events).toHaveLength(sampleLines().length - 1);
});

describe("a torn last line", () => {
  test("is dropped, and leaves a run without an end", async () => {
    const { problem, warnings, events } = await readText(written(sampleLines()).slice(0, -9));
    expect(problem).toEqual({
      code: "RunIncomplete",
      message: expect.stringContaining("run_finished"),
      line: null,
    });
    expect(warnings).toEqual(["line 21 is incomplete and was dropped"]);
    expect(events).toHaveLength(20);
  });

  test("behind the end of the run is no more than a warning", async () => {
    const { problem, warnings } = await readText(`${written(sampleLines())}{"v":1,"seq":22,"ts`);
    expect({ problem, warnings }).toEqual({
      problem: null,
      warnings: ["line 22 is incomplete and was dropped"],
    });
  });

  test("is none where only the newline is missing", async () => {
    const { problem, warnings } = await readText(written(sampleLines()).trimEnd());
    expect({ problem, warnings }).toEqual({ problem: null, warnings: [] });
  });
});

test("nothing at all is a run without an end", async () => {
  await using folder = await temporaryFolder();
  expect(readRun(folder.path).problem?.code).toBe("RunIncomplete");
  expect((await readText("")).problem?.code).toBe("RunIncomplete");
  expect(readRun(join(folder.path, "missing")).problem?.code).toBe("RunIncomplete");
});

test("an unknown type keeps its position and is reported", async () => {
  const { problem, warnings, events } = await changed(
    (lines) => void Object.assign(lines[6] ?? {}, { type: "dreamt\u0007" }),
  );
  expect(problem).toBeNull();
  expect(warnings).toEqual(["line 7: unknown event type dreamt\\u{7} ignored"]);
  expect(events).toHaveLength(20);
});

test("load_skill_body is read as skill_loaded", async () => {
  const { problem, events } = await changed((lines) => {
    for (const line of lines) if (line.type === "skill_loaded") line.type = "load_skill_body";
  });
  expect(problem).toBeNull();
  expect(events.map(({ type }) => type)).toContain("skill_loaded");
});

test("only plain files of the run directory are read", async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  const dir = folder.path;
  mkdirSync(join(dir, "observations"));
  mkdirSync(join(dir, "sandbox"));
  writeFileSync(join(dir, "observations/c1-stdout.txt"), "out");
  writeFileSync(join(dir, "final.md"), "\ufeffanswer");
  writeFileSync(join(other.path, "secret"), "secret");
  symlinkSync(join(other.path, "secret"), join(dir, "link"));
  symlinkSync(other.path, join(dir, "folder"));
  linkSync(join(dir, "final.md"), join(dir, "same"));
  const run = readRun(dir);
  expect(Buffer.from(run.read("observations/c1-stdout.txt") ?? []).toString()).toBe("out");
  expect(run).toMatchObject({ final: "\ufeffanswer", hasWorkspace: true });
  expect(run.read("same")).not.toBeNull();
  for (const ref of [
    "link",
    "folder/secret",
    "../x",
    "observations/../final.md",
    "/etc/passwd",
    "observations",
    "",
    ".",
    "a\0b",
    "none",
  ])
    expect(run.read(ref), ref).toBeNull();
  const kinds = ["final.md", "link", "folder/secret", "sandbox", "final.md/x", "none", "../x", ""].map(
    run.kindAt,
  );
  expect(kinds).toEqual(["file", "other", "other", "other", null, null, null, null]);
});
