import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { CellResult } from "../src/contract/result.ts";
import { answering, emptyProject, quickProject } from "./built-cli.ts";
import { writeUserFile } from "./captured-world.ts";
import { httpServer, readBody } from "./local-server.ts";
import { completion, modelServer } from "./model-server.ts";
import { skillReport } from "./report-of.ts";
import { soundReply, judgment as verdict } from "./sound-judge.ts";

type Project = Awaited<ReturnType<typeof quickProject>>;

const json = { "content-type": "application/json" };
const usage = { prompt_tokens: 100, completion_tokens: 10 };
const judged = (id: string, evaluator: object = {}) => ({
  id,
  inputData: { word: id },
  expectedOutput: { type: "llm_judge", judgePrompt: "Is it a greeting?" },
  evaluator,
});

/** A server that gives this reply to every question about a skill, and the right one about canaries. */
function judge(reply: (prompt: string) => string, status = 200) {
  return httpServer(async (request, response) => {
    const body = await readBody(request);
    const sound = soundReply(body);
    const content = status === 200 && sound !== null ? completion(sound, usage) : reply(body);
    response.writeHead(status, json).end(content);
  });
}

/** A server that gives every question the same score, canaries too. */
function constantJudge(score: number) {
  return httpServer(
    (_request, response) => void response.writeHead(200, json).end(completion(verdict(score))),
  );
}

/** Runs `eval` over a skill with a fixed answer, and returns the cells with their results. */
async function evaluate(
  project: Project,
  url: string,
  tasks: object[],
  {
    flags = [],
    env = {},
    config = {},
  }: { flags?: string[]; env?: Record<string, string>; config?: object } = {},
) {
  await project.skill("greeter", answering("return { result: input.word };"));
  await project.write("tasks.json", tasks);
  const llm = { baseUrl: `${url}/v1`, model: "judge-1", retries: 0 };
  writeUserFile(project.home, { llm, ...config });
  const argv = ["eval", "--skills", "skills/greeter", "--tasks", "tasks.json", "--json", ...flags];
  const ended = await project.run(argv, { env });
  const document = ended.document;
  const cells = document.error === undefined ? skillReport(document, "greeter").cells : [];
  return { ...ended, document, cells };
}

describe("a skill judged by a model", () => {
  test("score, reason and verdict are the judge's; its time and tokens are its own, with their price", async () => {
    await using project = await quickProject();
    await using server = await judge(() => completion(verdict(0.8), usage));
    const prices = { "judge-1": { inputPerMTok: 1, outputPerMTok: 10 } };

    const { code, cells, document } = await evaluate(
      project,
      server.url,
      [judged("hello"), judged("hi", { passThreshold: 0.9 })],
      { config: { prices } },
    );

    expect(code).toBe(0);
    expect(cells).toMatchObject([
      { caseId: "hello", status: "pass", score: 0.8, reason: "because", usage: null },
      { caseId: "hi", status: "fail", score: 0.8, reason: "because", usage: null },
    ]);
    expect(cells[0]?.judge).toEqual({
      model: "judge-1",
      calls: 1,
      latencyMs: expect.any(Number),
      usage: { promptTokens: 100, completionTokens: 10, totalTokens: 110, costUsd: 0.0002 },
    });
    expect(skillReport(document, "greeter")).toMatchObject({
      figures: { tokenCost: null },
      details: { tokenCost: null },
    });
  });

  test("wrong green: no verdict of a judge that fails its canaries is used, whatever is allowed, unless it is trusted", async () => {
    await using project = await quickProject();
    await using server = await constantJudge(1);
    const words = "the judge judge-1 is off by 0.50 on answers of known score";
    const gated = ["--max-invalid", "1", "--min-completion", "1"];

    const refused = await evaluate(project, server.url, [judged("hello")], { flags: gated });
    const trusting = ["eval", "--resume", "--trust-judge", "--json"];
    const trusted = await project.run(trusting);
    const shown = await project.run(["eval", "--resume", trusted.document.run.id]);

    expect([refused.code, trusted.code]).toEqual([3, 0]);
    expect(refused.cells).toMatchObject([
      { status: "invalid", cause: "judge-unreliable", score: null, judge: { calls: 0 } },
    ]);
    expect(refused.document.warnings).toMatchObject([expect.stringContaining(words)]);
    expect(refused.document.judges).toMatchObject([
      { trustedDespite: null, canaries: { problem: expect.stringContaining(words), flipRate: 1 } },
    ]);
    expect(refused.stderr).toContain(`warning: ${words}`);
    expect(trusted.document.judges).toMatchObject([
      {
        trustedDespite: expect.stringContaining(words),
        canaries: { problem: expect.stringContaining(words) },
      },
    ]);
    // Its canaries were not asked again, but the stamp stays.
    expect(shown.stdout).toContain(`trusted anyway: ${words}`);
  });

  test("a task may name its own judge, of another provider", async () => {
    await using project = await quickProject();
    await using server = await modelServer(verdict(1), soundReply);
    const models = {
      anthropic: { baseUrl: `${server.url}/v1` },
      google: { baseUrl: `${server.url}/v1beta` },
    };
    const tasks = [
      judged("hello", { model: "claude-sonnet-4-5" }),
      judged("hi", { model: "google/gemini-2.5-pro" }),
    ];

    const { code, cells } = await evaluate(project, "http://127.0.0.1:9", tasks, { config: { models } });

    expect(code).toBe(0);
    expect(cells.map(({ status, judge }) => [status, judge?.model, judge?.usage])).toEqual([
      ["pass", "anthropic/claude-sonnet-4-5", expect.objectContaining({ totalTokens: 38 })],
      ["pass", "google/gemini-2.5-pro", expect.objectContaining({ totalTokens: 38 })],
    ]);
  });

  test("case 14: a changed judge model makes new cells", async () => {
    await using project = await quickProject();
    await using server = await judge(() => completion(verdict(1)));
    const keysWith = async (model: string) =>
      (await evaluate(project, server.url, [judged("hello", { model })])).cells.map(({ key }) => key);

    const [one, other] = [await keysWith("one"), await keysWith("two")];

    expect(one).toHaveLength(1);
    expect(other).not.toEqual(one);
  });
});

