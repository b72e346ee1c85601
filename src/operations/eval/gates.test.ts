import { expect, test } from "vitest";
import { evalProject, task } from "../../../test/eval-project.ts";
import { evaluate } from "./evaluate.ts";

const unscored = { type: "custom", customScorerPath: "./none.mjs" };

/** Ten tasks that are answered rightly, of which so many get no verdict. */
async function projectWithInvalid(count: number) {
  const project = await evalProject(
    Array.from({ length: 10 }, (_, n) =>
      task(`t${n}`, {}, n < count ? { expectedOutput: unscored } : undefined),
    ),
  );
  project.write("none.mjs", "export default () => process.exit(0);");
  return project;
}

test("nine of ten without a verdict are no green where half is accepted", async () => {
  await using project = await projectWithInvalid(9);

  const { report } = await evaluate({
    skills: ["skill"],
    benchmark: "./bench.json",
    sandbox: "process",
    cwd: project.at("."),
    maxInvalid: 0.5,
    minCompletion: 0.8,
  });

  expect(report.exitCode).toBe(3);
  expect(report.subjects).toMatchObject([
    {
      unknown: { count: 9, of: 10, maxShare: 0.5 },
      metrics: { completionRate: { value: 1 }, completionWithInvalid: { value: 0.1 } },
    },
  ]);
});

test("what is accepted is accepted", async () => {
  await using project = await projectWithInvalid(1);

  const { report } = await evaluate({
    skills: ["skill"],
    benchmark: "./bench.json",
    sandbox: "process",
    cwd: project.at("."),
    maxInvalid: 0.1,
    minCompletion: 0.8,
  });

  expect(report.exitCode).toBe(0);
});
