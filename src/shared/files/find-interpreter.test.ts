import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findInterpreter } from "./find-program.ts";

async function folderWithTool() {
  const folder = await temporaryFolder();
  const tool = join(folder.path, "tool");
  writeFileSync(tool, "#!/bin/sh\n");
  chmodSync(tool, 0o755);
  return { path: folder.path, tool, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

test("the first one on the search path that can be reached is taken, and what was passed over is reported", async () => {
  await using first = await folderWithTool();
  await using second = await folderWithTool();
  const env = { PATH: `${first.path}:${second.path}` };
  const isNotFirst = (path: string) => !path.startsWith(first.path);

  expect(await findInterpreter("tool", "/", env)).toEqual({ path: first.tool, passedOver: null });
  expect(await findInterpreter("tool", "/", env, isNotFirst)).toEqual({
    path: second.tool,
    passedOver: first.tool,
  });
  expect(await findInterpreter("tool", "/", env, () => false)).toEqual({
    path: null,
    passedOver: first.tool,
  });
});

test("a program that was named by its path is that one or none", async () => {
  await using folder = await folderWithTool();
  const env = { PATH: folder.path };
  expect(await findInterpreter("./tool", folder.path, env)).toEqual({ path: folder.tool, passedOver: null });
  expect(await findInterpreter(folder.tool, "/", env, () => false)).toEqual({
    path: null,
    passedOver: folder.tool,
  });
  expect(await findInterpreter("./other", folder.path, env)).toEqual({ path: null, passedOver: null });
});

test("a script that replaces node is asked for the real one", async () => {
  await using folder = await folderWithTool();
  const shim = join(folder.path, "node");
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
  chmodSync(shim, 0o755);
  expect(await findInterpreter("node", "/", { PATH: `${folder.path}:/usr/bin:/bin` })).toEqual({
    path: process.execPath,
    passedOver: null,
  });
});
