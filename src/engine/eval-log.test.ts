import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openEvalLog, prepareEvalLog } from "./eval-log.ts";

test.each([
  ["a pipe, which would wait for its reader", (folder: string) => join(folder, "pipe")],
  ["a device, which keeps nothing", () => "/dev/null"],
  ["a folder", (folder: string) => folder],
])("%s is refused as line log", async (_, pathIn) => {
  await using folder = await temporaryFolder();
  execFileSync("mkfifo", [join(folder.path, "pipe")]);

  expect(() => prepareEvalLog(pathIn(folder.path))).toThrow("it is not a regular file");
});

test("a log that differs from the store is completed, and every difference is reported", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "log.jsonl");
  const line = (cellKey: string, verdict: string) => ({ kind: "task", skillId: "s", cellKey, verdict });
  const written = (cellKey: string, verdict: string, runId = "r1") =>
    `${JSON.stringify({ schemaVersion: 1, runId, ...line(cellKey, verdict) })}\n`;
  const same = [written("a", "invalid"), written("a", "pass"), written("i", "invalid")];
  const other = [written("b", "fail"), written("gone", "pass"), written("c", "pass", "r2")];
  writeFileSync(path, [...same, ...other, '{"torn'].join(""));
  await using log = openEvalLog(path, { runId: "r1", lineOf: () => null });

  await log.complete([line("a", "pass"), line("b", "pass")]);
  await log.complete([line("c", "pass")]);

  expect(
    readFileSync(path, "utf8")
      .split("\n")
      .slice(6, -1)
      .map((text) => JSON.parse(text)),
  ).toEqual([expect.objectContaining(line("b", "pass")), expect.objectContaining(line("c", "pass"))]);
  expect(log.warnings()).toEqual([
    `${path}: dropped an incomplete last line of 6 bytes`,
    `${path}: added 1 line that the store has and the log lacked`,
    `${path}: 1 line differed from the store, which counts`,
    `${path}: no result in the store for 1 line of this run; the store counts`,
  ]);
});

test("a log that says what the store says is left as it is", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "log.jsonl");
  const line = { kind: "task", skillId: "s", cellKey: "a", verdict: "pass" };
  const before = `${JSON.stringify({ schemaVersion: 1, runId: "r1", ...line })}\n`;
  writeFileSync(path, before);
  await using log = openEvalLog(path, { runId: "r1", lineOf: () => null });

  await log.complete([line]);

  expect(log.warnings()).toEqual([]);
  expect(readFileSync(path, "utf8")).toBe(before);
});
