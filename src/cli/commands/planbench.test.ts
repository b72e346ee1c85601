import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { type AgentProject, agentProject } from "../../../test/agent-project.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { completion } from "../../../test/model-server.ts";
import { ReportFile } from "../../contract/document.ts";
import { PlanDetails, PlanEvidence, PlanTable } from "../../contract/planbench-report.ts";

const good = { schema_version: "plan.v1", steps: ["a"] };
const schema = {
  type: "object",
  required: ["schema_version", "steps"],
  properties: { schema_version: { const: "plan.v1" }, steps: { type: "array", minItems: 1 } },
};

const request = "What does it cost to bring a book back late?";
const one = (id: string, more: object = {}) => ({ id, input: request, mock: [good], ...more });

/** A bench on scripts, unless it says otherwise. */
const bench = (cases: object[], more: object = {}) => ({
  id: "desk",
  schema: "schemas/plan.v1.schema.json",
  target: { type: "model", model: "mock" },
  cases,
  ...more,
});

const openProject = (content: object, files: Record<string, unknown> = {}) =>
  agentProject({ "bench.yaml": content, "schemas/plan.v1.schema.json": schema, ...files });

/** A document, and what its cells store and saw. */
function read(document: unknown) {
  const file = ReportFile.parse(document);
  const samples = file.cells.map((cell) => ({
    ...cell,
    details: PlanDetails.parse(cell.details),
    output: PlanEvidence.parse(cell.output),
  }));
  /** What the cases of one route came to. */
  const table = (route: string) =>
    PlanTable.parse(file.subjects.find(({ arm }) => arm === route)?.details.table);
  return { ...file, samples, table };
}

const command = (project: AgentProject, flags: string[] = [], env: Record<string, string> = {}) =>
  project.run(["planbench", "bench.yaml", "--json", ...flags], { env });

const planbench = async (...args: Parameters<typeof command>) => {
  const { exitCode, stdout, stderr, document } = await command(...args);
  return { exitCode, stdout, stderr, document, report: read(document) };
};

/** A table without what differs between two runs of the same. */
const figures = ({ firstMs: _first, sampleMs: _sample, ...rest }: PlanTable) => rest;

test("without an argument it runs the 30 bundled cases, offline", async () => {
  await using project = await agentProject();

  const { exitCode, document, stderr } = await project.run(["planbench", "--json"]);

  expect(exitCode, stderr).toBe(0);
  const settings = { bench: "quick", model: "mock", schema: { name: "ah32.plan.v1" }, isolation: null };
  expect(document).toMatchObject({
    schemaVersion: 2,
    run: { command: "planbench", models: ["mock"], settings },
    suites: [{ id: "quick", level: "planbench", cases: 30 }],
    gates: [],
    exitCode: 0,
  });
  expect(document.cells).toHaveLength(30);
  expect(document.files).toContain("reports/planbench-result.json");
  expect(JSON.parse(project.read("reports/planbench-result.json"))).toEqual(document);
});

