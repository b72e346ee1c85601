import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../src/shared/files/find-program.ts";
import { answering, countingTasks, emptyProject } from "./built-cli.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A project on a machine that has what skills need, and no bubblewrap. */
async function machineWithout() {
  const project = await emptyProject();
  // Outside of the project: what lies in it is taken off the PATH.
  const { path: programs, ...machine } = await temporaryFolder();
  for (const name of ["node", "python3", "sh", "prlimit", "grep"]) {
    const found = findProgram(name, process.env);
    if (found !== null) symlinkSync(found, join(programs, name));
  }
  await project.skill("counts", answering("return input.n;"));
  await project.write("tasks.json", countingTasks(2));
  const run = (...flags: string[]) =>
    project.run(["eval", "--skills", "skills/counts", "--tasks", "tasks.json", ...flags], {
      env: { PATH: programs },
    });
  return {
    ...project,
    run,
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

test("without bubblewrap auto runs at process, with one warning line and the stamp", async () => {
  await using project = await machineWithout();

  const ended = await project.run("--format", "json", "--min-completion", "1", "--exit-on-fail");

  expect(ended.code).toBe(0);
  const warnings = ended.stderr.split("\n").filter((line) => line.includes("containment"));
  expect(warnings).toEqual([
    expect.stringMatching(
      /containment: process, network: open, answer keys readable \(bubblewrap not installed(; try: .* bubblewrap)?\)$/,
    ),
  ]);
  const report = JSON.parse(await project.read("reports/eval-result.json"));
  expect(report.run.containment).toMatchObject({
    level: "process",
    network: "open",
    hint: expect.stringMatching(/^bubblewrap not installed/),
  });
});

test("without bubblewrap a demanded strict is refused, and nothing has run", async () => {
  await using project = await machineWithout();

  const asText = await project.run("--sandbox", "strict");
  const asJson = await project.run("--sandbox", "strict", "--json");

  expect([asText.code, asJson.code]).toEqual([2, 2]);
  expect(asText.stderr.split("\n").slice(0, 2)).toEqual([
    "E_SANDBOX_UNAVAILABLE: strict containment was requested but cannot be proven here. Nothing was run.",
    expect.stringMatching(/^ {2}bubblewrap {8}not found {7}.*\(0\.8 or newer\)$/),
  ]);
  expect(asText.stderr).toContain("hint: `eval-skills doctor` lists every check.");
  expect(asJson.document).toMatchObject({ error: { code: "sandbox-unavailable" }, exitCode: 2 });
  for (const file of ["reports", "eval-skills.db"]) expect(existsSync(project.at(file)), file).toBe(false);
});
