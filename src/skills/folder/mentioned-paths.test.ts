import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { outsideDigest } from "./mentioned-paths.ts";

async function project(files: Record<string, string>) {
  const folder = await temporaryFolder();
  const write = (path: string, text: string) => {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const own = Object.keys(files).flatMap((path) => (path.startsWith("a/") ? path.slice(2) : []));
  return {
    write,
    digest: (exclude: string[] = []) =>
      outsideDigest(
        join(folder.path, "a"),
        own,
        exclude.map((path) => join(folder.path, path)),
      ),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test.each([
  ["a module", { "a/run.mjs": 'import "../lib/sum.mjs";', "lib/sum.mjs": "1" }, "lib/sum.mjs"],
  ["a module without its ending", { "a/run.py": "'../lib/sum'", "lib/sum.py": "1" }, "lib/sum.py"],
  ["a folder", { "a/run.py": "sys.path.append('../lib')", "lib/sum.py": "1" }, "lib/sum.py"],
  [
    "what that names",
    { "a/run.sh": "../lib/all.sh", "lib/all.sh": "source ./one.sh", "lib/one.sh": "1" },
    "lib/one.sh",
  ],
])("%s outside of the folder that a file names counts", async (_, files, changed) => {
  await using skills = await project(files);
  const before = skills.digest();
  skills.write(changed, "2");

  expect(before).toMatch(/^sha256:/);
  expect(skills.digest()).not.toBe(before);
});

test.each<[string, Record<string, string>]>([
  ["nothing outside", { "a/run.mjs": 'import "./sum.mjs";', "a/sum.mjs": "1" }],
  ["its own file on a way around", { "a/run.mjs": 'import "../a/sum.mjs";', "a/sum.mjs": "1" }],
  ["what is around it", { "a/run.py": "sys.path.append('../..')", "b.py": "1" }],
  ["what is not there", { "a/SKILL.md": "see ../lib/sum.mjs" }],
  ["what runs write", { "a/SKILL.md": "see ../reports/result.json", "reports/result.json": "1" }],
  ["something in a package that is installed", { "a/node_modules/x/i.js": '"../../../b.js"', "b.js": "1" }],
])("a skill that names %s has no such digest", async (_, files) => {
  await using skills = await project(files);

  expect(skills.digest(["reports"])).toBeNull();
});
