import { expect, test } from "vitest";
import { answering, countingTasks, emptyProject } from "./built-cli.ts";

/** Four tasks, of which the skill gets the second and fourth wrong. */
async function halfRight() {
  const project = await emptyProject();
  await project.skill("counter", answering("return input.n % 2 ? input.n : 0;"));
  await project.write("tasks.json", countingTasks(4));
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: project.path,
    GITHUB_STEP_SUMMARY: project.at("summary.md"),
  };
  return { ...project, env };
}

const line = "eval --skills skills/counter --tasks tasks.json --exit-on-fail".split(" ");

test("on GitHub Actions what did not pass is annotated at the tasks, and the job has a summary", async () => {
  await using project = await halfRight();

  const { code, stdout, stderr } = await project.run(line, { env: project.env });

  expect(code).toBe(1);
  expect(stderr.match(/^::error .*$/gm)).toEqual([
    expect.stringMatching(/^::error title=2 of 4 failed::/),
    "::error title=counter%3A t2 failed,file=tasks.json::expected 2, got 0",
    "::error title=counter%3A t4 failed,file=tasks.json::expected 4, got 0",
  ]);
  expect(stdout).not.toContain("::");
  expect(await project.read("summary.md")).toMatch(/^## ✗ 2 of 4 failed\n[\s\S]*expected 2, got 0/);
});

test("a bundled benchmark has no file in the repository: the skill's own is annotated", async () => {
  await using project = await halfRight();
  const bundled = "eval --skills skills/counter --benchmark coding-easy --case coding_001".split(" ");

  const { stderr } = await project.run(bundled, { env: project.env });

  expect(stderr).toContain("file=skills/counter/skill.json::");
});

test("with --json stdout stays one document", async () => {
  await using project = await halfRight();

  const { document, stderr } = await project.run([...line, "--json"], { env: project.env });

  expect(document).toMatchObject({ run: { command: "eval" }, passed: 2 });
  expect(stderr).toContain("::error ");
});

test("a summary that cannot be written is a warning, and changes nothing", async () => {
  await using project = await halfRight();
  const env = { ...project.env, GITHUB_STEP_SUMMARY: project.at("no/such/folder/summary.md") };

  const { code, stderr } = await project.run(line, { env });

  expect(code).toBe(1);
  expect(stderr).toMatch(/warning: cannot write the job summary/);
});

test("anywhere else there are no annotations", async () => {
  await using project = await halfRight();

  const { stderr } = await project.run(line);

  expect(stderr).not.toContain("::error");
});
