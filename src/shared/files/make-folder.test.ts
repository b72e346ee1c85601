import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { makeFolder } from "./paths.ts";

test("a folder is made with what is missing above it, and again without complaint", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a/b/c");

  makeFolder(path);
  makeFolder(path);

  expect(statSync(path).isDirectory()).toBe(true);
});

test("a file in the way, and a file system that refuses, are errors and not an endless wait", async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "file"), "");

  expect(() => makeFolder(join(folder.path, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(folder.path, "file/below"))).toThrow("ENOTDIR");
  expect(() => makeFolder("/proc/nowhere")).toThrow("ENOENT");
});
