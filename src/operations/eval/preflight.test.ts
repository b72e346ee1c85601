import PoolClass from "undici/lib/dispatcher/pool.js";
import { expect, test, vi } from "vitest";
import { type EvalProject, evalProject, skillManifest, task } from "../../../test/eval-project.ts";
import { httpServer } from "../../../test/local-server.ts";
import { settingsAt } from "../../../test/model-server.ts";
import { openPermissions } from "../../config/grants/open-permissions.ts";
import { prepareRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";

interface Case {
  name: string;
  arrange?: (project: EvalProject) => void;
  plan?: Partial<PlanOptions>;
  grants?: string[];
  error: object;
}

const bench = { id: "bench", name: "Bench", version: "1.0.0", tasks: [task("one")] };
const httpSkill = { ...skillManifest, adapterType: "http", entrypoint: "http://127.0.0.1:9/invoke" };

const cases: Case[] = [
  { name: "no skill at all", plan: { skills: [] }, error: { code: "nothing-to-do" } },
  {
    name: "a skill that is not there",
    plan: { skills: ["skil"] },
    error: { code: "skill-not-found", path: "skil" },
  },
  {
    name: "a benchmark that is not there",
    plan: { benchmark: "nope" },
    error: { code: "benchmark-not-found", path: "nope" },
  },
  {
    name: "a folder of benchmarks that is not there",
    plan: { benchmark: "bench", benchmarksDir: "./benchmark" },
    error: { code: "benchmark-not-found", path: "./benchmark" },
  },
  {
    name: "a tasks file that is not there",
    plan: { tasks: "t.json" },
    error: { code: "benchmark-not-found" },
  },
  { name: "a tag no task has", plan: { taskTags: ["x"] }, error: { code: "nothing-to-do" } },
  {
    name: "a case no task has",
    plan: { cases: ["on"] },
    error: { code: "usage", hint: "did you mean one?" },
  },
  {
    name: "pass@k with fewer runs than k",
    arrange: ({ write }) => write("bench.json", { ...bench, scoringMethod: "pass_at_k", k: 3 }),
    plan: { runs: 2 },
    error: { code: "usage", message: expect.stringContaining("--runs 3") },
  },
  {
    name: "an expectation without a value",
    arrange: ({ write }) =>
      write("bench.json", { ...bench, tasks: [{ ...task("one"), expectedOutput: {} }] }),
    error: { code: "expectation-vacuous", jsonPath: "$.tasks[0].expectedOutput.value" },
  },
  {
    name: "a document for a skill that is no tool",
    arrange: ({ write }) => write("bench.json", { ...bench, tasks: [task("one", {}, { document: "text" })] }),
    error: { code: "benchmark-invalid", jsonPath: "$.tasks[0].document" },
  },
  {
    name: "an error expected of a skill that is never called",
    arrange: ({ write }) => {
      const expectedOutput = { type: "error", code: "timeout" };
      write("bench.json", { ...bench, subject: "files", tasks: [{ ...task("one"), expectedOutput }] });
    },
    error: { code: "scorer-invalid", jsonPath: "$.tasks[0]" },
  },
  {
    name: "a list of tasks with several wrong expectations",
    arrange: ({ write }) =>
      write("tasks.json", [
        { ...task("one"), expectedOutput: { type: "exct", value: 1 } },
        task("two"),
        { ...task("three"), expectedOutput: { type: "contains", keywords: [] } },
      ]),
    plan: { tasks: "tasks.json" },
    error: {
      code: "scorer-invalid",
      jsonPath: "$[0].expectedOutput.type",
      message: expect.stringMatching(
        /tasks\.json has 2 problems:\n {2}1:\d+ task one: unknown scorer "exct", did you mean exact\?\n {2}1:\d+ task three: /,
      ),
    },
  },
  {
    name: "an expectation without a value in a bare list",
    arrange: ({ write }) => write("tasks.json", [task("one"), { ...task("two"), expectedOutput: {} }]),
    plan: { tasks: "tasks.json" },
    error: {
      code: "expectation-vacuous",
      jsonPath: "$[1].expectedOutput.value",
      message: expect.stringMatching(/tasks\.json:1:\d+: task two: /),
    },
  },
  {
    name: "a program that is not there",
    arrange: ({ write }) =>
      write("skill/skill.json", { ...skillManifest, entrypoint: "no-such-program-at-all x" }),
    error: { code: "adapter-invalid", message: expect.stringContaining("no-such-program-at-all") },
  },
  {
    name: "a script that is not in the folder",
    arrange: ({ write }) => write("skill/skill.json", { ...skillManifest, entrypoint: "node gone.mjs" }),
    error: { code: "adapter-invalid", message: expect.stringContaining("gone.mjs is not in the folder") },
  },
  {
    name: "an entrypoint with an open quote",
    arrange: ({ write }) => write("skill/skill.json", { ...skillManifest, entrypoint: 'node "skill.mjs' }),
    error: { code: "adapter-invalid" },
  },
  {
    name: "an adapter.config.json of another adapter",
    arrange: ({ write }) => write("skill/skill.json", { ...skillManifest, adapterType: "mcp" }),
    error: { code: "adapter-invalid", jsonPath: "$.type" },
  },
  {
    name: "a token variable that is not set",
    arrange: ({ write }) => {
      write("skill/skill.json", httpSkill);
      write("skill/adapter.config.json", {
        type: "http",
        authType: "bearer",
        authTokenEnvKey: "NO_SUCH_TOKEN",
      });
    },
    grants: ["env:NO_SUCH_TOKEN", "host:127.0.0.1:9"],
    error: { code: "secret-missing", message: expect.stringContaining("NO_SUCH_TOKEN") },
  },
  {
    name: "a check of files that nobody can do",
    arrange: ({ write }) =>
      write("bench.json", {
        ...bench,
        subject: "files",
        tasks: [{ ...task("one"), inputData: { check: "metdata" } }],
      }),
    error: { code: "benchmark-invalid", hint: "did you mean metadata?" },
  },
];

test.each(cases)("$name is refused before anything is called", async ({ arrange, plan, grants, error }) => {
  await using project = await evalProject([task("one")]);
  arrange?.(project);

  const permissions = openPermissions({
    cwd: project.at("."),
    project: project.at("."),
    typed: grants ?? [],
  });
  await expect(prepareRun(project.plan(plan), project.context({ permissions }))).rejects.toMatchObject(error);

  expect(project.called()).toEqual([]);
});

test("pass@k with enough runs, and a k nobody scores with, are fine", async () => {
  await using project = await evalProject([task("one")]);
  project.write("bench.json", { ...bench, k: 9 });
  await using _mean = await prepareRun(project.plan({ runs: 1 }), project.context());

  project.write("bench.json", { ...bench, scoringMethod: "pass_at_k", k: 3 });
  await using ready = await prepareRun(project.plan({ runs: 3 }), project.context());

  expect(ready.suite.cells.size).toBe(3);
});

test("a tasks file replaces the benchmark", async () => {
  await using project = await evalProject([task("one")]);
  project.write("more/mine.json", [task("a"), task("b")]);

  await using ready = await prepareRun(
    project.plan({ benchmark: null, tasks: "./more/mine.json" }),
    project.context(),
  );

  // Its path, so that files of the same name in other folders are other benchmarks.
  expect(ready.benchmark.id).toBe("more/mine.json");
  expect(ready.suite.cells.size).toBe(2);
});

test("inputs that do not fit what a skill takes are one warning, however many they are", async () => {
  const inputSchema = { type: "object", required: ["query"] };
  await using project = await evalProject(Array.from({ length: 8 }, (_, n) => task(`t${n}`)));
  project.write("skill/skill.json", { ...skillManifest, inputSchema });

  await using ready = await prepareRun(project.plan(), project.context());

  expect(ready.warnings).toEqual([
    expect.stringContaining(
      "the inputs of 8 of 8 tasks do not match the inputSchema of obedient, first t0: ",
    ),
  ]);
});

test("a typed timeout that shortens nothing is a warning", async () => {
  await using project = await evalProject([task("one", {}, { timeoutMs: 100 })]);

  await using ready = await prepareRun(
    project.plan({ timeoutMs: 60_000, isTimeoutTyped: true }),
    project.context(),
  );

  expect(ready.warnings).toEqual([expect.stringContaining("--timeout 60000 has no effect")]);
});

test("a user's benchmark with a bundled id wins with a warning", async () => {
  await using project = await evalProject([task("one")]);
  project.write("bundled/coding-easy.json", { ...bench, id: "coding-easy" });
  project.write("benchmarks/mine.json", { ...bench, id: "coding-easy", tasks: [task("mine")] });

  await using ready = await prepareRun(project.plan({ benchmark: "coding-easy" }), project.context());

  expect(ready.tasks.map(({ task: { id } }) => id)).toEqual(["mine"]);
  expect(ready.warnings).toEqual([expect.stringContaining("overrides the bundled benchmark")]);
});

test("the keys of a plan are the same for the same files in another folder", async () => {
  await using left = await evalProject([task("one"), task("two")]);
  await using right = await evalProject([task("one"), task("two")]);
  for (const { write } of [left, right]) write("skill/adapter.config.json", { type: "subprocess" });

  await using here = await prepareRun(left.plan({ runs: 2 }), left.context());
  await using there = await prepareRun(right.plan({ runs: 2 }), right.context());

  expect([...here.suite.cells].map(({ key }) => key)).toEqual([...there.suite.cells].map(({ key }) => key));
});

test("a benchmark about files calls no skill, whatever its adapter", async () => {
  await using project = await evalProject([task("one")]);
  project.write("skill/skill.json", { ...skillManifest, adapterType: "mcp", entrypoint: "node gone.mjs" });
  project.write("skill/adapter.config.json", { type: "mcp" });
  const about = {
    id: "q",
    inputData: { check: "metadata" },
    expectedOutput: { type: "contains", keywords: ["ok"] },
  };
  project.write("bench.json", { ...bench, subject: "files", tasks: [about] });

  await using ready = await prepareRun(project.plan(), project.context());
  const [cell] = ready.suite.cells;
  if (cell === undefined) throw new Error("no cell");

  expect(await ready.suite.execute(cell, new AbortController().signal)).toMatchObject({
    status: "answered",
    output: { findings: expect.arrayContaining(["id: ok"]) },
  });
  expect(project.called()).toEqual([]);
});

const judged = task("judged", {}, { expectedOutput: { type: "llm_judge", judgePrompt: "Is it right?" } });

test("the connections of judges are closed with the run", async () => {
  await using server = await httpServer(() => {});
  await using project = await evalProject([judged]);
  const ready = await prepareRun(
    project.plan({ models: settingsAt(server, { retries: 0 }) }),
    project.context(),
  );
  const question = { messages: [{ role: "user", text: "well?" }] as const, temperature: 0 };
  const call = ready.judges[0]?.model.call(question, { signal: new AbortController().signal });
  await expect.poll(() => server.connections.open).toBe(1);

  await ready[Symbol.asyncDispose]();

  expect(await call).toMatchObject({ status: "failed", fault: "unavailable" });
  await expect.poll(() => server.connections.open).toBe(0);
});

test("judges that were opened before a mistake was found are closed as well", async () => {
  using closed = vi.spyOn(PoolClass.prototype, "destroy");
  await using project = await evalProject([judged, { ...task("vacuous"), expectedOutput: {} }]);
  const models = settingsAt({ url: "http://127.0.0.1:9" });

  await expect(prepareRun(project.plan({ models }), project.context())).rejects.toMatchObject({
    code: "expectation-vacuous",
  });

  expect(new Set(closed.mock.contexts).size).toBe(1);
});
