import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { isSystemPath, systemLayout } from "./system-folders.ts";

test("folders of the system are shown as the machine has them: in /usr, or beside it", async () => {
  await using folder = await temporaryFolder();
  const root = folder.path;
  for (const name of ["usr", "bin", "var"]) mkdirSync(join(root, name));
  symlinkSync("usr/lib", join(root, "lib"));
  expect(systemLayout(root)).toEqual([
    ...["--ro-bind", join(root, "usr"), "/usr"],
    ...["--ro-bind", join(root, "bin"), "/bin"],
    ...["--symlink", "usr/lib", "/lib"],
  ]);
});

test("what lies in them is there without being asked for, and nothing that only sounds like it", () => {
  for (const path of ["/usr/local/bin/node", "/bin/sh", "/lib64"]) expect(isSystemPath(path)).toBe(true);
  for (const path of ["/usr-local/bin/node", "/opt/bin", "/etc"]) expect(isSystemPath(path)).toBe(false);
});
