import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { prepareOutput } from "./prepare-output.ts";

test.each([
  ["the root", "/"],
  ["a path in a file system that takes no files", "/proc/nowhere/log.jsonl"],
  ["a path below a file", "file/log.jsonl"],
  ["a name that is too long", `new/${"x".repeat(300)}`],
])("%s as line log is refused with the right hint, and nothing is left behind", async (_, evalLog) => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  writeFileSync(join(path, "file"), "");
  const log = evalLog.startsWith("/") ? evalLog : join(path, evalLog);

  expect(() => prepareOutput({ outputDir: join(path, "a/b"), evalLog: log })).toThrow(
    expect.objectContaining({ code: "output-unwritable", hint: "name another file with --eval-log" }),
  );

  expect(readdirSync(path)).toEqual(["file"]);
});

test("what was made is taken back, and what somebody put in stays", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  const paths = { outputDir: join(path, "a/b"), evalLog: join(path, "logs/log.jsonl") };

  prepareOutput(paths)();
  expect(readdirSync(path)).toEqual([]);

  const takeBack = prepareOutput(paths);
  writeFileSync(paths.evalLog, "a line of another run\n");
  takeBack();
  expect(readdirSync(path)).toEqual(["logs"]);
});
