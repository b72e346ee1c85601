import { expect, test } from "vitest";
import { answering, countingTasks, emptyProject } from "./built-cli.ts";

/** Four tasks, of which the skill gets the second and fourth wrong. */
async function halfRight() {
  const place = await emptyProject();
  await place.skill("counter", answering("return input.n % 2 ? input.n : 0;"));
  await place.write("tasks.json", countingTasks(4));
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: place.path,
    GITHUB_STEP_SUMMARY: place.at("summary.md"),
  };
  return { ...place, env };
}

const line = "eval --skills skills/counter --tasks tasks.json --exit-on-fail".split(" ");

test("on GitHub Actions what did not pass is annotated at the tasks, and the job has a summary", async () => {
  await using place = await halfRight();

  const { code, stdout, stderr } = await place.run(line, { env: place.env });

  expect(code).toBe(1);
  expect(stderr.match(/^::error .*$/gm)).toEqual([
    expect.stringMatching(/^::error title=2 of 4 failed::/),
    "::error title=counter%3A t2 failed,file=tasks.json::expected 2, got 0",
    "::error title=counter%3A t4 failed,file=tasks.json::expected 4, got 0",
  ]);
  expect(stdout).not.toContain("::");
  expect(await place.read("summary.md")).toMatch(/^## ✗ 2 of 4 failed\n[\s\S]*expected 2, got 0/);
});

test("a bundled benchmark has no file in the repository: the skill's own is annotated", async () => {
  await using place = await halfRight();
  const bundled = "eval --skills skills/counter --benchmark coding-easy --case coding_001".split(" ");

  const { stderr } = await place.run(bundled, { env: place.env });

  expect(stderr).toContain("file=skills/counter/skill.json::");
});

test("with --json stdout stays one document", async () => {
  await using place = await halfRight();

  const { document, stderr } = await place.run([...line, "--json"], { env: place.env });

  expect(document).toMatchObject({ run: { command: "eval" }, passed: 2 });
  expect(stderr).toContain("::error ");
});

test("a summary that cannot be written is a warning, and changes nothing", async () => {
  await using place = await halfRight();
  const env = { ...place.env, GITHUB_STEP_SUMMARY: place.at("no/such/folder/summary.md") };

  const { code, stderr } = await place.run(line, { env });

  expect(code).toBe(1);
  expect(stderr).toMatch(/warning: cannot write the job summary/);
});

test("anywhere else there are no annotations", async () => {
  await using place = await halfRight();

  const { stderr } = await place.run(line);

  expect(stderr).not.toContain("::error");
});
