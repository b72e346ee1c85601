import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { isReachable } from "./reach.ts";

test("what others may walk to and read is reachable, and nothing else", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  chmodSync(root, 0o711);
  for (const name of ["open", "closed"]) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "file"), "");
    chmodSync(join(root, name, "file"), 0o644);
  }
  chmodSync(join(root, "open"), 0o755);
  chmodSync(join(root, "closed"), 0o750);
  symlinkSync("closed/file", join(root, "link"));
  writeFileSync(join(root, "secret"), "");
  chmodSync(join(root, "secret"), 0o600);
  const seen = Object.fromEntries(
    ["open", "open/file", "closed", "closed/file", "link", "secret", "absent", "."].map((name) => [
      name,
      isReachable(join(root, name)),
    ]),
  );
  expect(seen).toEqual({
    open: true,
    "open/file": true,
    closed: false,
    "closed/file": false,
    link: false,
    secret: false,
    absent: false,
    ".": false,
  });
});