test("an empty object and another schema version are not ok, whatever a model is asked; it is named as it answers", async () => {
  const requests: { messages: { role: string; content: string }[] }[] = [];
  const says = [{}, { ...good, schema_version: "plan.v0" }, good];
  await using server = await httpServer(async (sent, response) => {
    requests.push(JSON.parse(await readBody(sent)));
    const reply = JSON.parse(
      completion(JSON.stringify(says[requests.length - 1]), {
        total_tokens: 12,
        prompt_tokens: 10,
        completion_tokens: 2,
      }),
    );
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...reply, model: "answering-1" }));
  });
  const config = { models: { lab: { baseUrl: server.url, apiKeyEnv: "LAB_KEY" } } };
  const content = bench([one("late", { host: "wps" })], {
    target: { type: "model", model: "lab/small", temperature: 0.7 },
  });
  await using project = await openProject(content, { "../.eval-skills/config.yaml": config });
  const env = { LAB_KEY: "key-of-the-lab-0123456789" };

  const { report, exitCode, stderr } = await planbench(project, ["--record", "calls"], env);

  expect(exitCode, stderr).toBe(0);
  expect(report.run.settings).toMatchObject({
    model: "lab/small",
    answeredBy: ["answering-1"],
    parameters: { temperature: 0.7 },
  });
  expect(report.table("routed")).toMatchObject({
    n: 1,
    ok0Rate: 0,
    successRate: 1,
    buckets: { "0": 0, "2": 1 },
    tokens: { first: 12, repairs: 24, total: 36, known: 1 },
    hitRate: 1,
  });
  const [sample] = report.samples;
  expect(sample?.output.attempts.map(({ valid }) => valid)).toEqual([false, false, true]);
  expect(sample?.output.attempts[1]?.violations).toMatchObject([{ pointer: "/schema_version" }]);
  expect(sample).toMatchObject({
    status: "pass",
    cause: null,
    details: { repairs: 2 },
    // Outputs are in a report only if requested.
    output: { selected: ["fines"], output: null },
  });
  const [first, , last] = requests.map(({ messages }) => messages);
  expect(first).toMatchObject([
    { role: "system", content: expect.stringMatching(/BODY-OF-FINES[\s\S]*host_app: wps$/) },
    { role: "user", content: request },
  ]);
  expect(last).toMatchObject([
    ...(first ?? []),
    { role: "assistant", content: JSON.stringify(says[1]) },
    { role: "user", content: 'Violations:\n- /schema_version: must be equal to constant: "plan.v1"' },
  ]);

  // What was recorded is the same bench again, times included, without a key.
  const again = await planbench(project, ["--replay", "calls", "--include-plan"]);
  expect(figures(again.report.table("routed"))).toEqual(figures(report.table("routed")));
  const [replayed] = again.report.samples;
  expect(replayed?.output.firstMs).toBe(sample?.output.firstMs);
  expect(JSON.parse(replayed?.output.output ?? "")).toEqual(good);
  expect(again.report.run.settings.answeredBy).toEqual(["answering-1"]);
  expect(requests).toHaveLength(3);
});

test("two replays differ in run and dates only; without recorded times there are none, and a time gate has no verdict", async () => {
  await using server = await httpServer((_, response) => {
    response.setHeader("content-type", "application/json");
    setTimeout(() => response.end(completion(JSON.stringify(good))), 60);
  });
  const config = { models: { lab: { baseUrl: server.url } } };
  const cases = [one("asked"), { ...one("given"), mock: undefined, source: "fixed", outputs: [good] }];
  await using project = await openProject(bench(cases, { target: { type: "model", model: "lab/small" } }), {
    "../.eval-skills/config.yaml": config,
  });
  const live = await planbench(project, ["--record", "calls"]);
  const replay = () => planbench(project, ["--replay", "calls", "--max-p95-ms", "10000"]);

  const [first, second] = [await replay(), await replay()];

  const recorded = live.report.table("routed");
  expect(live.report.run.timesRecorded).toBeNull();
  expect(first.report.run.timesRecorded).toBe(live.report.run.finishedAt.slice(0, 10));
  expect(first.exitCode, first.stderr).toBe(0);
  const { firstMs, sampleMs } = first.report.table("routed");
  expect(firstMs).toEqual(recorded.firstMs);
  expect(sampleMs.avg).toBeGreaterThanOrEqual(59);
  expect(first.report.table("fixed")).toMatchObject({
    n: 1,
    firstMs: { avg: null },
    sampleMs: { avg: null, p95: null },
  });
  const dates = /"(startedAt|finishedAt|beganAtMs|id)": ?("[^"]*"|\d+)/g;
  const timeless = ({ document: { files: _, ...rest } }: typeof first) =>
    JSON.stringify(rest).replace(dates, '"$1":0');
  expect(JSON.parse(timeless(first))).toEqual(JSON.parse(timeless(second)));

  // Recordings of other programs may have no times.
  for (const name of readdirSync(project.at("calls"))) {
    const { latencyMs: _, ...rest } = JSON.parse(project.read(`calls/${name}`));
    project.write(`calls/${name}`, JSON.stringify(rest));
  }
  const bare = await replay();
  expect(bare.exitCode).toBe(3);
  expect(bare.report.table("routed")).toMatchObject({
    n: 1,
    firstMs: { p95: null },
    sampleMs: { p95: null },
  });
});

