import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleData } from "../../../test/builders/sample-run-log.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { RunLog, RunState } from "../../contract/agent-log.ts";
import type { Recording } from "../../contract/limits.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { claimRunFolder, openRunLog } from "./open-run-log.ts";
import { readRun } from "./read-run.ts";

const secret = "sk-canary-12345678";
const clock: Clock = { ...systemClock, now: () => Date.UTC(2026, 1, 3, 12, 34, 56, 789) };

function open(runsDir: string, recording: Recording = "full", random: () => number = Math.random): RunLog {
  return openRunLog({ runsDir, recording, secrets: [secret], clock, random });
}

async function readLines(log: RunLog): Promise<{ type: string; data: Record<string, unknown> }[]> {
  await log.synced();
  const text = readFileSync(join(log.dir, "events.jsonl"), "utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const answer = (content: string) =>
  sampleData("action_planned", { action: { type: "final_answer", payload: { content } } });

describe("the directory of a run", () => {
  test("is named by time and chance, and holds request, workspace and log", async () => {
    await using folder = await temporaryFolder();
    await using log = open(join(folder.path, ".agent/runs"), "full", () => 0.5);
    expect(log.runId).toBe("20260203_123456_8000");
    expect(log.writeRequest("fill it")).toEqual({
      ref: "inputs/request.txt",
      sha256: sha256("fill it"),
      bytes: 7,
    });
    expect(readdirSync(log.dir).sort()).toEqual(["events.jsonl", "inputs", "sandbox"]);
    expect(log.workspace).toBe(join(log.dir, "sandbox"));
  });

  test("is never shared: 200 that begin in one millisecond have 200 names, whatever the chance", async () => {
    await using folder = await temporaryFolder();
    const names = Array.from({ length: 200 }, (_, n) =>
      claimRunFolder(folder.path, clock.now(), n < 190 ? Math.random : () => 0),
    );
    expect(new Set(names).size).toBe(200);
    expect(readdirSync(folder.path)).toHaveLength(200);
  });

  test("that cannot be made is reported with what to do", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path);
    const runsPath = join(log.dir, "events.jsonl", "runs");
    expect(() => open(runsPath)).toThrow(
      expect.objectContaining({ code: "output-unwritable", hint: expect.any(String) }),
    );
  });
});

describe("a line", () => {
  test("has its members in order and its number, and is read back", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path, "full", () => 0);
    expect(log.emit(0, "run_started", sampleData("run_started"))).toBe(1);
    expect(log.emit(1, "turn_finished", { outcome: "observed" })).toBe(2);
    expect(log.emit(0, "run_finished", sampleData("run_finished"), 0)).toBe(3);
    await Promise.all([log.synced(), log.synced()]);
    const { lines, events, problem } = readRun(log.dir);
    expect(lines[1]).toBe(
      '{"v":1,"seq":2,"ts":"2026-02-03T12:34:56.789Z","run_id":"20260203_123456_0000","turn":1,"type":"turn_finished","data":{"outcome":"observed"}}',
    );
    expect(events.at(-1)?.ts).toBe("1970-01-01T00:00:00.000Z");
    expect(problem).toBeNull();
  });

  test("holds no secret, and neither does any file beside it", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path, "raw");
    log.emit(1, "observation_recorded", sampleData("observation_recorded", { summary: `key ${secret}` }));
    log.emitDelta(1, { attempt: 1, path: "$.x", text: "sk-canary" });
    log.emitDelta(1, { attempt: 1, path: "$.x", text: "-12345678 é" });
    log.writeRequest(secret);
    log.keep("c1-stdout", secret);
    log.keep("c1-stdout", Buffer.concat([Buffer.from([0xff]), Buffer.from(secret)]));
    log.keepRaw("1-prompt", secret);
    log.writeFinal(secret);
    await log.synced();
    const files = readdirSync(log.dir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files).toHaveLength(6);
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), "latin1");
      expect(text, file.name).not.toContain("canary");
      expect(text).toContain("[redacted]");
    }
  });

  test("leaves a text above 16 KiB to a file, and says where it is", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path);
    const content = "é".repeat(9000);
    log.emit(1, "action_planned", answer(content));
    log.emit(1, "error_occurred", sampleData("error_occurred", { message: content }));
    const [planned, error] = await readLines(log);
    const stored = { ref: "observations/l1-action_planned.txt", sha256: sha256(content), bytes: 18_000 };
    expect(planned?.data.action).toEqual({ type: "final_answer", payload: { content: stored } });
    expect(stored.sha256).toBe(log.writeFinal(content).sha256);
    expect(error?.data.message).toMatch(/^é{199}…\[\.\.\.truncated\.\.\.\]$/);
    expect(error?.data.kept).toEqual([
      { member: "message", ref: "observations/l2-error_occurred.txt", sha256: stored.sha256, bytes: 18_000 },
    ]);
    expect(readFileSync(join(log.dir, stored.ref), "utf8")).toBe(content);
  });
});