describe("case 5 and fault row 33: a judge that fails makes the cell invalid, and no other", () => {
  const plain = { id: "plain", inputData: { word: "a" }, expectedOutput: { type: "exact", value: "a" } };
  const failures = [
    { name: "answers 500", status: 500, reply: () => "broken", code: "judge-unavailable" },
    {
      name: 'says "10 problems"',
      status: 200,
      reply: () => completion("10 problems"),
      code: "judge-unparseable",
    },
  ];

  test.each(failures)(
    "a judge that $name: exit 3, and 0 with --max-invalid 1",
    async ({ status, reply, code }) => {
      await using project = await quickProject();
      await using server = await judge(reply, status);
      const tasks = [judged("hello"), plain];

      const strict = await evaluate(project, server.url, tasks);
      const lenient = await evaluate(project, server.url, tasks, { flags: ["--max-invalid", "1"] });

      expect([strict.code, lenient.code]).toEqual([3, 0]);
      expect(strict.cells).toMatchObject([
        { status: "invalid", score: null, cause: code, judge: { model: "judge-1" } },
        { status: "pass", score: 1, judge: null },
      ]);
    },
  );

  test("a judge that is silent is given up after llm.timeoutMs", async () => {
    await using project = await quickProject();
    await using server = await httpServer(() => {});
    const llm = { baseUrl: `${server.url}/v1`, model: "judge-1", retries: 0, timeoutMs: 200 };

    const { code, cells } = await evaluate(project, server.url, [judged("hello")], { config: { llm } });

    expect(code).toBe(3);
    expect(cells[0]).toMatchObject({
      status: "invalid",
      cause: "judge-unavailable",
      reason: expect.stringContaining("no reply within 200 ms"),
    });
  });

  test("a judge that has a bad moment is asked again, llm.retries times", async () => {
    await using project = await quickProject();
    let questions = 0;
    await using server = await httpServer(async (request, response) => {
      const sound = soundReply(await readBody(request));
      const isBad = sound === null && questions++ === 0;
      response.writeHead(isBad ? 503 : 200, { ...json, "retry-after": "0" });
      response.end(isBad ? "" : completion(sound ?? verdict(1)));
    });
    const llm = { baseUrl: `${server.url}/v1`, model: "judge-1", retries: 1 };

    const { code, cells } = await evaluate(project, server.url, [judged("hello")], { config: { llm } });

    expect(code).toBe(0);
    expect(cells).toMatchObject([{ status: "pass", judge: { calls: 1 } }]);
  });
});