test("forced and fixed cases move no figure of routed ones, and gates look at both but never at fixed ones", async () => {
  const routed = [one("a"), one("b", { mock: [{}, good] })];
  const forced = one("c", { mock: [{}], route: { forced: "hours" } });
  const fixed = { id: "d", input: request, source: "fixed", outputs: [{}] };
  await using project = await openProject(bench(routed));
  const alone = await planbench(project, ["--min-success", "1"]);
  project.write("bench.yaml", bench([...routed, forced, fixed]));

  const mixed = await planbench(project, ["--min-success", "1"]);

  expect(figures(mixed.report.table("routed"))).toEqual(figures(alone.report.table("routed")));
  expect(mixed.report.table("forced")).toMatchObject({ n: 1, ok: 0, topFailures: [{}, {}] });
  expect(mixed.report.table("fixed")).toMatchObject({ n: 1, fail: 1 });
  expect([alone.exitCode, mixed.exitCode]).toEqual([0, 1]);
  expect(mixed.report.gates.map(({ subject, passed }) => [subject?.arm, passed])).toEqual([
    ["routed", true],
    ["forced", false],
  ]);
  const only = (...flags: string[]) => planbench(project, ["--min-success", "1", ...flags]);
  expect((await only("--route", "auto")).exitCode).toBe(0);
  expect((await only("--route", "forced")).report.samples).toMatchObject([{ caseId: "c", arm: "forced" }]);
  // Without a gate nothing is demanded of plans; with one that nothing answers to there is no verdict.
  expect((await planbench(project)).exitCode).toBe(0);
  expect((await only("--case", "d")).exitCode).toBe(3);
  const limited = await planbench(project, [
    "--limit",
    "1",
    "--samples",
    "4",
    "--max-repairs",
    "0",
    "--min-ok0",
    "0.9",
    "--gate-on",
    "lower",
  ]);
  expect(limited.report).toMatchObject({
    run: { settings: { samples: 4, maxRepairs: 0 } },
    cells: { length: 4 },
    exitCode: 1,
  });
});

