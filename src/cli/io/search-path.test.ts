import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { trustedSearchPath } from "./search-path.ts";

test("fault row 91: what npx and careless profiles put in front is left out, what the user put there stays", async () => {
  await using folder = await temporaryFolder();
  const project = join(folder.path, "project");
  mkdirSync(join(project, "packages/one"), { recursive: true });
  symlinkSync(project, join(folder.path, "linked"));
  const own = [join(project, ".venv/bin"), "/home/somebody/node_modules/.bin", "/usr/bin", "/bin"];
  const filled = [
    join(project, "packages/one/node_modules/.bin"),
    join(project, "node_modules/.bin"),
    join(folder.path, "linked/node_modules/.bin"),
    "/node_modules/.bin",
    ...["", ".", "./bin", "node_modules/.bin", "../bin"],
  ];

  const path = trustedSearchPath([...filled, ...own].join(":"), {
    cwd: join(project, "packages/one"),
    home: join(folder.path, "home"),
  });

  expect(path).toBe(own.join(":"));
});

test("fault row 91: a folder of the clone that holds a program of ours is left out wherever it comes from", async () => {
  await using folder = await temporaryFolder();
  const clone = join(folder.path, "clone");
  const [shadowing, harmless] = [join(clone, "bin"), join(clone, ".venv/bin")];
  for (const path of [shadowing, harmless, join(clone, "packages/one"), join(clone, ".git")])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(shadowing, "bwrap"), "");
  symlinkSync(shadowing, join(folder.path, "link"));
  const path = [shadowing, join(folder.path, "link"), harmless, "/usr/bin"].join(":");
  const trusted = (cwd: string, home: string) => trustedSearchPath(path, { cwd, home });

  const kept = [harmless, "/usr/bin"].join(":");
  expect(trusted(join(clone, "packages/one"), "/home/somebody")).toBe(kept);
  expect(trusted(clone, "/home/somebody")).toBe(kept);
  expect(trusted(clone, clone)).toBe(path); // the user's own home
  expect(trusted("/", "/home/somebody")).toBe(path);
});

test("an empty search path stays empty", () => {
  expect(trustedSearchPath("", { cwd: "/", home: "/" })).toBe("");
});
