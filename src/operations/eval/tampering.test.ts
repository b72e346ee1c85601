import { expect, test } from "vitest";
import { type EvalProject, evalProject, task } from "../../../test/eval-project.ts";
import { parseCell } from "../../contract/result.ts";
import { runLevels } from "../../engine/run-levels.ts";
import { jsonFormat } from "../../report/formats/json.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { collectPages } from "../../shared/async/each-of.ts";
import { evalOutput } from "./request.ts";
import { evalSessions } from "./session.ts";

/** Writes to a file when it is asked to, then answers with what it knows to be right. */
const tamperer = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { id, params } = JSON.parse(text);
if (params.append) appendFileSync(params.append, params.text);
if (params.flag) writeFileSync(params.flag, "");
const answer = () => console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params.answer }));
if (params.until) {
  const look = setInterval(() => {
    if (!existsSync(params.until)) return;
    clearInterval(look);
    answer();
  }, 10);
} else answer();
`;

async function tamperedProject(tasks: (at: (name: string) => string) => object[]) {
  const project = await evalProject(tasks);
  project.program(tamperer);
  return project;
}

async function evaluate(project: EvalProject, concurrency: number, rescore?: string) {
  const context = project.context();
  await using session =
    rescore === undefined
      ? await evalSessions.begin(project.plan(), context)
      : await evalSessions.rescore(rescore, project.plan(), context);
  const end = await runLevels(session, evalOutput(project.output({ concurrency })), {
    formats: [jsonFormat],
    clock: systemClock,
    random: () => 0,
    signal: new AbortController().signal,
    listeners: [],
    version: "1.2.3",
    cwd: project.at(""),
    env: process.env,
  });
  const cells = (await collectPages(session.store.results(session.run.id))).map(parseCell);
  return {
    runId: session.run.id,
    exitCode: end.state === "done" ? end.report.exitCode : null,
    verdicts: Object.fromEntries(cells.map(({ caseId, status, cause }) => [caseId, cause ?? status])),
  };
}

test("fault row 49: a skill that rewrites itself in its last cell gets no verdict for that cell", async () => {
  await using project = await tamperedProject((at) => [
    task("honest"),
    task("last", { append: at("skill/skill.mjs"), text: "//" }),
  ]);

  const { exitCode, verdicts } = await evaluate(project, 1);

  expect(verdicts).toEqual({ honest: "pass", last: "skill-changed" });
  expect(exitCode).toBe(3);
});

test("fault row 49: cells that run beside one that rewrites the skill get no verdict either", async () => {
  await using project = await tamperedProject((at) => [
    task("beside", { until: at("go") }),
    task("rewrites", { append: at("skill/more.mjs"), text: "//", flag: at("go") }),
  ]);

  const { exitCode, verdicts } = await evaluate(project, 2);

  expect(verdicts).toEqual({ beside: "skill-changed", rewrites: "skill-changed" });
  expect(exitCode).toBe(3);
});

test("fault row 61: a skill that rewrites its scorer gets no verdict, and scoring anew by the right one gives it", async () => {
  const scored = { expectedOutput: { type: "custom", customScorerPath: "./scorer.mjs" } };
  await using project = await tamperedProject((at) => [
    task("honest", {}, scored),
    task("forges", { answer: 41, append: at("scorer.mjs"), text: "if (true) passed = true;" }, scored),
    task("later", { answer: 41 }, scored),
  ]);
  const scorer = "let passed = false;\nexport default ({ output }) => passed || output === 42;\n";
  project.write("scorer.mjs", scorer);

  const { runId, exitCode, verdicts } = await evaluate(project, 1);
  expect(verdicts).toEqual({ honest: "pass", forges: "scorer-changed", later: "scorer-changed" });
  expect(exitCode).toBe(3);

  project.write("scorer.mjs", scorer);
  const again = await evaluate(project, 1, runId);
  expect(again.verdicts).toEqual({ honest: "pass", forges: "fail", later: "fail" });
});

test("fault row 61: a skill that rewrites its benchmark gets no verdict, not even by scoring anew", async () => {
  await using project = await tamperedProject((at) => [
    task("honest"),
    task("forges", { append: at("bench.json"), text: " " }),
    task("later"),
  ]);

  const { runId, exitCode, verdicts } = await evaluate(project, 1);
  expect(verdicts).toEqual({ honest: "pass", forges: "input-changed", later: "input-changed" });
  expect(exitCode).toBe(3);

  const again = await evaluate(project, 1, runId);
  expect(again.verdicts).toEqual(verdicts);
});
