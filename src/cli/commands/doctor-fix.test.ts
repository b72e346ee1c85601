import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { capturedWorld } from "../../../test/captured-world.ts";

const skill = (more: string) =>
  `---\nname: sorter\ndescription: Sorts words. Use when a list of words has to be sorted.\n${more}---\n# Sorter\n`;

async function project(files: Readonly<Record<string, string>>) {
  const world = await capturedWorld();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.cwd, path)), { recursive: true });
    writeFileSync(join(world.cwd, path), text);
  }
  const text = (path: string) => readFileSync(join(world.cwd, path), "utf8");
  return { ...world, text, doctor: (...argv: string[]) => world.run(["doctor", ...argv]) };
}

test("--fix fixes what it can, shows it as a diff, and reports what is left", async () => {
  await using place = await project({ "skills/sorter/skill.md": skill("version: 1.0\npaths: [a]\n") });

  const { stdout, exitCode } = await place.doctor("./skills", "--fix");

  expect(exitCode).toBe(0);
  expect(stdout).toContain("fixed skills/sorter/skill.md → skills/sorter/SKILL.md  SKD07 SKM10");
  expect(stdout).toContain('-version: 1.0\n paths: [a]\n+metadata:\n+  version: "1.0"\n');
  expect(stdout).toContain("1 file fixed");
  expect(stdout).toContain('unknown field "paths"');
  expect(stdout).not.toContain('unknown field "version"');
  expect(place.text("skills/sorter/SKILL.md")).toBe(skill('paths: [a]\nmetadata:\n  version: "1.0"\n'));
  expect((await place.doctor("./skills", "--fix")).stdout).not.toContain("fixed");
});

test("--fix --json has the repairs in its one document, and without --fix nothing is written", async () => {
  await using place = await project({ "skills/sorter/SKILL.md": skill("allowed-tools: Read, Write\n") });

  const looked = await place.doctor("./skills", "--json");
  expect([looked.exitCode, "fixes" in looked.document]).toEqual([1, false]);
  const { document, exitCode } = await place.doctor("./skills", "--fix", "--json");

  expect([exitCode, document.exitCode, document.diagnostics]).toEqual([0, 0, []]);
  expect(document.fixes).toEqual([
    {
      file: "skills/sorter/SKILL.md",
      newFile: "skills/sorter/SKILL.md",
      codes: ["SKM09"],
      diff: expect.stringContaining("+allowed-tools: Read Write\n"),
    },
  ]);
});

test("--fix fixes the kinds that were asked for", async () => {
  await using place = await project({ "skills/sorter/SKILL.md": skill("version: 1\n") });

  await place.doctor("./skills", "--fix", "--kind", "prompt-tool");
  expect(place.text("skills/sorter/SKILL.md")).toBe(skill("version: 1\n"));
  const { stderr } = await place.doctor("./skills", "--fix", "--kind", "agent-skill", "--format", "sarif");
  expect(stderr).toContain("fixed skills/sorter/SKILL.md: SKM10");
});

test("--fix has nothing to act on where only the machine is looked at", async () => {
  await using place = await project({});
  const { exitCode, stderr } = await place.doctor("--machine", "--fix");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--fix applies to skills")]);
});
