import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSkillProject } from "../../../test/builders/sample-skill-project.ts";
import { capturedCli } from "../../../test/captured-world.ts";

/** A project whose verdicts were exported, and whose store is gone, as on another machine. */
async function exportedProject() {
  const world = await capturedCli();
  writeSkillProject(world.cwd, { skills: 2, broken: { 1: "unit" } });
  const run = (...argv: string[]) =>
    world.run([...argv, "--json"], { env: { PATH: process.env.PATH ?? "" } });
  const line = ["test", "--level", "unit", "--sandbox", "process"];
  const first = await run(...line);
  const exported = await run("store", "export", "--keys", "verdicts.ndjson");
  const at = (name: string) => join(world.cwd, name);
  for (const name of ["eval-skills.db", "eval-skills.db-wal", "eval-skills.db-shm"])
    rmSync(at(name), { force: true });
  return { ...world, at, run, line, first, exported };
}

test("verdicts move to another machine, where --changed keeps them; importing twice adds nothing", async () => {
  await using project = await exportedProject();
  const { first, exported, line, run } = project;
  expect(exported.document).toMatchObject({ verdicts: 4 });

  const imported = await run("store", "import", "--keys", "verdicts.ndjson");
  const again = await run("store", "import", "--keys", "verdicts.ndjson");
  const second = await run(...line, "--changed");

  expect(imported.document).toMatchObject({ verdicts: 4, imported: true });
  expect(again.document).toMatchObject({ verdicts: 4, imported: false });
  expect(second.exitCode).toBe(first.exitCode);
  expect(second.document.run.reused).toEqual({ cells: 4, runs: [first.document.run.id], isAll: false });
  expect((await run("test", "--resume", "--sandbox", "process")).document.run.id).toBe(
    second.document.run.id,
  );
});

test.each<[what: string, damage: (text: string) => string, words: string]>([
  [
    "a changed verdict",
    (text) => text.replace('"status":"fail"', '"status":"pass"'),
    "are not those that were written",
  ],
  ["a cut file", (text) => text.slice(0, text.lastIndexOf("\n{") + 1), "its end is missing"],
  ["a repeated cell", (text) => text.replace(/(\n\{"cell".*?)(?=\n)/, "$1$1"), "line 3 repeats the cell"],
  ["another file", () => "{}\n", "line 1 is not what `store export` writes"],
])("%s is refused, and no store is made", async (_, damage, words) => {
  await using project = await exportedProject();
  const file = project.at("verdicts.ndjson");
  writeFileSync(file, damage(readFileSync(file, "utf8")));

  const { exitCode, document } = await project.run("store", "import", "--keys", "verdicts.ndjson");

  expect(exitCode).toBe(2);
  expect(document.error.message).toContain(words);
  expect(() => readFileSync(project.at("eval-skills.db"))).toThrow("ENOENT");
});

test("without a store there is nothing to export", async () => {
  await using project = await capturedCli();
  expect((await project.run(["store", "export", "--keys", "verdicts.ndjson"])).exitCode).toBe(2);
});
