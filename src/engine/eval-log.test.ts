import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { prepareEvalLog } from "./eval-log.ts";

test.each([
  ["a pipe, which would wait for its reader", (folder: string) => join(folder, "pipe")],
  ["a device, which keeps nothing", () => "/dev/null"],
  ["a folder", (folder: string) => folder],
])("%s is refused as line log", async (_, pathIn) => {
  await using folder = await temporaryFolder();
  execFileSync("mkfifo", [join(folder.path, "pipe")]);

  expect(() => prepareEvalLog(pathIn(folder.path))).toThrow("it is not a regular file");
});
