import { expect, test } from "vitest";
import { answering, countingTasks, quickProject } from "./built-cli.ts";

test("what an evaluation found out is seen by find and history, until it is pruned", async () => {
  await using project = await quickProject();
  await project.skill("right", answering("return input.n;"), { manifest: { tags: ["math"] } });
  await project.skill("half", answering("return input.n % 2 ? input.n : null;"));
  await project.write("tasks.json", countingTasks(2));
  const evaluate = ["eval", "--skills", "skills", "--tasks", "tasks.json", "--format", "json"];
  expect((await project.run(evaluate)).code).toBe(0);
  expect((await project.run([...evaluate, "--runs", "2"])).code).toBe(0);

  const found = await project.run(["find", "--min-completion", "0.7", "--json"]);
  const history = await project.run(["history", "--skill", "half", "--json"]);
  const text = await project.run(["history"]);
  const pruned = await project.run(["store", "prune", "--before", "2999-01-01", "--json"]);
  const after = await project.run(["history", "--json"]);

  expect(found.document).toMatchObject({ skills: [{ id: "right", completionRate: 1 }], total: 1 });
  expect(history.document.rows).toMatchObject([
    { subject: "half", level: "unit", trials: 2, rate: 0.5, deltaRate: 0 },
    { subject: "half", level: "unit", trials: 1, rate: 0.5, deltaRate: null },
  ]);
  expect(text.stdout).toContain("right on tasks.json  ██  100.0% → 100.0%");
  expect(pruned.document.removed).toEqual({ runs: 2, vectors: 0, cache: 0 });
  expect(pruned.document.bytesFreed).toBeGreaterThan(0);
  expect(after.document.rows).toEqual([]);
});

test("a run over a part of a benchmark is not taken for the whole", async () => {
  await using project = await quickProject();
  await project.skill("half", answering("return input.n % 2 ? input.n : null;"));
  await project.write("tasks.json", countingTasks(2));
  const evaluate = ["eval", "--skills", "skills", "--tasks", "tasks.json", "--format", "json"];
  await project.run(evaluate);
  expect((await project.run([...evaluate, "--case", "t1", "--json"])).document).toMatchObject({
    passed: 1,
    total: 1,
  });

  expect((await project.run(["find", "--json"])).document.skills).toMatchObject([{ completionRate: 0.5 }]);
  expect((await project.run(["history", "--json"])).document.rows).toHaveLength(1);
});

test("tasks that were edited begin a new series, and skills that ran other ones are not compared unsaid", async () => {
  await using project = await quickProject();
  await project.skill("right", answering("return input.n;"));
  await project.skill("half", answering("return input.n % 2 ? input.n : null;"));
  const evaluate = ["eval", "--tasks", "tasks.json", "--format", "json", "--skills"];
  await project.write("tasks.json", countingTasks(2));
  expect((await project.run([...evaluate, "skills"])).code).toBe(0);
  await project.write("tasks.json", countingTasks(3));
  expect((await project.run([...evaluate, "skills/half"])).code).toBe(0);

  const history = await project.run(["history", "--skill", "half", "--json"]);
  const warning =
    "the cases of tasks.json changed between runs: half ran the newest ones, right earlier ones";

  expect(history.document.rows).toMatchObject([
    { deltaRate: null, hasNewCases: true },
    { deltaRate: null, hasNewCases: false },
  ]);
  expect((await project.run(["find"])).stderr).toContain(warning);
  expect((await project.run(["select", "--from", "skills"])).stderr).toContain(warning);
});

test.each(["find", "history", "store", "store prune", "schema", "completion"])(
  "the help of %s has examples, and every example that can run here does",
  async (command) => {
    await using project = await quickProject();
    await project.skill("a", answering("return 1;"));
    await project.write("tasks.json", countingTasks(1));
    await project.run(["eval", "--skills", "skills", "--tasks", "tasks.json"]);

    const { stdout, code } = await project.run([...command.split(" "), "--help"]);

    expect(code).toBe(0);
    const examples = [...stdout.matchAll(/^ {2}\$ eval-skills (.*)$/gm)].map(([, line]) => line ?? "");
    expect(examples.length).toBeGreaterThan(0);
    for (const line of examples.filter((one) => !/[<>]|--store/.test(one))) {
      const words = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', "")) ?? [];
      expect((await project.run(words)).code, line).toBe(0);
    }
  },
);