/** A service that plans: what it says to each request, or the status it refuses it with. */
async function service(reply: (n: number) => object | number | null) {
  const bodies: { user_query: string; session_id: string; host_app: string }[] = [];
  const server = await httpServer(async (sent, response) => {
    bodies.push(JSON.parse(await readBody(sent)));
    const answer = reply(bodies.length);
    if (typeof answer === "number") return void response.writeHead(answer).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"type":"progress"}\n\n');
    response.end(answer === null ? "" : `data: ${JSON.stringify({ type: "final_result", ...answer })}\n\n`);
  });
  return { bodies, url: `${server.url}/plan`, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

const planned = (attempts = 1) => ({ success: true, plan: good, attempt_count: attempts });

test("one HTTP 500 leaves 29 outcomes; resumed, only the missing sample is asked for", async () => {
  await using server = await service((n) => (n === 7 ? 500 : planned(n % 3 === 0 ? 2 : 1)));
  const quoted = `say "hi" to $${"{host}"}`;
  const cases = Array.from({ length: 30 }, (_, n) => ({ id: `c${n}`, input: quoted, host: "et" }));
  const target = { type: "sse", url: server.url, headers: { "X-Token": `$${"{env:PLAN_TOKEN}"}` } };
  await using project = await openProject(bench(cases, { target }));
  const env = { PLAN_TOKEN: "token-of-the-desk-01" };
  const granted = ["--grant", "env:PLAN_TOKEN", "--grant", `host:${new URL(server.url).host}`];
  const flags = ["--concurrency", "1", "--min-ok0", "0.5", ...granted];

  const { report, exitCode, stdout } = await planbench(project, flags, env);

  expect(report.table("routed")).toMatchObject({ planned: 30, n: 29, error: 1, coverage: 0.9667 });
  expect(report.table("routed").hitRate).toBeNull();
  expect([exitCode, report.gates.map(({ passed }) => passed)]).toEqual([3, [true]]);
  expect(report.samples.find(({ details }) => details.outcome === "error")).toMatchObject({
    status: "invalid",
    cause: "provider-error",
    reason: "HTTP 500",
    output: { service: null },
  });
  expect(stdout).not.toContain(env.PLAN_TOKEN);
  expect(new Set(server.bodies.map(({ session_id }) => session_id)).size).toBe(30);
  expect(server.bodies[0]).toMatchObject({ user_query: quoted, host_app: "et" });

  const resume = (...more: string[]) =>
    project.run(["planbench", "--json", "--resume", report.run.id, ...granted, ...more], { env });
  expect((await resume("--model", "mock")).document.error.message).toMatch(/--model/);
  const resumed = await resume();
  expect(resumed.exitCode).toBe(0);
  const whole = read(resumed.document);
  expect(whole.table("routed")).toMatchObject({ planned: 30, n: 30, error: 0, coverage: 1 });
  expect(whole.gates).toHaveLength(1);
  expect(server.bodies).toHaveLength(31);
  const again = await resume();
  expect([again.exitCode, again.document.subjects]).toEqual([0, whole.subjects]);
  expect(server.bodies).toHaveLength(31);
});

test("a service that answers like the real one: steps, the plan inside `result`, every member written out", async () => {
  const plan = {
    schema_version: "ah32.plan.v1",
    host_app: "wps",
    meta: {},
    actions: [
      {
        id: "t",
        title: "Open items",
        op: "insert_table",
        rows: 2,
        cols: 2,
        data: [["Item", "Owner"], ["Cables"]],
        borders: null,
        style: null,
        header: true,
        auto_fit: null,
      },
    ],
  };
  const answers = [
    { success: true, plan, attempt_count: 2 },
    { success: true, plan: { ...plan, actions: [{ ...plan.actions[0], rows: 1 }] }, attempt_count: 1 },
    {
      success: false,
      plan: null,
      attempt_count: 3,
      error: { type: "invalid_plan", message: "no actions" },
    },
  ];
  await using server = await httpServer(async (httpRequest, response) => {
    const { user_query } = JSON.parse(await readBody(httpRequest));
    const lines = [
      { type: "visual_step", step: { title: "reading the document" } },
      user_query === "breaks down"
        ? { type: "error", error: "out of order", timestamp: "2026-01-01T00:00:00Z" }
        : { type: "final_result", result: answers[Number(user_query)] },
    ];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`${lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join("")}data: [DONE]\n\n`);
  });
  const cases = ["0", "1", "2", "breaks down"].map((input, n) => ({ id: `c${n}`, input, host: "wps" }));
  const target = { type: "sse", url: server.url };
  await using project = await openProject(bench(cases, { target, schema: "ah32.plan.v1" }));

  const { report } = await planbench(project, ["--max-invalid", "1"]);

  expect(report.samples.map(({ details: { outcome, repairs } }) => [outcome, repairs])).toEqual([
    ["ok", 1],
    ["fail", null],
    ["fail", null],
    ["error", null],
  ]);
  expect(JSON.stringify(report.samples[1])).toContain("has 2 rows, and the table has 1");
  expect(JSON.stringify(report.samples[2])).toContain("there is no plan: invalid_plan: no actions");
  expect(report.samples[3]).toMatchObject({
    cause: "provider-error",
    reason: "the service failed: out of order",
  });
});

