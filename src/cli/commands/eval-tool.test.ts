import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import type { CellResult } from "../../contract/result.ts";

const target = "./skills/read_back#echo_query";
const starter = ["--tasks", "./skills/read_back/tests/echo_query.eval.json"];

const isOfTasks = ({ level }: { level: string }) => level === "unit";

/** A project with a fresh skill of the template prompt_tools, in which commands find the programs of this machine. */
async function toolProject() {
  const cli = await capturedCli();
  const env = { PATH: process.env.PATH ?? "" };
  const run = (...argv: string[]) => cli.run([...argv, "--json"], { env });
  await run("create", "--name", "read_back", "--from-template", "prompt_tools");
  const at = (name: string) => join(cli.cwd, "skills/read_back", name);
  return { run, at, cwd: cli.cwd, [Symbol.asyncDispose]: cli[Symbol.asyncDispose] };
}

test("a tool passes its starter task, in several formats, and everything that goes by its id finds it again", async () => {
  await using project = await toolProject();
  const formats = ["--format", "json", "markdown", "csv", "junit"];

  const { document, exitCode } = await project.run("eval", "--skills", target, ...starter, ...formats);

  expect(exitCode).toBe(0);
  expect(document.subjects.filter(isOfTasks)).toMatchObject([
    { skillId: "read_back#echo_query", skillVersion: "0.1.0", counts: { total: 2, pass: 2 } },
  ]);
  expect(document.cells.filter(isOfTasks)).toMatchObject([
    { output: { result: "hello" } },
    { output: null, reason: "failed as expected", attempts: [{ code: "bad-arguments" }] },
  ]);
  const names = readdirSync(join(project.cwd, "reports")).filter((name) => name.startsWith("eval-result."));
  expect(names).toEqual(["csv", "json", "md", "xml"].map((ending) => `eval-result.${ending}`));
  for (const name of names)
    expect(readFileSync(join(project.cwd, "reports", name), "utf8")).toMatch(/read_back\\?#echo_query/);

  const resumed = await project.run("eval", "--resume", document.run.id);
  expect(resumed.document).toMatchObject({ run: { id: document.run.id }, passed: 18, total: 18 });

  const { document: history } = await project.run("history", "--skill", "read_back#echo_query");
  expect(history.rows.filter(isOfTasks)).toMatchObject([{ subject: "read_back#echo_query", rate: 1 }]);

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

  const ended = document.cells
    .filter(isOfTasks)
    .map(({ skillId, caseId, status, cause, reason }: CellResult) => [
      ...[skillId, caseId, status],
      ...[cause, cause === null ? null : reason],
    ]);
  expect(ended).toEqual(
    expect.arrayContaining([
      ["read_back#echo_query", "said", "pass", null, null],
      ["read_back#echo_query", "empty", "error", "bad-arguments", "/query is required"],
      ["read_back#shout", "said", "fail", null, null],
      [
        ...["read_back#shout", "empty", "error", "tool-failed"],
        "TypeError: shout() missing 1 required positional argument: 'query'",
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
  expect(document.cells.find(isOfTasks)).toMatchObject({
    status: "timeout",
    latencyMs: 200,
    cause: "deadline",
    reason: "echo_query did not answer within 200 ms",
  });

  writeFileSync(project.at("eval.yaml"), "tools:\n  echo_query:\n    timeout_ms: soon\n");
  expect((await project.run("eval", "--skills", target, ...starter)).document).toMatchObject({
    error: { code: "skill-invalid", jsonPath: "$.tools.echo_query.timeout_ms" },
    exitCode: 2,
  });
});

const moody = `import os, time
def echo_query(query, doc_text=""):
    if query == "crash": os._exit(3)
    if query == "sleep": time.sleep(60)
    return {"result": query + doc_text}
`;

test("an expected error is an answer that is not retried, and the document of a task goes to the tool", async () => {
  await using project = await toolProject();
  const manifest = JSON.parse(readFileSync(project.at("skill.json"), "utf8"));
  const text = { type: "string" };
  manifest.tools[0].parameters = {
    type: "object",
    properties: { query: text, doc_text: text },
    required: ["query"],
  };
  writeFileSync(project.at("skill.json"), JSON.stringify(manifest));
  writeFileSync(project.at("scripts/echo_query.py"), moody);
  const task = (id: string, inputData: object, expectedOutput: object, more: object = {}) => ({
    ...{ id, inputData, expectedOutput },
    ...more,
  });
  const error = (code: string, contains?: string) => ({ type: "tool_error", code, contains });
  const tasks = [
    task("refused", {}, error("bad-arguments", "query")),
    task("other words", {}, error("bad-arguments", "max_results")),
    task("crashed", { query: "crash" }, error("tool-crashed")),
    task("slow", { query: "sleep" }, error("timeout"), { timeoutMs: 300 }),
    task("no error", { query: "hi" }, error("tool-failed")),
    task("unexpected", { query: "crash" }, { value: "hi" }),
    task("document", { query: "hi " }, { value: "hi a letter" }, { document: "a letter" }),
  ];
  writeFileSync(join(project.cwd, "tasks.json"), JSON.stringify(tasks));
  const flags = ["--tasks", "tasks.json", "--tool-host", "persistent", "--retries", "1"];

  const { document } = await project.run("eval", "--skills", target, ...flags);

  const ended = document.cells
    .filter(isOfTasks)
    .map(({ caseId, status, reason, output, attempts }: CellResult) => [
      ...[caseId, status, reason, output, attempts.length],
    ]);
  expect(ended.sort()).toEqual(
    [
      ["refused", "pass", "failed as expected", null, 1],
      [
        "other words",
        "fail",
        'expected bad-arguments, a message with "max_results"; got bad-arguments: /query is required',
        null,
        1,
      ],
      ["crashed", "pass", "failed as expected", null, 1],
      ["slow", "pass", "failed as expected", null, 1],
      ["no error", "fail", "answered, but an error was expected: tool-failed", { result: "hi" }, 1],
      ["unexpected", "error", "exit 3", null, 2],
      ["document", "pass", null, { result: "hi a letter" }, 1],
    ].sort(),
  );

  const resumed = await project.run("eval", "--resume", document.run.id, "--tool-host", "fresh");
  expect(resumed).toMatchObject({ exitCode: 2, document: { error: { code: "usage" } } });
});

test("tools are not put to the default benchmark; what would be run instead is named", async () => {
  await using project = await toolProject();
  const hint = async () => (await project.run("eval", "--skills", target, "--dry-run")).document.error.hint;
  const { document, exitCode } = await project.run("eval", "--skills", target);

  expect([exitCode, document.error.message]).toEqual([
    2,
    "read_back#echo_query is a tool, and needs tasks of its own",
  ]);
  expect(await hint()).toBe("--tasks skills/read_back/tests/echo_query.eval.json");
  rmSync(project.at("tests"), { recursive: true });
  expect(await hint()).toMatch(/^write some, for example in skills\/read_back\/tests\/echo_query.eval.json/);
});
