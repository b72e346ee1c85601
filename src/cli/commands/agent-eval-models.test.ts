import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentModel, labKey, type ModelRequest } from "../../../test/agent-model.ts";
import { type AgentCell, agentProject, answer, load, script, select } from "../../../test/agent-project.ts";
import type { ReportFile, SubjectReport } from "../../contract/document.ts";

const late = {
  id: "late",
  input: "What does it cost to bring a book back late?",
  expect: { skills_all_of: ["fines"], output: { contains_all: ["ten cents"] } },
};
const thanks = { id: "thanks", input: "Thank you!", expect: { skills_none_of: ["*"] } };

/** A model that does well: it selects, reads and answers, and thanks need no skill. */
const good = ({ prompt, turn }: ModelRequest) => {
  if (prompt.includes("Thank you!")) return answer("You are welcome.");
  return [select("fines"), load("references/rules.md"), answer()][turn - 1] as object;
};

interface Options {
  cases?: object[];
  config?: object;
}

/** A project with a suite for a real model, and that model. */
async function modelProject(
  reply: Parameters<typeof agentModel>[0],
  { cases = [late, thanks], config }: Options = {},
) {
  const lab = await agentModel(reply);
  const project = await agentProject({
    "../.eval-skills/config.yaml": { ...lab.config, ...config },
    "evals/suite.yaml": { suite: "desk", cases },
  });
  return {
    ...project,
    lab,
    eval: (...flags: string[]) =>
      project.run(["agent", "eval", "evals", "--json", ...flags], {
        env: flags.includes("--replay") ? {} : labKey,
      }),
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}

const small = ["--model", "lab/small"];

test("a recorded suite gives the same report again without model, key and network", async () => {
  const rude = {
    ...thanks,
    id: "rude",
    expect: { skills_none_of: ["*"], output: { contains_all: ["Madam"] } },
  };
  await using project = await modelProject(good, { cases: [late, thanks, rude] });
  const live = await project.eval(...small, "--record", "tapes", "--runs", "2");
  await project.lab[Symbol.asyncDispose]();

  const replayed = await project.eval(...small, "--replay", "tapes", "--runs", "2");

  expect(live.exitCode).toBe(1);
  expect(live.document.subjects).toMatchObject([
    {
      metrics: {
        firstPassJson: { value: 1, n: 10 },
        triggerPrecision: { value: 1 },
        triggerRecall: { value: 1 },
      },
      details: { cost: { inputTokens: 2000, outputTokens: 100, costUsd: 0.0025 } },
    },
  ]);
  expect(live.cells[0]?.details.scores.streaming.status).toBe("pass");
  expect(timeless(replayed.document)).toEqual(timeless(live.document));
  expect(replayed.exitCode).toBe(1);

  // The replay reports the times of the recording, and says so; so does the next one.
  const again = await project.eval(...small, "--replay", "tapes", "--runs", "2");
  expect(live.document.run.timesRecorded).toBeNull();
  expect(replayed.document.run.timesRecorded).toBe(live.document.run.finishedAt.slice(0, 10));
  expect(withoutDates(again.document)).toEqual(withoutDates(replayed.document));

  const grown = await project.eval(...small, "--replay", "tapes", "--runs", "3");
  expect(grown.exitCode).toBe(3);
  expect(grown.cells.map(({ trial, details }) => [trial, details.noVerdict?.code])).toEqual(
    [undefined, undefined, "CassetteMiss"].flatMap((code, n) =>
      [late, thanks, rude].map(() => [n + 1, code]),
    ),
  );
  const lines = project.read("reports/.eval.jsonl").trim().split("\n");
  const causes = lines.map((line) => JSON.parse(line).cause).filter((cause) => cause !== null);
  expect(causes).toEqual(["cassette-miss", "cassette-miss", "cassette-miss"]);
  expect((await project.eval(...small, "--replay", "elsewhere")).document.error).toMatchObject({
    code: "usage",
  });
});

test("the key of a model is in no file of a run, its report, its store or its recordings", async () => {
  const key = labKey.LAB_KEY;
  await using project = await modelProject(
    ({ turn }) =>
      turn === 1
        ? select("fines")
        : turn === 2
          ? script(key)
          : answer(`## It\n\nsays ${key}, I say ${key.slice(0, 9)}`),
    {
      cases: [
        {
          ...late,
          expect: {},
          enable_tools: ["run_script"],
          approvals: [{ tool: "run_script", decision: "grant" }],
        },
        { ...thanks, input: `My key is ${key}`, expect: {} },
      ],
    },
  );
  const ended = await project.eval(
    ...small,
    "--record",
    "tapes",
    "--sandbox",
    "process",
    "--format",
    "json",
    "html",
  );

  expect(ended.document.total).toBe(2);
  const files = readdirSync(project.cwd, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const names = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.endsWith("suite.yaml"));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((path) => readFileSync(path).includes(key))).toEqual([]);
  expect(ended.stdout + ended.stderr).not.toContain(key);
  expect(project.read(`${ended.cells[0]?.details.runDir}/final.md`)).toContain("[redacted]");
});

