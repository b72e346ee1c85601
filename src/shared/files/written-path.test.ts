import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { UserError } from "../user-error.ts";
import { writtenPath } from "./written-path.ts";

test("a place that a link in the folder leads out of it is refused, also where nothing is there yet", async () => {
  await using folder = await temporaryFolder();
  const clone = join(folder.path, "clone");
  mkdirSync(join(clone, "inner"), { recursive: true });
  mkdirSync(join(folder.path, "outside"));
  const link = (name: string, target: string) => symlinkSync(target, join(clone, name));
  link("folder", "../outside");
  link("nothing", "../outside/new.db");
  link("first", "nothing");
  link("loop", "loop");
  link("near", "inner");

  for (const name of ["folder", "folder/new.db", "nothing", "first", "inner/../first"])
    expect(() => writtenPath(name, clone), name).toThrow(UserError);
  expect(() => writtenPath("first", clone)).toThrow(
    `first is a link that leads out to ${join(folder.path, "outside/new.db")}`,
  );
  for (const name of ["new.db", "near/new.db", "loop", ""])
    expect(writtenPath(name, clone), name).toBe(join(clone, name));
});

test("a place outside that was named as such is the user's word", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("clone"));
  symlinkSync("clone", at("shortcut"));

  expect(writtenPath("../new.db", at("clone"))).toBe(at("new.db"));
  expect(writtenPath("/dev/stdout", at("clone"))).toBe("/dev/stdout");
  expect(writtenPath("new.db", at("shortcut"))).toBe(at("shortcut/new.db"));
});
