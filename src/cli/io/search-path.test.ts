import { mkdirSync, symlinkSync } from "node:fs";
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

  const path = trustedSearchPath([...filled, ...own].join(":"), join(project, "packages/one"));

  expect(path).toBe(own.join(":"));
});

test("an empty search path stays empty", () => {
  expect(trustedSearchPath("", "/")).toBe("");
});