test("every try counts: a model that fails three times is given up, or another one answers in its place", async () => {
  let failures = 2;
  await using project = await modelProject(
    (request) => (request.model === "large" || failures-- <= 0 ? good(request) : 500),
    { cases: [thanks] },
  );
  const fixed = await project.eval(...small);
  expect(fixed.cells[0]).toMatchObject({
    status: "pass",
    details: { stats: { turns: 1, modelCalls: 3 } },
  });

  failures = 100;
  const givenUp = await project.eval(...small);
  expect(givenUp.exitCode).toBe(3);
  expect(givenUp.cells[0]?.details).toMatchObject({
    noVerdict: { code: "model_unavailable" },
    stats: { modelCalls: 3, stopReason: "model_unavailable", degraded: true },
  });
  project.write("evals/suite.yaml", {
    suite: "desk",
    cases: [{ ...thanks, constraints: { max_model_calls: 2 }, expect: { stop_reason: "budget_exhausted" } }],
  });
  const limited = await project.eval(...small);
  expect(limited.cells[0]).toMatchObject({ status: "pass", details: { stats: { modelCalls: 2 } } });

  project.write("evals/suite.yaml", { suite: "desk", cases: [thanks, late] });
  project.write("../.eval-skills/config.yaml", {
    ...project.lab.config,
    agent: { fallback_model: "lab/large" },
  });
  const replaced = await project.eval(...small, "--record", "tapes");
  expect(replaced.exitCode).toBe(0);
  const { runDir, stats } = replaced.document.cells[1].details;
  expect(stats.modelCalls).toBe(6);
  expect(project.events(runDir, "model_response").map(({ fallback }) => fallback)).toEqual([
    undefined,
    undefined,
    undefined,
    "lab/large",
    "lab/large",
    "lab/large",
  ]);
  const replayed = await project.eval(...small, "--replay", "tapes");
  expect(replayed.exitCode).toBe(0);
});

test("--max-cost is never exceeded, and a run that was not paid for has no verdict", async () => {
  await using project = await modelProject(good, { cases: [thanks, { ...thanks, id: "again" }] });
  const all = await project.eval(...small);
  const subjectCost = ({ subjects }: ReportFile) => subjects[0]?.details.cost;
  const calls = project.lab.requests.length;

  const broke = await project.eval(...small, "--max-cost", "0.000001");
  expect(broke.exitCode).toBe(3);
  expect(project.lab.requests).toHaveLength(calls);
  expect(statuses(broke.cells)).toEqual([
    "thanks invalid model_unavailable",
    "again invalid model_unavailable",
  ]);
  expect(broke.cells[0]?.details.noVerdict?.message).toContain("--max-cost");
  const rich = await project.eval(...small, "--max-cost", "1");
  expect(subjectCost(rich.document)).toMatchObject({ costUsd: expect.any(Number) });
  expect(subjectCost(rich.document)).toEqual(subjectCost(all.document));
  expect(rich.exitCode).toBe(0);

  project.write("evals/suite.yaml", {
    suite: "desk",
    cases: [
      { ...thanks, constraints: { max_cost_usd: 0.000001 }, expect: { stop_reason: "budget_exhausted" } },
    ],
  });
  const limited = await project.eval(...small);
  expect(statuses(limited.cells)).toEqual(["thanks pass"]);
  const unpriced = await project.eval("--model", "lab/unheard-of");
  expect(unpriced.document.error).toMatchObject({ code: "config-invalid" });
});

