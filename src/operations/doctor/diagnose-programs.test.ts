import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { diagnosePrograms } from "./diagnose-programs.ts";

const ownNode = realpathSync(process.execPath);

/** A search path of folders made here, each with one `node`. */
async function searchPath(...makers: ((file: string) => void)[]) {
  const folder = await temporaryFolder();
  const folders = makers.map((make, index) => {
    const path = join(folder.path, `bin-${index}`);
    mkdirSync(path);
    make(join(path, "node"));
    return path;
  });
  const env = { PATH: folders.join(":") };
  return {
    folders,
    diagnose: async (canReach: (path: string) => boolean = () => true) => {
      const lines = await diagnosePrograms(join(folder.path, "project"), env, canReach);
      return Object.fromEntries(lines.map((line) => [line.name, line]));
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

const link = (file: string) => symlinkSync(ownNode, file);
const shim = (file: string) => {
  writeFileSync(file, `#!/bin/sh\nexec ${ownNode} "$@"\n`);
  chmodSync(file, 0o755);
};

test("a program is reported by its real path, with its version", async () => {
  await using at = await searchPath(link);

  const { node, python3 } = await at.diagnose();

  expect(node).toMatchObject({ state: "ok", found: `${ownNode} (${process.versions.node})` });
  expect(python3).toMatchObject({ state: "note", found: expect.stringContaining("not found on PATH") });
});

test("a shim is named beside what lies behind it", async () => {
  await using at = await searchPath(shim);

  const { node } = await at.diagnose();

  expect(node?.state).toBe("ok");
  expect(node?.found).toContain(`${ownNode} (`);
  expect(node?.found).toContain(`resolved from the shim ${at.folders[0]}/node`);
});

test("one that the sandbox cannot reach is passed over for the next; without a next it is red", async () => {
  await using at = await searchPath(link, link);
  const [first, second] = at.folders.map((path) => `${path}/node`);

  const { node } = await at.diagnose((path) => path === second);
  expect(node).toMatchObject({
    state: "note",
    found: expect.stringContaining(`because ${first} is not accessible`),
  });

  const { node: none } = await at.diagnose(() => false);
  expect(none).toMatchObject({ state: "bad", fix: expect.stringContaining("install node") });
});
