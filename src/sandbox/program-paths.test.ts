import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { isPersonal, programPaths } from "./program-paths.ts";

const nothingPrivate = () => false;

function program(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "", { mode: 0o755 });
  return path;
}

test("a program of the system needs nothing shown, nor does one that is not there", () => {
  expect(programPaths("/usr/bin/env", nothingPrivate)).toEqual([]);
  expect(programPaths("/bin/sh", nothingPrivate)).toEqual([]);
  expect(programPaths("/no/such/bin/program", nothingPrivate)).toEqual([]);
});

test("a name for the whole machine shows none of it", async () => {
  for (const way of ["/proc/self/root", "/proc/1/root", "/proc/self/cwd"])
    expect([way, programPaths(`${way}/bin/sh`, isPersonal)]).toEqual([way, []]);
  await using folder = await temporaryFolder();
  const link = join(realpathSync(folder.path), "machine");
  symlinkSync("/", link);
  expect(programPaths(join(link, "bin/sh"), isPersonal)).not.toContain(link);
});

test("an interpreter with libraries beside it needs its whole folder", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  mkdirSync(join(root, "python/lib"), { recursive: true });
  const path = program(join(root, "python/bin/python3"));
  expect(programPaths(path, nothingPrivate)).toEqual([join(root, "python")]);
});

test("a program alone needs only itself, as does one in a folder that holds more than programs", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  const alone = program(join(root, "tools/hammer"));
  expect(programPaths(alone, nothingPrivate)).toEqual([alone]);
  mkdirSync(join(root, "home/lib"), { recursive: true });
  const personal = program(join(root, "home/bin/hammer"));
  expect(programPaths(personal, (path) => path === join(root, "home"))).toEqual([personal]);
});

test("a program in somebody's project brings its libraries and nothing else of the project", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  mkdirSync(join(root, "lib"));
  const path = program(join(root, "bin/tool"));
  writeFileSync(join(root, ".env"), "KEY=secret");
  expect(programPaths(path, nothingPrivate)).toEqual([join(root, "bin"), join(root, "lib")]);
  writeFileSync(join(root, "pyvenv.cfg"), "");
  expect(programPaths(path, nothingPrivate)).toContain(join(root, "pyvenv.cfg"));
});

test("a link needs each place on the way to the program", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  for (const name of ["real", "middle", "venv"]) mkdirSync(join(root, name, "lib"), { recursive: true });
  const real = program(join(root, "real/bin/python3.12"));
  for (const name of ["middle", "venv"]) mkdirSync(join(root, name, "bin"));
  symlinkSync(real, join(root, "middle/bin/python3"));
  symlinkSync("../../middle/bin/python3", join(root, "venv/bin/python"));
  expect(programPaths(join(root, "venv/bin/python"), nothingPrivate)).toEqual([
    join(root, "venv"),
    join(root, "middle"),
    join(root, "real"),
  ]);
});

test("the home folder, what is around it and its own programs hold more than programs", () => {
  for (const folder of ["/", dirname(homedir()), homedir(), join(homedir(), ".local")]) {
    expect([folder, isPersonal(folder)]).toEqual([folder, true]);
  }
  expect(isPersonal(join(homedir(), ".pyenv/versions/3.12"))).toBe(false);
});
