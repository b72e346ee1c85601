import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedWorld } from "../../test/captured-world.ts";

const target = "./skills/read_back#echo_query";
const starter = ["--tasks", "./skills/read_back/tests/echo_query.eval.json"];

/** A project with a fresh skill of the template prompt_tools, in which commands find the programs of this machine. */
async function toolProject() {
  const world = await capturedWorld();
  const env = { PATH: process.env.PATH ?? "" };
  const run = (...argv: string[]) => world.run([...argv, "--json"], { env });
  await run("create", "--name", "read_back", "--from-template", "prompt_tools");
  const at = (name: string) => join(world.cwd, "skills/read_back", name);
  return { run, at, cwd: world.cwd, [Symbol.asyncDispose]: world[Symbol.asyncDispose] };
}

test("a tool passes its starter task, in several formats, and everything that goes by its id finds it again", async () => {
  await using project = await toolProject();
  const formats = ["--format", "json", "markdown", "csv", "junit"];

  const { document, exitCode } = await project.run("eval", "--skills", target, ...starter, ...formats);

  expect(exitCode).toBe(0);
  expect(document.reports).toMatchObject([
    {
      skillId: "read_back#echo_query",
      skillVersion: "0.1.0",
      counts: { total: 1, pass: 1 },
      taskResults: [{ output: { result: "hello" } }],
    },
  ]);
  const names = readdirSync(join(project.cwd, "reports")).filter((name) => name.startsWith("eval-result."));
  expect(names).toEqual(["csv", "json", "md", "xml"].map((ending) => `eval-result.${ending}`));
  for (const name of names)
    expect(readFileSync(join(project.cwd, "reports", name), "utf8")).toMatch(/read_back\\?#echo_query/);

  const resumed = await project.run("eval", "--resume", document.run.id);
  expect(resumed.document).toMatchObject({ run: { id: document.run.id }, passed: 17, total: 17 });

  const { document: history } = await project.run("history", "--skill", "read_back#echo_query");
  expect(history.rows).toMatchObject([{ skillId: "read_back#echo_query", completionRate: 1 }]);

  const { document: selection } = await project.run("select", "--from", target);
  expect(selection.selected).toMatchObject([
    { path: "skills/read_back/skill.json#echo_query", stale: false },
  ]);
  writeFileSync(join(project.cwd, "chosen.json"), JSON.stringify(selection));
  const { document: again } = await project.run("select", "--from", "chosen.json");
  expect(again.selected).toEqual(selection.selected);
});

test("two tools of one skill are two skills of a run, and what does not fit one is an outcome of its own", async () => {
  await using project = await toolProject();
  const manifest = JSON.parse(readFileSync(project.at("skill.json"), "utf8"));
  manifest.tools.push({ name: "shout", description: "Shouts", parameters: { type: "object" } });
  writeFileSync(project.at("skill.json"), JSON.stringify(manifest));
  writeFileSync(project.at("scripts/shout.py"), "def shout(query):\n    return {'result': query.upper()}\n");
  writeFileSync(
    join(project.cwd, "tasks.json"),
    JSON.stringify([
      { id: "said", inputData: { query: "hello" }, expectedOutput: { value: "hello" } },
      { id: "empty", inputData: {}, expectedOutput: { value: "" } },
    ]),
  );

  const both = [target, "./skills/read_back#shout"];
  const { document } = await project.run("eval", "--skills", ...both, "--tasks", "tasks.json");

  const told = document.reports.flatMap(
    (report: { skillId: string; taskResults: { taskId: string; status: string; error: object }[] }) =>
      report.taskResults.map(({ taskId, status, error }) => [report.skillId, taskId, status, error]),
  );
  expect(told).toEqual(
    expect.arrayContaining([
      ["read_back#echo_query", "said", "pass", null],
      ["read_back#echo_query", "empty", "error", { code: "bad-arguments", message: "/query is required" }],
      ["read_back#shout", "said", "fail", null],
      [
        "read_back#shout",
        "empty",
        "error",
        {
          code: "tool-failed",
          message: "TypeError: shout() missing 1 required positional argument: 'query'",
        },
      ],
    ]),
  );
  expect(document.run.containment).toBeDefined();
});

test("an edited script counts at the next use, and the deadline is that of eval.yaml", async () => {
  await using project = await toolProject();
  const task = ["task", "--skill", target, "--input", '{"query":"hi"}', "--contains", "hi"];
  expect((await project.run(...task)).exitCode).toBe(0);

  writeFileSync(
    project.at("scripts/echo_query.py"),
    "import time\ndef echo_query(query):\n    time.sleep(60)\n",
  );
  writeFileSync(project.at("eval.yaml"), "tools:\n  echo_query:\n    timeout_ms: 200\n");

  const { document } = await project.run("eval", "--skills", target, ...starter);
  expect(document.reports[0].taskResults[0]).toMatchObject({
    status: "timeout",
    latencyMs: 200,
    error: { code: "deadline", message: "echo_query did not answer within 200 ms" },
  });

  writeFileSync(project.at("eval.yaml"), "tools:\n  echo_query:\n    timeout_ms: soon\n");
  expect((await project.run("eval", "--skills", target, ...starter)).document).toMatchObject({
    error: { code: "skill-invalid", jsonPath: "$.tools.echo_query.timeout_ms" },
    exitCode: 2,
  });
});
