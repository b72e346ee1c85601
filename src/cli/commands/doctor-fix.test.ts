import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";

const skill = (more: string) =>
  `---\nname: sorter\ndescription: Sorts words. Use when a list of words has to be sorted.\n${more}---\n# Sorter\n`;

async function openProject(files: Readonly<Record<string, string>>) {
  const cli = await capturedCli();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true });
    writeFileSync(join(cli.cwd, path), text);
  }
  const text = (path: string) => readFileSync(join(cli.cwd, path), "utf8");
  return { ...cli, text, doctor: (...argv: string[]) => cli.run(["doctor", ...argv]) };
}

test("--fix fixes what it can, shows it as a diff, and reports what is left", async () => {
  await using project = await openProject({ "skills/sorter/skill.md": skill("version: 1.0\npaths: [a]\n") });

  const { stdout, exitCode } = await project.doctor("./skills", "--fix");

  expect(exitCode).toBe(0);
  expect(stdout).toContain("fixed skills/sorter/skill.md → skills/sorter/SKILL.md  SKD07 SKM10");
  expect(stdout).toContain('-version: 1.0\n paths: [a]\n+metadata:\n+  version: "1.0"\n');
  expect(stdout).toContain("1 file fixed");
  expect(stdout).toContain('unknown field "paths"');
  expect(stdout).not.toContain('unknown field "version"');
  expect(project.text("skills/sorter/SKILL.md")).toBe(skill('paths: [a]\nmetadata:\n  version: "1.0"\n'));
  expect((await project.doctor("./skills", "--fix")).stdout).not.toContain("fixed");
});

test("--fix --json has the repairs in its one document, and without --fix nothing is written", async () => {
  await using project = await openProject({
    "skills/sorter/SKILL.md": skill("allowed-tools: Read, Write\n"),
  });

  const looked = await project.doctor("./skills", "--json");
  expect([looked.exitCode, "fixes" in looked.document]).toEqual([1, false]);
  const { document, exitCode } = await project.doctor("./skills", "--fix", "--json");

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
  await using project = await openProject({ "skills/sorter/SKILL.md": skill("version: 1\n") });

  await project.doctor("./skills", "--fix", "--kind", "prompt-tool");
  expect(project.text("skills/sorter/SKILL.md")).toBe(skill("version: 1\n"));
  const { stderr } = await project.doctor("./skills", "--fix", "--kind", "agent-skill", "--format", "sarif");
  expect(stderr).toContain("fixed skills/sorter/SKILL.md: SKM10");
});

test("--fix has nothing to act on where only the machine is looked at", async () => {
  await using project = await openProject({});
  const { exitCode, stderr } = await project.doctor("--machine", "--fix");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--fix applies to skills")]);
});
