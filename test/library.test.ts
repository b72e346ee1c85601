import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

const root = resolve(import.meta.dirname, "..");
const execute = promisify(execFile);
const guide = readFileSync(join(root, "docs/guides/use-as-a-library.md"), "utf8");
const [, program = ""] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];

/** A project that has the package as npm would install it: unpacked from its tarball, its dependencies beside it. */
async function projectWithPackage() {
  const folder = await temporaryFolder();
  const modules = join(folder.path, "node_modules");
  await mkdir(join(modules, "eval-skills"), { recursive: true });
  const pack = await execute(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder.path],
    {
      cwd: root,
    },
  );
  const [{ filename }] = JSON.parse(pack.stdout);
  await execute("tar", [
    "xzf",
    join(folder.path, filename),
    "--strip-components=1",
    "-C",
    join(modules, "eval-skills"),
  ]);
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    await mkdir(resolve(modules, name, ".."), { recursive: true });
    await symlink(join(root, "node_modules", name), join(modules, name));
  }
  await writeFile(join(folder.path, "package.json"), JSON.stringify({ type: "module" }));
  return folder;
}

test("the program of the guide, in at most 15 lines, type-checks and runs against the packed package", async () => {
  await using project = await projectWithPackage();
  const at = (name: string) => join(project.path, name);
  const lines = program.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.length).toBeLessThanOrEqual(15);
  await writeFile(at("program.ts"), `${program}\nexport {};\n`);
  await writeFile(at("program.mjs"), program);
  await mkdir(at("skills"));
  await symlink(join(root, "examples/calculator"), at("skills/my_calc"));

  const options = "--noEmit --strict --target es2023 --module nodenext --types node".split(" ");
  const checked = await execute(
    join(root, "node_modules/.bin/tsc"),
    [...options, "--typeRoots", join(root, "node_modules/@types"), "program.ts"],
    { cwd: project.path },
  ).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe("");
  const ran = await execute(process.execPath, ["program.mjs"], { cwd: project.path });

  expect(ran.stdout).toMatch(/^calculator: 1 \{\n +lower: 0\.8389,\n +upper: 1,\n/);
  expect(ran.stderr).toBe("");
});