test("several models are asked the same, with and without skills, and figures tell them apart", async () => {
  let calls = 0;
  await using project = await modelProject((request) => {
    if (!request.prompt.includes("fines")) return answer("I do not know.");
    // The small model is right in two trials out of three.
    return request.model === "small" && request.turn === 3 && ++calls === 2
      ? answer("Nothing.")
      : good(request);
  });
  const models = ["--model", "lab/small", "lab/large"];

  const { document, cells, exitCode } = await project.eval(
    ...models,
    "--runs",
    "3",
    "--baseline",
    "no-skills",
    "--concurrency",
    "1",
  );

  expect(exitCode).toBe(1);
  expect(document.run.settings.deciders).toEqual(["lab/small", "lab/large"]);
  expect(cells).toHaveLength(24);
  const findSubject = (model: string, arm: string): SubjectReport =>
    document.subjects.find((one: SubjectReport) => one.model === model && one.arm === arm);
  const small = findSubject("lab/small", "installed");
  expect(small).toMatchObject({
    counts: { total: 6, pass: 5, fail: 1 },
    details: {
      cases: [
        { caseId: "late", passed: 2, pass: false },
        { caseId: "thanks", passed: 3, pass: true },
      ],
      passAtK: { "1": expect.closeTo((2 / 3 + 1) / 2), "3": 1 },
      passHatK: { "3": 0.5 },
      baseline: { noSkills: 0.5, cases: 2 },
    },
  });
  expect(Object.keys(small.details.passAtK ?? {})).toEqual(["1", "2", "3"]);
  expect(findSubject("lab/large", "installed")).toMatchObject({
    counts: { total: 6, pass: 6 },
    details: { passHatK: { "3": 1 } },
  });
  expect(findSubject("lab/small", "absent").counts).toMatchObject({ total: 6, pass: 3 });
  const without = cells.find(({ arm, caseId }) => arm === "absent" && caseId === "late");
  expect(project.events(without?.details.runDir ?? "", "skills_indexed")[0]).toMatchObject({
    skills: [],
    roots: [],
  });
  const { stdout } = await project.run(["history", "--json"]);
  for (const name of ["lab/small", "lab/small (no skills)", "lab/large"]) expect(stdout).toContain(name);
});

test("--resume asks again only for runs without a verdict", async () => {
  let isDown = true;
  await using project = await modelProject((request) =>
    isDown && request.prompt.includes("Thank you!") ? 401 : good(request),
  );
  const first = await project.eval(...small);
  isDown = false;
  const before = project.lab.requests.length;

  const resume = ["agent", "eval", "--json", "--resume", first.document.run.id];
  const resumed = await project.run(resume, { env: labKey });

  expect(statuses(first.cells)).toEqual(["late pass", "thanks invalid model_unavailable"]);
  expect(statuses(resumed.cells)).toEqual(["late pass", "thanks pass"]);
  expect(resumed.cells[0]).toEqual(first.cells[0]);
  expect(resumed.document).toMatchObject({ exitCode: 0, run: { id: first.document.run.id } });
  expect(project.lab.requests).toHaveLength(before + 1);
});

/** A case and what came of it, each in a line. */
function statuses(cells: readonly AgentCell[]): string[] {
  return cells.map(({ caseId, status, details }) =>
    [caseId, status, details.noVerdict?.code].filter(Boolean).join(" "),
  );
}

/** Names of what the clock and chance decide. */
const timely = /^(latency.*|latP95Norm|compositeScore|recordedAt|timesRecorded)$/;

/** A document without what the clock, chance and the names of runs decide. */
function timeless(document: ReportFile): object {
  return withoutDates(document, (name, value) => {
    if (name === "quotes") return Object.keys(value as object);
    return timely.test(name) ? undefined : value;
  });
}

/** Names of dates, and of what holds dates: the log of a run does, so its digest is that of one run only. */
const dated = /^(atMs|startedAt|finishedAt|beganAtMs|log|files)$/;

/** A document without dates and the names of runs: all in which two replays differ. */
function withoutDates(
  document: ReportFile,
  change: (name: string, value: unknown) => unknown = (_, value) => value,
): object {
  const text = JSON.stringify({ ...document, run: { ...document.run, id: "" } }, (name, value) =>
    dated.test(name) ? null : change(name, value),
  );
  const ids = new Map<string, string>();
  const named = text.replaceAll(/\d{8}_\d{6}_[0-9a-f]{4}/g, (id) => {
    ids.set(id, ids.get(id) ?? `run-${ids.size}`);
    return ids.get(id) ?? id;
  });
  return JSON.parse(named);
}
