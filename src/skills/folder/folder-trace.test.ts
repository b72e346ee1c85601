import { appendFileSync, mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { changesSince, traceFolder } from "./folder-trace.ts";

async function takeTrace(dir: string, exclude: readonly string[] = []) {
  const traced = await traceFolder(dir, exclude);
  if (!traced.ok) throw new Error(traced.problem);
  return traced.trace;
}

test("whatever appears, changes or goes in a folder is seen, also what is not part of a skill", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("scripts"));
  for (const name of ["scripts/a.py", "b.log", "gone"]) writeFileSync(at(name), "1");
  symlinkSync("/usr/bin/env", at("link"));
  const before = await takeTrace(folder.path);
  expect(changesSince(before, await takeTrace(folder.path))).toEqual([]);

  mkdirSync(at("scripts/__pycache__"));
  writeFileSync(at("scripts/__pycache__/a.pyc"), "1");
  appendFileSync(at("b.log"), "2");
  rmSync(at("gone"));
  unlinkSync(at("link"));
  symlinkSync("/usr/bin/false", at("link"));

  expect(changesSince(before, await takeTrace(folder.path))).toEqual([
    { path: "b.log", change: "changed" },
    { path: "gone", change: "removed" },
    { path: "link", change: "changed" },
    { path: "scripts/__pycache__", change: "added" },
    { path: "scripts/__pycache__/a.pyc", change: "added" },
  ]);
});

test("what we write ourselves does not count, and the same bytes are not a change", async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "a"), "1");
  const store = join(folder.path, "store.db");
  const before = await takeTrace(folder.path, [store]);

  writeFileSync(join(folder.path, "a"), "1");
  writeFileSync(store, "2");

  expect(changesSince(before, await takeTrace(folder.path, [store]))).toEqual([]);
});