describe("streamed pieces", () => {
  test("are lines of their own, in order, and add up to the redacted answer", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path);
    const path = "$.action.payload.content";
    const text = `The key ${secret} works at https://me:pw@host/ now. ${"字".repeat(40)}`;
    for (let at = 0; at < text.length; at += 3)
      log.emitDelta(2, { attempt: 1, path, text: text.slice(at, at + 3) });
    log.emit(2, "action_planned", answer(text));
    const lines = await readLines(log);
    expect(lines.length).toBeGreaterThan(10);
    expect(
      lines
        .slice(0, -1)
        .map(({ data }) => data.text)
        .join(""),
    ).toBe(`The key [redacted] works at https://[redacted]@host/ now. ${"字".repeat(40)}`);
    expect(lines.at(-1)?.type).toBe("action_planned");
  });

  test("that are long are cut into more, never within a character", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path);
    const text = `x${"😀".repeat(10_000)}`;
    log.emitDelta(1, { attempt: 1, path: "$.x", text });
    await log.synced();
    const pieces = (await readLines(log)).map(({ data }) => String(data.text));
    expect(pieces.length).toBeGreaterThan(4);
    expect(pieces.every((piece) => Buffer.from(piece).toString() === piece)).toBe(true);
    expect(pieces.join("")).toBe(text);
  });

  test("are written when the run ends without another event", async () => {
    await using folder = await temporaryFolder();
    const log = open(folder.path);
    log.emitDelta(1, { attempt: 1, path: "$.x", text: "sk-" });
    await log[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
    expect(await readLines(log)).toHaveLength(1);
  });
});

describe("minimal recording", () => {
  test("keeps length and hash of answers, their pieces and long texts in actions, and no prompts", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path, "minimal");
    const long = "x".repeat(201);
    log.emitDelta(1, { attempt: 1, path: "$.c", text: "the " });
    log.emitDelta(1, { attempt: 1, path: "$.c", text: "answer" });
    log.emit(1, "action_planned", answer("the answer"));
    log.emit(
      1,
      "approval_required",
      sampleData("approval_required", { params: { path: "a.md", content: long } }),
    );
    log.keepRaw("1-prompt", "private");
    const hidden = { chars: 10, sha256: sha256("the answer") };
    const [delta, planned, approval] = await readLines(log);
    expect(delta?.data).toEqual({ attempt: 1, path: "$.c", ...hidden });
    expect(planned?.data.action).toEqual({ type: "final_answer", payload: { content: hidden } });
    expect(approval?.data.params).toEqual({ path: "a.md", content: { chars: 201, sha256: sha256(long) } });
    expect(existsSync(join(log.dir, "raw"))).toBe(false);
  });
});

test("the state of a run is that of a turn not long ago, and at the end of its last", async () => {
  await using folder = await temporaryFolder();
  let now = 0;
  const steady = { ...clock, monotonic: () => now };
  await using log = openRunLog({
    runsDir: folder.path,
    recording: "full",
    secrets: [secret],
    clock: steady,
    random: Math.random,
  });
  const stored = () => JSON.parse(readFileSync(join(log.dir, "state.json"), "utf8"));
  const state = {
    run_id: log.runId,
    status: "running",
    turn: 1,
    loaded_skills: ["a", secret],
  } as never as RunState;
  now = 300;
  log.writeState(state);
  expect(stored()).toMatchObject({ turn: 1, loaded_skills: ["a", "[redacted]"] });
  now = 400;
  log.writeState({ ...state, turn: 2, loaded_skills: [] });
  expect(stored()).toMatchObject({ turn: 1 });
  log.writeState({ ...state, status: "completed", turn: 3, loaded_skills: [] });
  expect(stored()).toMatchObject({ status: "completed", turn: 3, loaded_skills: [] });
});

describe("a stored text", () => {
  test("has a safe name that no other has", async () => {
    await using folder = await temporaryFolder();
    await using log = open(folder.path);
    const names = ["c1-stdout", "c1-stdout.txt", "C1-stdout", "../../x", ".hidden", "", "a/b\n"];
    expect(names.map((name) => log.keep(name, "x").ref)).toEqual([
      "observations/c1-stdout.txt",
      "observations/c1-stdout-2.txt",
      "observations/C1-stdout-3.txt",
      "observations/_.._.._x.txt",
      "observations/_.hidden.txt",
      "observations/_.txt",
      "observations/a_b_.txt",
    ]);
  });
});
