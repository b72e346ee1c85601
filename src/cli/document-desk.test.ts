import { readdirSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { quickProject } from "../../test/built-cli.ts";
import { countingSandbox } from "../../test/counting-sandbox.ts";
import { within } from "../../test/open-skill.ts";
import { openToolHosts } from "../adapters/tool-hosts.ts";
import { neverAborted } from "../base/never-aborted.ts";
import type { AgentReportFile } from "../contract/agent-report.ts";
import { conversationDimensions } from "../contract/conversation-case.ts";
import type { JsonSchema } from "../contract/json.ts";
import { envelopeOf } from "../contract/tool-result.ts";
import { prepareScorer } from "../scorers/choose-scorer.ts";
import { loadBenchmark } from "../spec/load-benchmark.ts";

const example = resolve(import.meta.dirname, "../../examples/document-desk");
const skills = readdirSync(join(example, "skills")).sort();
const testsOf = (skill: string) =>
  readdirSync(join(example, "skills", skill, "tests")).filter((name) => name.endsWith(".eval.json"));
const toolsOf = (skill: string): { name: string; parameters: JsonSchema }[] =>
  JSON.parse(readFileSync(join(example, "skills", skill, "skill.json"), "utf8")).tools;
/** The cheapest way: what walls and new processes do is seen elsewhere. */
const oneHost = ["--tool-host", "persistent", "--sandbox", "process", "--concurrency", "1"];

/** A copy of the example in which commands run. */
async function desk() {
  const place = await quickProject();
  await cp(example, place.path, { recursive: true });
  const readReport = (): AgentReportFile =>
    JSON.parse(readFileSync(place.at("reports/agent-result.json"), "utf8"));
  return { ...place, readReport };
}

test("five skills with tests for every tool, each of them with errors that are expected", () => {
  expect(skills).toHaveLength(5);
  for (const skill of skills) {
    const tools = toolsOf(skill).map(({ name }) => `${name}.eval.json`);
    expect(testsOf(skill)).toEqual(tools.sort());
    for (const file of tools) {
      const { tasks } = JSON.parse(readFileSync(join(example, "skills", skill, "tests", file), "utf8"));
      const types = tasks.map((task: { expectedOutput: { type: string } }) => task.expectedOutput.type);
      expect(types.filter((type: string) => type === "tool_error").length, file).toBeGreaterThanOrEqual(2);
      expect(new Set(types).size, file).toBeGreaterThanOrEqual(2);
    }
  }
});

test("doctor has nothing to say about its skills, and warns of the two that clash", async () => {
  await using place = await desk();

  const { code, document } = await place.run(["doctor", "skills", "--fail-on", "warning", "--json"]);
  const clash = await place.run(["doctor", "clashing", "--json"]);

  expect([code, document.counts]).toEqual([0, { skills: 5, errors: 0, warnings: 0, clean: 5 }]);
  expect(clash.document.counts).toMatchObject({ skills: 2, errors: 0, warnings: 2 });
});

test("every tool passes its tests", async () => {
  await using sandbox = countingSandbox();
  const around = { env: process.env, envKeys: [], maxOutputBytes: 1_048_576 };
  await using hosts = openToolHosts({ mode: "persistent", sandbox, ...around });
  for (const skill of skills)
    for (const { name, parameters } of toolsOf(skill)) {
      const dir = join(example, "skills", skill);
      const file = join(dir, "tests", `${name}.eval.json`);
      const script = `scripts/${name}.py`;
      const tool = { skill: { id: skill, dir, digest: skill }, name, script, parameters, timeoutMs: null };
      for (const task of loadBenchmark(file).benchmark.tasks) {
        const place = { file, jsonPath: task.id, fallbackType: "exact", adapters: ["tool"] };
        const scorer = await prepareScorer({ task, ...place, sandbox, modelFor: () => Promise.reject() });
        const document = task.document === undefined ? null : { text: task.document, path: null };
        const request = { tool, arguments: task.inputData, document };
        const envelope = envelopeOf(await hosts.call(request, within(20_000)));
        const isResult = envelope !== null && "result" in envelope && scorer.type !== "tool_error";
        const output = isResult ? envelope.result.data : envelope;
        const score = await scorer.score({ task, output, latencyMs: 0, trial: 1, signal: neverAborted });
        expect(score, `${name} ${task.id}`).toMatchObject({ passed: true });
      }
    }
  expect(sandbox.commands).toHaveLength(skills.length);
});

test("every request of the trigger tests is routed as it should be, by words alone", async () => {
  await using place = await desk();

  const { code, document } = await place.run(["trigger", "skills", "--json"]);

  expect([code, document.passed, document.total]).toEqual([0, 80, 80]);
});

describe("its conversations", () => {
  let report: AgentReportFile;
  beforeAll(async () => {
    await using place = await desk();
    const { code } = await place.run(["agent", "eval", "skills", "clashing", "stumbles", ...oneHost]);
    expect(code).toBe(1);
    report = place.readReport();
  }, 90_000);
  const resultsOf = (isStumbling: boolean) =>
    report.results.filter(({ suite }) => (suite === "stumbles") === isStumbling);

  test("pass, those about one tool name in two skills among them", () => {
    const good = resultsOf(false);
    expect(good.filter(({ pass }) => pass !== true).map(({ case_id }) => case_id)).toEqual([]);
    expect(good.length).toBeGreaterThanOrEqual(20);
    for (const dimension of conversationDimensions) {
      const judged = good.filter(({ scores }) => scores[dimension]?.status === "pass");
      expect(judged.length, dimension).toBeGreaterThanOrEqual(10);
    }
    expect(report.results.filter(({ title }) => title === undefined)).toEqual([]);
  });

  test("that go wrong on purpose fail in the dimensions they name, and in no other", () => {
    const { cases } = parse(readFileSync(join(example, "stumbles/suite.yaml"), "utf8"));
    const failed = resultsOf(true).map(({ case_id, scores }) => {
      return [case_id, conversationDimensions.filter((name) => scores[name]?.status === "fail")];
    });
    expect(Object.fromEntries(failed)).toEqual(
      Object.fromEntries(cases.map(({ id, tags }: { id: string; tags: string[] }) => [id, tags])),
    );
    expect(new Set(failed.flat(2)).size - failed.length).toBe(conversationDimensions.length);
  });
});

test("its bench of plans is valid, the plan that a tool makes included", async () => {
  await using place = await desk();

  const { code, document } = await place.run(["planbench", "plans.yaml", "--sandbox", "process", "--json"]);

  expect([code, document.results.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
    0,
    ["ok", "ok", "ok", "ok"],
  ]);
});
