import { readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agentCells } from "../../../test/agent-project.ts";
import { quickProject } from "../../../test/built-cli.ts";
import { countingSandbox } from "../../../test/counting-sandbox.ts";
import { readBlocks, readCommands } from "../../../test/guide-blocks.ts";
import { within } from "../../../test/open-skill.ts";
import { quickShell } from "../../../test/project-shell.ts";
import { openToolHosts } from "../../adapters/tool-hosts.ts";
import { conversationDimensions } from "../../contract/conversation-case.ts";
import { ReportFile } from "../../contract/document.ts";
import { PlanDetails } from "../../contract/planbench-report.ts";
import { seenFailure } from "../../engine/failed-call.ts";
import { loadBenchmark } from "../../levels/unit/benchmark/load-benchmark.ts";
import { prepareScorer } from "../../scorers/choose-scorer.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import type { JsonSchema } from "../../shared/json/json.ts";

const example = resolve(import.meta.dirname, "../../../examples/document-desk");
const skills = readdirSync(join(example, "skills")).sort();
const readTests = (skill: string) =>
  readdirSync(join(example, "skills", skill, "tests")).filter((name) => name.endsWith(".eval.json"));
const readTools = (skill: string): { name: string; parameters: JsonSchema }[] =>
  JSON.parse(readFileSync(join(example, "skills", skill, "skill.json"), "utf8")).tools;
/** A command of the README, how it ended, and the report that it left. */
interface Ended {
  text: string;
  stdout: string;
  // biome-ignore lint/suspicious/noExplicitAny: reports of several commands are looked into
  report: any;
}

const reportFiles: readonly (readonly [string, string])[] = [
  ["eval-skills agent eval ", "agent-result.json"],
  ["eval-skills trigger ", "trigger-result.json"],
  ["eval-skills planbench ", "planbench-result.json"],
];

/** Runs the commands of the example's page unchanged, in a copy of it. */
async function runReadme(): Promise<Ended[]> {
  await using project = await quickProject();
  await cp(example, project.path, { recursive: true });
  const shell = quickShell(project);
  const page = readFileSync(join(example, "README.md"), "utf8");
  const shells = readBlocks(page).filter(({ language }) => language === "sh");
  const commands = shells.flatMap(readCommands).filter(({ text }) => text.startsWith("eval-skills "));
  const ended: Ended[] = [];
  for (const { text, exitCodes } of commands) {
    const { code, stdout, stderr } = await shell(text);
    expect(exitCodes, `${text}\n${stdout}${stderr}`).toContain(code);
    const file = reportFiles.find(([beginning]) => text.startsWith(beginning))?.[1];
    const report =
      file === undefined ? null : JSON.parse(readFileSync(project.at(`reports/${file}`), "utf8"));
    ended.push({ text, stdout, report });
  }
  return ended;
}

test("five skills with tests for every tool, each of them with errors that are expected", () => {
  expect(skills).toHaveLength(5);
  for (const skill of skills) {
    const tools = readTools(skill).map(({ name }) => `${name}.eval.json`);
    expect(readTests(skill)).toEqual(tools.sort());
    for (const file of tools) {
      const { tasks } = JSON.parse(readFileSync(join(example, "skills", skill, "tests", file), "utf8"));
      const types = tasks.map((task: { expectedOutput: { type: string } }) => task.expectedOutput.type);
      expect(types.filter((type: string) => type === "tool_error").length, file).toBeGreaterThanOrEqual(2);
      expect(new Set(types).size, file).toBeGreaterThanOrEqual(2);
    }
  }
});

test("every tool passes its tests", async () => {
  await using sandbox = countingSandbox();
  const context = { env: process.env, envKeys: [], maxOutputBytes: 1_048_576 };
  await using hosts = openToolHosts({ mode: "persistent", sandbox, ...context });
  for (const skill of skills)
    for (const { name, parameters } of readTools(skill)) {
      const dir = join(example, "skills", skill);
      const file = join(dir, "tests", `${name}.eval.json`);
      const script = `scripts/${name}.py`;
      const tool = { skill: { id: skill, dir, digest: skill }, name, script, parameters, timeoutMs: null };
      for (const task of (await loadBenchmark(file)).benchmark.tasks) {
        const location = { file, jsonPath: task.id, fallbackType: "exact", adapters: ["tool"] };
        const scorer = await prepareScorer({ task, ...location, sandbox, modelFor: () => Promise.reject() });
        const document = task.document === undefined ? null : { text: task.document, path: null };
        const request = { tool, arguments: task.inputData, document };
        const outcome = await hosts.call(request, within(20_000));
        const output = outcome.status === "answered" ? outcome.output : null;
        const failure = seenFailure(outcome) ?? undefined;
        const answer = { task, output, failure, latencyMs: 0, trial: 1, signal: neverAborted };
        const score = await scorer.score(answer);
        expect(score, `${name} ${task.id}`).toMatchObject({ passed: true });
      }
    }
  expect(sandbox.commands).toHaveLength(skills.length);
});

describe("its README, run as written", () => {
  let ended: readonly Ended[];
  beforeAll(async () => {
    ended = await runReadme();
  }, 120_000);
  const findEnd = (beginning: string) => ended.find(({ text }) => text.startsWith(beginning)) as Ended;
  const reportOn = (suite: string): ReportFile => findEnd(`eval-skills agent eval ${suite}`).report;

  test("doctor has nothing to say about its skills, and warns of the two that clash", () => {
    expect(findEnd("eval-skills doctor skills").stdout).toContain("5 skills");
    expect(findEnd("eval-skills doctor clashing").stdout).toContain("PTS05");
  });

  test("every request of the trigger tests is routed as it should be, by words alone", () => {
    const { passed, total } = findEnd("eval-skills trigger").report;
    expect([passed, total]).toEqual([80, 80]);
  });

  test("its conversations pass, those about one tool name in two skills among them", () => {
    const reports = [reportOn("skills"), reportOn("clashing")];
    const good = reports.flatMap(agentCells);
    expect(good.filter(({ status }) => status !== "pass").map(({ caseId }) => caseId)).toEqual([]);
    expect(good.length).toBeGreaterThanOrEqual(20);
    for (const dimension of conversationDimensions) {
      const judged = good.filter(({ details }) => details.scores[dimension]?.status === "pass");
      expect(judged.length, dimension).toBeGreaterThanOrEqual(10);
    }
    expect(reports.flatMap(({ cases }) => cases).filter(({ title }) => title === null)).toEqual([]);
  });

  test("those that go wrong on purpose fail in the dimensions they name, and in no other", () => {
    const { cases } = parse(readFileSync(join(example, "stumbles/suite.yaml"), "utf8"));
    const failed = agentCells(reportOn("stumbles")).map(({ caseId, details }) => {
      return [caseId, conversationDimensions.filter((name) => details.scores[name]?.status === "fail")];
    });
    expect(Object.fromEntries(failed)).toEqual(
      Object.fromEntries(cases.map(({ id, tags }: { id: string; tags: string[] }) => [id, tags])),
    );
    expect(new Set(failed.flat(2)).size - failed.length).toBe(conversationDimensions.length);
  });

  test("its bench of plans is valid, the plan that a tool makes included", () => {
    const { cells } = ReportFile.parse(findEnd("eval-skills planbench").report);
    expect(cells.map(({ details }) => PlanDetails.parse(details).outcome)).toEqual(["ok", "ok", "ok", "ok"]);
  });
});