describe("before the first cell", () => {
  const nowhere = "http://127.0.0.1:9";

  test.each([
    ["a key that is missing", { model: "claude-x" }, "secret-missing", /ANTHROPIC_API_KEY/],
    ["a provider nobody knows", { model: "antropic/claude-x" }, "model-invalid", /antropic/],
  ])("%s is exit 2, with the place", async (_name, evaluator, code, words) => {
    await using project = await quickProject();

    const ended = await evaluate(project, nowhere, [judged("hello", evaluator)]);

    expect(ended.code).toBe(2);
    expect(ended.document.error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(readdirSync(project.path)).not.toContain("eval-skills.db");
  });

  test("the key of the configured endpoint may be missing on this machine only", async () => {
    await using project = await quickProject();

    const ended = await evaluate(project, "https://judge.example", [judged("hello")]);

    expect(ended.code).toBe(2);
    expect(ended.document.error).toMatchObject({
      code: "secret-missing",
      message: expect.stringContaining("EVAL_SKILLS_LLM_KEY or OPENAI_API_KEY or OPENAI_KEY"),
    });
  });
});

describe("secrets", () => {
  test("the key reaches the judge, and nothing that is printed, stored, reported or recorded", async () => {
    await using project = await quickProject();
    const key = "sk-judge-0123456789abcdef";
    const seen = new Set<string | undefined>();
    await using server = await httpServer(async (request, response) => {
      const { authorization } = request.headers;
      seen.add(authorization);
      const body = await readBody(request);
      const isBad = body.includes('{\\"word\\":\\"bad\\"}');
      // A careless provider: it shows the key in its errors and in its replies.
      const reply = soundReply(body) ?? JSON.stringify({ score: 1, reason: `you sent ${authorization}` });
      response.writeHead(isBad ? 400 : 200, json).end(isBad ? `bad ${authorization}` : completion(reply));
    });

    const ended = await evaluate(project, server.url, [judged("hello"), judged("bad")], {
      flags: ["--record", "cassettes", "--verbose", "--max-invalid", "1"],
      env: { EVAL_SKILLS_LLM_KEY: key },
    });

    expect([...seen]).toEqual([`Bearer ${key}`]);
    expect(ended.cells).toMatchObject([
      { status: "pass", reason: "you sent Bearer [redacted]" },
      { status: "invalid", reason: expect.stringContaining("bad Bearer [redacted]") },
    ]);
    expect(ended.stdout + ended.stderr).not.toContain(key);
    const files = readdirSync(project.path, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const content = readFileSync(join(file.parentPath ?? file.path, file.name));
      expect(content.includes(key), file.name).toBe(false);
    }
  });
});

describe("recordings", () => {
  test("what was recorded is replayed without network and without key, with the same results", async () => {
    await using project = await quickProject();
    const tasks = [judged("hello"), judged("goodbye")];
    const server = await judge((body) => completion(verdict(body.includes("goodbye") ? 0.2 : 0.9), usage));
    const flags = ["--runs", "2"];
    const real = await evaluate(project, server.url, tasks, { flags: [...flags, "--record", "cassettes"] });
    await server[Symbol.asyncDispose]();

    const replayed = await evaluate(project, server.url, tasks, {
      flags: [...flags, "--replay", "cassettes"],
    });

    expect([real.code, replayed.code]).toEqual([0, 0]);
    const facts = (cells: CellResult[]) =>
      cells.map(({ key, trial, status, score, reason, judge }) => ({
        key,
        trial,
        status,
        score,
        reason,
        judge,
      }));
    expect(facts(replayed.cells)).toEqual(facts(real.cells));
    expect(replayed.cells.map(({ status }) => status).sort()).toEqual(["fail", "fail", "pass", "pass"]);
  });

  test("a call that was not recorded has no verdict: exit 3", async () => {
    await using project = await quickProject();
    const server = await judge(() => completion(verdict(0.9)));
    await evaluate(project, server.url, [judged("hello")], { flags: ["--record", "cassettes"] });
    await server[Symbol.asyncDispose]();

    const { code, cells } = await evaluate(project, server.url, [judged("hello"), judged("new")], {
      flags: ["--replay", "cassettes"],
    });

    expect(code).toBe(3);
    expect(cells).toMatchObject([
      { status: "pass" },
      { status: "invalid", reason: expect.stringContaining("no recording of this call") },
    ]);
  });
});

test("SIGINT while a judge is thinking ends the run at once, to be resumed", async () => {
  await using project = await quickProject();
  let onQuestion = () => {};
  const firstQuestion = new Promise<void>((done) => {
    onQuestion = done;
  });
  let isAwake = false;
  await using server = await httpServer(async (request, response) => {
    const sound = soundReply(await readBody(request));
    if (sound === null) onQuestion();
    if (isAwake || sound !== null) response.writeHead(200, json).end(completion(sound ?? verdict(1)));
  });
  await project.skill("greeter", answering("return { result: input.word };"));
  await project.write("tasks.json", [judged("hello")]);
  writeUserFile(project.home, { llm: { baseUrl: `${server.url}/v1`, model: "judge-1" } });

  const { child, ended } = project.start([
    "eval",
    "--skills",
    "skills/greeter",
    "--tasks",
    "tasks.json",
    "--json",
  ]);
  await firstQuestion;
  child.kill("SIGINT");
  const interrupted = await ended;
  isAwake = true;
  const resumed = await project.run(["eval", "--resume", "--json"]);

  expect(interrupted.code).toBe(130);
  expect(resumed.code).toBe(0);
  expect(skillReport(resumed.document, "greeter").cells).toMatchObject([{ status: "pass", score: 1 }]);
});

test("a resumed run asks the judges it was planned with, as patiently as is said now; others are refused by name", async () => {
  await using project = await quickProject();
  let status = 500;
  let tries = 0;
  await using server = await httpServer(async (request, response) => {
    tries++;
    const reply = soundReply(await readBody(request)) ?? verdict(1);
    response.writeHead(status, { ...json, "retry-after": "0" }).end(completion(reply));
  });
  const failed = await evaluate(project, server.url, [judged("hello")]);
  const resumeWith = async (llm: object) => {
    const endpoint = { baseUrl: `${server.url}/v1`, model: "judge-1", retries: 2 };
    writeUserFile(project.home, { llm: { ...endpoint, ...llm } });
    tries = 0;
    return project.run(["eval", "--resume", "--json"]);
  };

  const other = await resumeWith({ model: "judge-2" });
  const elsewhere = await resumeWith({ baseUrl: "http://127.0.0.1:9/v1" });
  expect([failed.code, other.code, elsewhere.code, tries]).toEqual([3, 2, 2, 0]);
  expect(other.document.error).toMatchObject({
    code: "usage",
    message: expect.stringContaining("llm.model has changed since it started"),
    hint: expect.stringContaining('set it back to "judge-1"'),
  });
  expect(elsewhere.document.error.message).toContain("llm.baseUrl has changed since it started");

  writeUserFile(project.home, { llm: { baseUrl: `${server.url}/v1` } });
  tries = 0;
  expect((await project.run(["eval", "--resume", "--json"])).code).toBe(3);
  expect(tries).toBe(1); // without a flag, the planned value applies
  expect((await resumeWith({})).code).toBe(3);
  expect(tries).toBe(3); // the first canary, which the plan would have asked once; the cell is not asked about then
  status = 200;
  expect((await resumeWith({})).code).toBe(0);
});

test("SIGINT while only the canaries are under way is an interruption too; resumed, they are asked again", async () => {
  await using project = await quickProject();
  let onCanary = () => {};
  const firstCanary = new Promise<void>((done) => {
    onCanary = done;
  });
  let isAwake = false;
  await using server = await httpServer(async (request, response) => {
    const sound = soundReply(await readBody(request));
    if (sound !== null) onCanary();
    if (isAwake || sound === null) response.writeHead(200, json).end(completion(sound ?? verdict(1)));
  });
  await project.skill("greeter", answering("return { result: input.word };"));
  await project.write("tasks.json", [judged("hello")]);
  writeUserFile(project.home, { llm: { baseUrl: `${server.url}/v1`, model: "judge-1" } });
  const argv = ["eval", "--skills", "skills/greeter", "--tasks", "tasks.json", "--json", "--verbose"];

  const { child, ended } = project.start(argv);
  await firstCanary;
  child.kill("SIGINT");
  const interrupted = await ended;
  isAwake = true;
  const resumed = await project.run(["eval", "--resume", "--json"]);
  const again = await project.run(["eval", "--resume", resumed.document.run.id, "--json"]);

  expect(interrupted.code).toBe(130);
  expect(resumed.document.judges).toMatchObject([{ cells: 1, canaries: { problem: null } }]);
  expect(again.document.judges).toMatchObject([{ cells: 1, canaries: null }]);
});

test("who asks no model loads nothing of the SDK", async () => {
  const dist = resolve(import.meta.dirname, "../dist");
  const chunks = readdirSync(dist)
    .filter((name) => name.endsWith(".js"))
    .filter((name) => readFileSync(join(dist, name), "utf8").includes("ai-sdk/provider-utils"));
  await using project = await emptyProject();
  await using server = await judge(() => completion(verdict(1)));
  const env = { NODE_DEBUG: "esm" };
  const plain = { id: "plain", inputData: { word: "a" }, expectedOutput: { type: "exact", value: "a" } };

  const version = await project.run(["--version"], { env });
  const unjudged = await evaluate(project, server.url, [plain], { env });
  const withJudge = await evaluate(project, server.url, [judged("hello")], { env });

  const loaded = (stderr: string) => chunks.filter((name) => stderr.includes(name));
  expect(loaded(version.stderr)).toEqual([]);
  expect(loaded(unjudged.stderr)).toEqual([]);
  expect(loaded(withJudge.stderr)).not.toEqual([]);
});