test("a stream without final_result is no outcome, and with too many of them no gate has a verdict", async () => {
  await using server = await service((n) => (n === 2 ? null : planned()));
  const cases = ["a", "b", "c"].map((id) => ({ id, input: request }));
  await using project = await openProject(bench(cases, { target: { type: "sse", url: server.url } }));
  const flags = ["--max-invalid", "1", "--concurrency", "1"];

  const ended = await planbench(project, [...flags, "--min-ok0", "0"]);

  expect(ended.report.samples.map(({ details }) => details.outcome)).toEqual(["ok", "error", "ok"]);
  expect(ended.report.gates).toMatchObject([{ passed: null }]);
  expect(ended.exitCode).toBe(3);
  expect((await planbench(project, flags)).exitCode).toBe(0);
});

test("an executor makes it a bench of write-back: what it refuses is repaired, and that is reported", async () => {
  const cases = [
    one("a", { host: "et", mock: [{ ...good, steps: ["broken"] }, good] }),
    one("b", { mock: [{ ...good, steps: ["broken"] }] }),
  ];
  const script = `if grep -q broken; then echo '{"ok":false,"error":"no cell A1"}'; else echo '{"ok":true}'; fi`;
  await using project = await openProject(bench(cases, { executor: "sh ./run.sh", max_repairs: 1 }), {
    "run.sh": script,
  });

  const { report, exitCode, stderr } = await planbench(project, ["--sandbox", "process"], {
    EVAL_SKILLS_TELEMETRY_MODE: "local",
  });

  expect(exitCode, stderr).toBe(0);
  expect(report.table("routed")).toMatchObject({
    ok: 1,
    fail: 1,
    execRate: 0.25,
    topFailures: [{ reason: expect.stringContaining("no cell A1"), count: 1 }],
  });
  expect(report.run.settings.isolation).toMatchObject({ level: "process" });
  const events = async (name: string) =>
    (await project.run(["telemetry", "query", "--json", "--event", name])).document.events;
  expect(await events("macro.exec_start")).toHaveLength(4);
  expect((await events("macro.exec_done")).map(({ payload }: { payload: object }) => payload)).toContainEqual(
    {
      type: "plan",
      ok: true,
      exec_ms: expect.any(Number),
      repaired: true,
      error: null,
    },
  );
  expect(await events("macro.error_report")).toHaveLength(3);
  expect(await events("planbench.sample_done")).toContainEqual(
    expect.objectContaining({
      case_id: "a",
      host_app: "et",
      run_id: report.run.id,
      payload: { outcome: "ok", repairs: 1, ms: expect.any(Number), tokens: null, route: "routed" },
    }),
  );
});

test("a local case is made by a tool of a skill, and stands among the fixed ones", async () => {
  const manifest = {
    schema_version: "ah32.skill.v1",
    meta: { id: "maker", name: "Maker" },
    entry: { system_prompt: "SYSTEM.md" },
    tools: [
      {
        name: "plan",
        description: "makes a plan",
        parameters: { type: "object", properties: { step: { type: "string" } } },
      },
    ],
  };
  const code = 'def plan(step="", **kwargs):\n    return {"schema_version": "plan.v1", "steps": [step]}\n';
  const local = (tool: string) =>
    bench([{ id: "a", input: request, source: "local", tool, arguments: { step: "x" } }], {
      skill_roots: ["skills"],
    });
  await using project = await openProject(local("maker#plan"), {
    "skills/maker/skill.json": manifest,
    "skills/maker/SYSTEM.md": "Make plans.",
    "skills/maker/scripts/plan.py": code,
  });

  const { report, stderr } = await planbench(project, ["--sandbox", "process", "--include-plan"]);

  expect(report.samples, stderr).toMatchObject([{ arm: "fixed", details: { outcome: "ok" } }]);
  expect(JSON.parse(report.samples[0]?.output.output ?? "")).toMatchObject({ steps: ["x"] });
  expect(report.run.settings.skills).toEqual({ maker: expect.stringMatching(/^sha256:/) });
  project.write("bench.yaml", local("maker#plam"));
  expect((await command(project)).document).toMatchObject({
    exitCode: 2,
    error: { code: "benchmark-invalid", jsonPath: "$.cases[0].tool", hint: "did you mean maker#plan?" },
  });
});

