import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { type EvalProject, evalProject, skillManifest, task } from "../../test/eval-project.ts";
import { prepareRun } from "../operations/eval/preflight.ts";
import type { PlanOptions } from "../operations/eval/request.ts";
import { runIdentity } from "../operations/eval/session.ts";
import { differences, refuseChanged } from "./stored-plan.ts";

/** The error when resuming after this change, or null where it is allowed. */
async function afterChange(
  project: EvalProject,
  change: () => void,
  changes: Partial<PlanOptions> = {},
): Promise<string | null> {
  await using before = await prepareRun(project.plan(), project.context());
  const stored = JSON.parse(JSON.stringify(runIdentity(before))) as Record<string, string>;
  change();
  await using now = await prepareRun(project.plan(changes), project.context());
  try {
    refuseChanged("r1", differences(stored, runIdentity(now)));
    return null;
  } catch (error) {
    expect(error).toMatchObject({ name: "UserError", code: "usage", exitCode: 2 });
    return (error as Error).message;
  }
}

function bench(tasks: object[], more: object = {}) {
  return { id: "bench", name: "Bench", version: "1.0.0", tasks, ...more };
}

test("nothing changed, nothing refused", async () => {
  await using project = await evalProject([task("one")]);

  expect(await afterChange(project, () => {})).toBeNull();
});

test.each<[string, (project: EvalProject) => void, string]>([
  ["a file of the skill", (project) => project.write("skill/extra.txt", "x"), "skill obedient"],
  [
    "the adapter config",
    (project) => project.write("skill/adapter.config.json", { type: "subprocess", timeoutMs: 5 }),
    "adapter config of obedient",
  ],
  [
    "the input of a task",
    (project) => project.write("bench.json", bench([task("one", { x: 1 }), task("two")])),
    "task one",
  ],
  [
    "an expectation",
    (project) =>
      project.write("bench.json", bench([task("one"), { ...task("two"), expectedOutput: { value: 1 } }])),
    "task two",
  ],
  [
    "a scorer",
    (project) =>
      project.write("bench.json", bench([task("one"), task("two", {}, { evaluator: { strict: true } })])),
    "task two",
  ],
  ["a task that is gone", (project) => project.write("bench.json", bench([task("one")])), "task two"],
  [
    "a task that is new",
    (project) => project.write("bench.json", bench([task("one"), task("two"), task("three")])),
    "task three",
  ],
  [
    "how the benchmark is scored",
    (project) =>
      project.write("bench.json", bench([task("one"), task("two")], { scoringMethod: "weighted_mean" })),
    "benchmark bench",
  ],
  [
    "the benchmark's name",
    (project) => project.write("bench.json", { ...bench([task("one"), task("two")]), id: "other" }),
    "benchmark bench",
  ],
])("a change of %s is refused by name", async (_, change, name) => {
  await using project = await evalProject([task("one"), task("two")]);

  const message = await afterChange(project, () => change(project));

  expect(message).toMatch(/^run r1 cannot be resumed: .* ha(s|ve) changed since it started$/);
  expect(message).toContain(name);
});

test("only what changed is named", async () => {
  await using project = await evalProject([task("one"), task("two")]);

  const message = await afterChange(project, () =>
    project.write("bench.json", bench([task("one"), task("two", { x: 1 })])),
  );

  expect(message).toBe("run r1 cannot be resumed: task two has changed since it started");
});

test("a changed adapter config is seen where the digest leaves it out", async () => {
  await using project = await evalProject([task("one")]);
  const metadata = { digestIgnore: ["adapter.config.json"] };
  project.write("skill/skill.json", { ...skillManifest, metadata });

  const message = await afterChange(project, () => rmSync(project.at("skill/adapter.config.json")));

  expect(message).toBe(
    "run r1 cannot be resumed: the adapter config of obedient has changed since it started",
  );
});

test("another fallback scorer is a change of every task that relies on it", async () => {
  await using project = await evalProject([task("one")]);

  const message = await afterChange(project, () => {}, { evaluator: "close_to" });

  expect(message).toContain("task one");
});

test("many changes are counted, not listed", async () => {
  const names = Array.from({ length: 9 }, (_, n) => `t${n}`);
  await using project = await evalProject(names.map((name) => task(name)));

  const message = await afterChange(project, () =>
    project.write("bench.json", bench(names.map((name) => task(name, { x: 1 })))),
  );

  expect(message).toMatch(
    /task t0, task t1, task t2, task t3, task t4 and 4 more have changed since it started$/,
  );
});

test("tasks with the names of object members are compared like any other", async () => {
  const odd = ["__proto__", "constructor", "toString"].map((name) => task(name));
  await using project = await evalProject(odd);

  expect(await afterChange(project, () => {})).toBeNull();
  const message = await afterChange(project, () => project.write("bench.json", bench(odd.slice(1))));
  expect(message).toContain("task __proto__");
});

test("touching files or writing them with other spaces changes nothing of a benchmark", async () => {
  await using project = await evalProject([task("one")]);

  expect(
    await afterChange(project, () =>
      project.write("bench.json", JSON.stringify(bench([task("one")]), null, 2)),
    ),
  ).toBeNull();
});
