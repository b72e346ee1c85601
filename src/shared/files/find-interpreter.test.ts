import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { askProgram, findInterpreter, interpretersBehindShims } from "./find-interpreter.ts";

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

describe("fault row 70: a version manager's script", () => {
  /** Reports what it was given, and answers with this Node. */
  const shim = `#!/bin/sh
echo asked "$PWD" "$(cat .tool-versions 2>/dev/null)" >> "$0.log"
env >> "$0.log"
which tool >> "$0.log"
echo '${process.execPath}'
`;

  async function projectWithSkill(files: Readonly<Record<string, string>> = {}) {
    const folder = await temporaryFolder();
    const skill = join(folder.path, "skills/weather");
    for (const [name, text] of Object.entries({ "package.json": "{}", "skills/weather/x": "", ...files })) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), text, { mode: 0o755 });
    }
    return { path: folder.path, skill, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
  }

  test("is asked once, far from the project, and sees neither its files nor a secret", async () => {
    await using manager = await temporaryFolder();
    const path = join(manager.path, "node");
    writeFileSync(path, shim, { mode: 0o755 });
    await using project = await projectWithSkill({
      ".tool-versions": "canary",
      "skills/weather/.tool-versions": "canary",
      "skills/weather/bin/tool": "#!/bin/sh\n",
    });
    const own = join(project.skill, "bin");
    const env = {
      PATH: `${own}:bin:${manager.path}:/usr/bin:/bin`,
      HOME: "/home/me",
      SECRET_CANARY: "canary",
      PYENV_DIR: project.path,
      ASDF_NODEJS_VERSION: "canary",
      NODE_OPTIONS: "--require canary",
    };

    for (const dir of [project.skill, project.path, project.skill])
      expect((await findInterpreter("node", dir, env)).path).toBe(process.execPath);

    const log = readFileSync(`${path}.log`, "utf8");
    expect(log.match(/^asked .*$/gm)).toEqual(["asked / "]);
    expect(log).not.toMatch(/canary|weather/);
    expect(log).toContain(`PATH=${manager.path}:/usr/bin:/bin`);
    expect(interpretersBehindShims()).toContain(process.execPath);
  });

  test("is not run at all where it came with the project, nor is anything else of it", async () => {
    await using project = await projectWithSkill({
      "node_modules/.bin/node": shim,
      "skills/weather/bin/node": shim,
      "skills/weather/bin/python3": "#!/bin/sh\ntouch $0.log\n",
    });
    await using elsewhere = await temporaryFolder();
    symlinkSync(join(project.skill, "bin/node"), join(elsewhere.path, "node"));
    for (const folder of [
      join(project.path, "node_modules/.bin"),
      join(project.skill, "bin"),
      elsewhere.path,
    ]) {
      const path = join(folder, "node");
      expect((await findInterpreter("node", project.skill, { PATH: folder })).path).toBe(path);
      expect(existsSync(`${path}.log`)).toBe(false);
    }
    const python = join(project.skill, "bin/python3");
    expect(await askProgram(python, ["--version"], project.skill, process.env)).toBe(null);
    expect(existsSync(`${python}.log`)).toBe(false);
  });
});