test.each<[string, object, string[], object]>([
  [
    "a case without replies, on a script",
    bench([one("a", { mock: undefined })]),
    [],
    { code: "benchmark-invalid", jsonPath: "$.cases[0].mock" },
  ],
  [
    "a forced skill that is not there",
    bench([one("a")], { route: { forced: "fine" } }),
    [],
    { jsonPath: "$.route", hint: "did you mean fines?" },
  ],
  [
    "a forced skill of one case",
    bench([one("a", { route: { forced: ["hours", "nobody"] } })]),
    [],
    { jsonPath: "$.cases[0].route" },
  ],
  ["a case that is not there", bench([one("a")]), ["--case", "b"], { code: "usage" }],
  ["a tag that nobody has", bench([one("a", { tags: ["x"] })]), ["--tag", "y"], { code: "nothing-to-do" }],
  [
    "a host that nobody has",
    bench([one("a", { host: "et" })]),
    ["--only-host", "ett"],
    { hint: "did you mean et?" },
  ],
  [
    "a program that is not installed",
    bench([one("a")], { executor: "no-such-program-here" }),
    ["--sandbox", "process"],
    { jsonPath: "$.executor" },
  ],
  [
    "a variable that is not set",
    bench([{ id: "a", input: "x" }], {
      target: { type: "sse", url: "http://localhost", headers: { "x-a": `$${"{env:NOT_SET}"}` } },
    }),
    ["--grant", "env:NOT_SET", "--grant", "host:localhost:80"],
    { code: "secret-missing" },
  ],
])("refused before anything is run: %s", async (_, content, flags, error) => {
  await using project = await openProject(content);

  const { exitCode, document } = await command(project, flags);

  expect(exitCode).toBe(2);
  expect(document).toMatchObject({ exitCode: 2, error });
  expect(project.exists("eval-skills.db")).toBe(false);
});

test("--dry-run checks, routes and counts; a run is logged, kept and reported in every format", async () => {
  const cases = [one("a"), one("b", { route: { forced: "fines" } })];
  await using project = await openProject(bench(cases));
  const dry = await command(project, ["--dry-run"]);
  expect(dry.document).toMatchObject({
    dryRun: true,
    cells: 2,
    tables: [
      { route: "routed", cases: 1, samples: 1 },
      { route: "forced", cases: 1, samples: 1 },
    ],
  });
  expect(project.exists("reports") || project.exists("eval-skills.db")).toBe(false);

  const { report } = await planbench(project, ["--format", "json", "markdown", "html", "csv", "junit"]);

  const stable = ["json", "md", "html", "csv", "xml"].map((end) => `reports/planbench-result.${end}`);
  expect(stable.filter((path) => !project.exists(path))).toEqual([]);
  const lines = project.read("reports/.eval.jsonl").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: "planbench", runId: report.run.id, caseId: "a", verdict: "pass", outcome: "ok", route: "routed" },
    { kind: "planbench", caseId: "b", route: "forced" },
  ]);
  const { document } = await project.run(["history", "--json"]);
  expect(document.rows.map(({ subject }: { subject: string }) => subject).sort()).toEqual([
    "mock",
    "mock (forced)",
  ]);
  const shown = await project.run(["planbench", "bench.yaml"]);
  expect(shown.stdout).toMatch(/2 samples passed\n$/);
});
