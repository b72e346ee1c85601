import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { findInterpreter } from "../shared/files/find-interpreter.ts";
import { isPersonal, ownProgramPaths, programPaths } from "./program-paths.ts";

/** A machine below a folder: `seen` says what of it is shown for a program, with these folders on the search path. */
async function machine(files: Readonly<Record<string, string | { link: string }>>) {
  const folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  const at = (path: string) => join(root, path);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    if (typeof content === "string") writeFileSync(at(name), content, { mode: 0o755 });
    else symlinkSync(content.link.startsWith("~/") ? at(content.link.slice(2)) : content.link, at(name));
  }
  const seen = (program: string, on: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const PATH = [...on.map(at), "/usr/bin", "/bin"].join(":");
    const context = { env: { PATH, ...env }, shown: [at("skill")], isPrivate: isPersonal };
    const { paths, hidden } = programPaths(at(program), context);
    const near = (path: string) => path.replace(`${root}/`, "");
    return { shown: paths.map(({ path }) => near(path)).sort(), hidden: hidden && near(hidden) };
  };
  return { at, seen, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

const python = {
  "opt/python/bin/python3": { link: "python3.12" },
  "opt/python/bin/python3.12": "",
  "opt/python/lib/os.py": "",
  "opt/python/lib64/x": "",
  "opt/python/include/x": "",
  "opt/python/share/x": "",
  "opt/python/etc/x": "",
  "opt/python/.env": "canary",
};
const partsOfPython = ["bin", "include", "lib", "lib64", "share"].map((name) => `opt/python/${name}`);

describe("fault row 71: a program", () => {
  test("of the system needs nothing shown, nor does one that is not there, nor one of the skill", async () => {
    await using at = await machine({ "skill/run.sh": "" });
    expect(at.seen("skill/run.sh")).toEqual({ shown: [], hidden: null });
    const context = { env: {}, shown: [], isPrivate: isPersonal };
    for (const path of ["/usr/bin/env", "/bin/sh", "/no/such/bin/program"])
      expect(programPaths(path, context)).toEqual({ paths: [], hidden: null });
  });

  test("that is found by name brings its programs and libraries, and nothing else of where it is installed", async () => {
    await using at = await machine(python);
    expect(at.seen("opt/python/bin/python3", ["opt/python/bin"])).toEqual({
      shown: partsOfPython,
      hidden: null,
    });
  });

  test("that is named by its path and that nobody offers is not shown, whatever lies beside it", async () => {
    await using at = await machine({
      ...python,
      "apps/bank/bin/run": "",
      "apps/bank/lib/keys": "canary",
      "apps/bank/bin/python3": { link: "~/opt/python/bin/python3" },
      "home/other/.venv/bin/python3": { link: "/usr/bin/env" },
      "home/other/.venv/lib/code.py": "canary",
    });
    for (const program of ["apps/bank/bin/run", "apps/bank/bin/python3", "home/other/.venv/bin/python3"])
      expect(at.seen(program, ["opt/python/bin"])).toEqual({ shown: [], hidden: program });
  });

  test("of the skill that leads elsewhere shows only what the user offers", async () => {
    await using at = await machine({
      ...python,
      "skill/.venv/bin/python": { link: "~/opt/python/bin/python3.12" },
      "skill/.venv/bin/run": { link: "~/apps/bank/bin/run" },
      "skill/.venv/bin/system": { link: "/usr/bin/env" },
      "apps/bank/bin/run": "",
      "apps/bank/lib/keys": "canary",
    });
    const on = ["skill/.venv/bin", "opt/python/bin"];
    expect(at.seen("skill/.venv/bin/python", on)).toEqual({ shown: partsOfPython, hidden: null });
    expect(at.seen("skill/.venv/bin/run", on)).toEqual({ shown: [], hidden: "apps/bank/bin/run" });
    expect(at.seen("skill/.venv/bin/system", on)).toEqual({ shown: [], hidden: null });
  });

  test("that a package manager put into a project is offered by nobody", async () => {
    await using at = await machine({
      "proj/node_modules/.bin/tool": { link: "~/apps/bank/bin/run" },
      "apps/bank/bin/run": "",
    });
    const program = "proj/node_modules/.bin/tool";
    expect(at.seen(program, ["proj/node_modules/.bin"])).toEqual({ shown: [], hidden: program });
  });

  test("of a virtual environment that the user activated brings the interpreter behind it", async () => {
    await using at = await machine({
      ...python,
      "proj/.venv/bin/python3": { link: "~/opt/python/bin/python3" },
      "proj/.venv/pyvenv.cfg": "",
      "proj/.venv/lib/x": "",
      "proj/.env": "canary",
    });
    expect(at.seen("proj/.venv/bin/python3", ["proj/.venv/bin"])).toEqual({
      shown: [...partsOfPython, ...["bin", "lib", "pyvenv.cfg"].map((name) => `proj/.venv/${name}`)],
      hidden: null,
    });
  });

  test.each([
    ["pyenv", "pyenv/versions/3.12.1", { PYENV_ROOT: "pyenv" }],
    ["nvm", "nvm/versions/node/v20.1.0", { NVM_DIR: "nvm" }],
    ["asdf", "asdf/installs/python/3.12.1", { ASDF_DATA_DIR: "asdf" }],
    ["uv", "uv/cpython-3.12.1-linux", { UV_PYTHON_INSTALL_DIR: "uv" }],
    ["volta", "volta/tools/image/node/20.1.0", { VOLTA_HOME: "volta" }],
  ])("that %s installed is shown to a virtual environment of the skill", async (_, place, roots) => {
    await using at = await machine({
      [`${place}/bin/run`]: "",
      [`${place}/lib/x`]: "",
      [`${place}/envs/other/bin/run`]: "",
      [`${place}/envs/other/lib/x`]: "canary",
      [`${place}/envs/other/pyvenv.cfg`]: "",
      "skill/.venv/bin/run": { link: `~/${place}/bin/run` },
      "skill/.venv/bin/other": { link: `~/${place}/envs/other/bin/run` },
    });
    const env = Object.fromEntries(Object.entries(roots).map(([name, folder]) => [name, at.at(folder)]));
    expect(at.seen("skill/.venv/bin/run", [], env)).toEqual({
      shown: [`${place}/bin`, `${place}/lib`],
      hidden: null,
    });
    expect(at.seen("skill/.venv/bin/other", [], env).hidden).toBe(`${place}/envs/other/bin/run`);
  });

  test("behind a script of the search path is what that script named", async () => {
    await using at = await machine({
      "shims/python3": "",
      "somewhere/3.12/bin/python3": "#!/bin/true\n",
      "somewhere/3.12/lib/x": "",
    });
    const program = "somewhere/3.12/bin/python3";
    expect(at.seen(program, ["shims"]).hidden).toBe(program);
    writeFileSync(at.at("shims/python3"), `#!/bin/sh\necho ${at.at(program)}\n`);
    await findInterpreter("python3", at.at("skill"), { PATH: `${at.at("shims")}:/bin` });
    expect(at.seen(program, ["shims"]).hidden).toBe(null);
  });

  test("alone needs only itself, as does one in a folder that holds more than programs", async () => {
    await using at = await machine({
      "tools/hammer": "",
      "tools/saw": "",
      "me/bin/hammer": "",
      "me/lib/x": "",
    });
    expect(at.seen("tools/hammer", ["tools"]).shown).toEqual(["tools/hammer"]);
    const context = {
      env: { PATH: at.at("me/bin") },
      shown: [],
      isPrivate: (path: string) => path === at.at("me"),
    };
    const { paths } = programPaths(at.at("me/bin/hammer"), context);
    expect(paths.map(({ path }) => path)).toEqual([at.at("me/bin/hammer")]);
  });

  test("by a name for the whole machine shows none of it", async () => {
    await using at = await machine({ machine: { link: "/" } });
    const context = { env: process.env, shown: [], isPrivate: isPersonal };
    for (const way of ["/proc/self/root", "/proc/1/root", "/proc/self/cwd"])
      expect([way, programPaths(`${way}/bin/sh`, context).paths]).toEqual([way, []]);
    expect(at.seen("machine/bin/sh").shown).toEqual([]);
  });
});

test("our own program brings its installation, wherever that is", async () => {
  await using at = await machine(python);
  const paths = ownProgramPaths(at.at("opt/python/bin/python3"), isPersonal).map(({ path }) => path);
  expect([...new Set(paths)].sort()).toEqual(partsOfPython.map(at.at));
});

test("the home folder, what is around it and its own programs hold more than programs", () => {
  for (const folder of ["/", dirname(homedir()), homedir(), join(homedir(), ".local")]) {
    expect([folder, isPersonal(folder)]).toEqual([folder, true]);
  }
  expect(isPersonal(join(homedir(), ".pyenv/versions/3.12"))).toBe(false);
});
