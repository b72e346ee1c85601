import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scripts, triggeringIn, triggerProject } from "../../../test/trigger-project.ts";
import type { ReportFile } from "../../contract/document.ts";

/** A skill that runs with `node` and echoes its input. */
async function projectWithEcho(script: Parameters<typeof triggerProject>[0], block = "") {
  const project = await triggerProject(script);
  project.addSkill("echo", { block });
  project.write(
    "skills/echo/skill.json",
    JSON.stringify({
      id: "echo",
      name: "Echo",
      version: "1.0.0",
      description: "Says echo again. Use when somebody asks for an echo.",
      adapterType: "subprocess",
      entrypoint: "node skill.mjs",
    }),
  );
  project.write(
    "skills/echo/skill.mjs",
    'for await (const line of process.stdin) { const { id, params } = JSON.parse(line); console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params })); }\n',
  );
  const tasks = ["t1", "t2"].map((id) => ({
    id,
    inputData: { say: id },
    expectedOutput: { value: { say: id } },
  }));
  project.write("tasks.json", JSON.stringify(tasks));
  return project;
}

const levelsIn = ({ subjects }: ReportFile) => subjects.map(({ level }) => level);
const judged = "  judge: { model: lab/judge }\n";
const evaluate = ["eval", "--skills", "skills/echo", "--tasks", "tasks.json", "--sandbox", "off", "--json"];

test("eval makes the triggering pass: cells and queries count together, each has its line, and a failed query can fail the run", async () => {
  await using project = await projectWithEcho(
    (question) =>
      question.query.endsWith("quiet echo number 0") ? scripts.always() : scripts.perfect(question),
    judged,
  );

  const informed = await project.run(evaluate);
  const gated = await project.run([...evaluate, "--exit-on-fail"]);

  expect(informed.exitCode).toBe(0);
  expect(informed.document).toMatchObject({ passed: 9, total: 10 });
  expect(triggeringIn(informed.document)).toMatchObject({
    judge: { kind: "model", model: "lab/judge", why: "a model is named" },
    passed: 7,
    failed: 1,
    inconclusive: 0,
    queries: { length: 8 },
  });
  const [tasks, queries] = informed.document.subjects;
  expect(tasks).toMatchObject({ level: "unit", metrics: { completionRate: { value: 1 } } });
  const figures = { precision: 0.8, recall: 1, specificity: 0.75, f1: 0.8889, mcc: 0.7746, coverage: 1 };
  for (const [name, value] of Object.entries(figures)) expect(queries.metrics[name].value, name).toBe(value);
  const lines = readFileSync(join(project.cwd, "reports/.eval.jsonl"), "utf8").trimEnd().split("\n");
  const kinds = lines
    .map((line) => JSON.parse(line))
    .filter(({ runId }) => runId === informed.document.run.id);
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([
    ...Array(2).fill("task"),
    ...Array(8).fill("trigger"),
  ]);
  expect(gated.exitCode).toBe(1);
  const gates = gated.document.gates.map(({ metric, passed }: ReportFile["gates"][number]) => [
    metric,
    passed,
  ]);
  expect(gates).toEqual([
    ["completionRate", true],
    ["failedQueries", false],
  ]);
});

test("a judge without an answer is not a verdict of the run, whatever its tasks did; --resume asks it again", async () => {
  let isDown = true;
  await using project = await projectWithEcho(
    (question) => (isDown ? 500 : scripts.perfect(question)),
    judged,
  );
  const first = await project.run(evaluate);
  isDown = false;

  const resumed = await project.run(["eval", "--resume", "--sandbox", "off", "--json"]);

  expect(first.exitCode).toBe(3);
  expect(triggeringIn(first.document)).toMatchObject({ passed: 0, inconclusive: 8 });
  expect(resumed.exitCode).toBe(0);
  expect(resumed.document).toMatchObject({ passed: 10, total: 10, run: { id: first.document.run.id } });
});

test("--case leaves the pass out, with its reason, and stays outside the total", async () => {
  await using project = await projectWithEcho(scripts.perfect, judged);

  const { document, exitCode } = await project.run([...evaluate, "--case", "t1", "--require-triggering"]);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ passed: 1, total: 1 });
  expect(levelsIn(document)).toEqual(["unit"]);
  expect(document.skipped).toMatchObject([{ level: "trigger", skillId: "echo", reason: "single-case" }]);
  expect(project.questions).toHaveLength(0);
  const [line] = readFileSync(join(project.cwd, "reports/.eval.jsonl"), "utf8").split("\n");
  expect(JSON.parse(line ?? "")).toMatchObject({ kind: "trigger", verdict: null, skipped: "single-case" });
});

test("a skill without trigger tests is evaluated as before, unless they are required", async () => {
  await using project = await projectWithEcho(scripts.perfect);
  project.write("skills/echo/eval.yaml", "defaults: { model: lab/judge }\n");

  const plain = await project.run(evaluate);
  const required = await project.run([...evaluate, "--require-triggering"]);

  expect(plain.exitCode).toBe(0);
  expect(plain.document).toMatchObject({ passed: 2, total: 2 });
  expect([levelsIn(plain.document), plain.document.skipped]).toEqual([["unit"], []]);
  expect(required.exitCode).toBe(1);
  expect(required.document.skipped).toMatchObject([{ level: "trigger", reason: "no-block" }]);
});

test("a block with an error stops eval before anything runs", async () => {
  await using project = await projectWithEcho(scripts.perfect, "  judge: { repeats: 0 }\n");

  const { document, exitCode } = await project.run(evaluate);

  expect(exitCode).toBe(2);
  expect(document.error).toMatchObject({ code: "suite-invalid", jsonPath: "$.triggering.judge.repeats" });
});
