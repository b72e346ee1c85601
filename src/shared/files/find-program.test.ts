import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findProgram, isExecutable } from "./find-program.ts";

async function folderWithTool() {
  const folder = await temporaryFolder();
  writeFileSync(join(folder.path, "tool"), "#!/bin/sh\n");
  chmodSync(join(folder.path, "tool"), 0o755);
  return folder;
}

test("the first folder of the search path that has it wins", async () => {
  await using first = await folderWithTool();
  await using second = await folderWithTool();
  const PATH = `/nowhere:${first.path}:${second.path}`;
  expect(findProgram("tool", { PATH })).toBe(join(first.path, "tool"));
});

test("a folder on the path that is relative gives a program that is not: it may be started elsewhere", async () => {
  await using folder = await folderWithTool();
  const found = findProgram("tool", { PATH: relative(process.cwd(), folder.path) });
  expect(found).toBe(join(folder.path, "tool"));
  expect(isAbsolute(found ?? "")).toBe(true);
});

test("an empty entry of the path is not the current folder", () => {
  expect(findProgram("package.json", { PATH: "::" })).toBeNull();
});

test("nothing is found without a path, or where there is nothing", () => {
  expect(findProgram("sh", {})).toBeNull();
  expect(findProgram("no-such-program", process.env)).toBeNull();
});

test("a folder is not a program, and neither is a file that may not be run, nor a link to nothing", async () => {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, "folder"));
  writeFileSync(join(folder.path, "text"), "");
  symlinkSync("/nowhere", join(folder.path, "link"));
  for (const name of ["folder", "text", "link", "missing"])
    expect(isExecutable(join(folder.path, name))).toBe(false);
});
