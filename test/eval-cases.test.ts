import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { reportFormats } from "../src/contract/format.ts";
import type { CellResult } from "../src/contract/result.ts";
import { answering, countingTasks, quickProject } from "./built-cli.ts";
import { httpServer } from "./local-server.ts";
import { skillReport } from "./report-of.ts";

const calculator = resolve(import.meta.dirname, "../examples/calculator");
const echo = answering("return { result: input.n };");

describe("case 1: a skill is the same skill however it is named", () => {
  test("by file, by folder, from another folder and through a parent folder the results agree", async () => {
    await using project = await quickProject();
    await project.skill("echo", echo);
    const tasks = await project.write("tasks.json", countingTasks(3));
    await mkdir(project.at("elsewhere"));
    await project.write("eval-skills.config.yaml", "{}\n");
    const ways = [
      { skills: "skills/echo/skill.json", cwd: project.path },
      { skills: "./skills/echo", cwd: project.path },
      { skills: "skills", cwd: project.path },
      { skills: "../skills/echo", cwd: project.at("elsewhere") },
      { skills: project.at("skills/echo"), cwd: "/" },
    ];

    const reports = [];
    for (const { skills, cwd } of ways) {
      const flags = ["--tasks", tasks, "--output-dir", project.at("out"), "--store", project.at("store.db")];
      const { code, document } = await project.run(["eval", "--skills", skills, ...flags, "--json"], { cwd });
      expect(code).toBe(0);
      reports.push(skillReport(document, "echo"));
    }

    for (const report of reports) {
      expect(report.counts).toMatchObject({ total: 3, pass: 3 });
      expect(report.skillDigest).toBe(reports[0]?.skillDigest);
      expect(report.cells.map(({ key }) => key)).toEqual(reports[0]?.cells.map(({ key }) => key));
    }
  });

  test("a skill that answers and then exits with 7 keeps its pass, and every format warns of it", async () => {
    await using project = await quickProject();
    await project.skill("echo", `${echo}process.stdin.on("end", () => process.exit(7));`);
    const tasks = await project.write("tasks.json", countingTasks(2));

    const { code, stdout } = await project.run([
      ...["eval", "--skills", "skills/echo", "--tasks", tasks, "--format"],
      ...reportFormats,
    ]);

    expect(code).toBe(0);
    expect(stdout).toContain("2 passed");
    const files = (await readdir(project.at("reports"))).filter((name) =>
      /^eval-result\.[a-z.]+$/.test(name),
    );
    expect(files).toHaveLength(reportFormats.length);
    for (const file of files)
      expect(await readFile(project.at(`reports/${file}`), "utf8"), file).toContain("answered, then exit 7");
  });

  test("init, create and eval work in an empty folder", async () => {
    await using project = await quickProject();

    expect((await project.run(["init", "--dir", "."])).code).toBe(0);
    expect(
      (await project.run(["create", "--name", "my_calc", "--from-template", "python_script"])).code,
    ).toBe(0);
    const { code, stdout } = await project.run([
      "eval",
      "--skills",
      "./skills/my_calc",
      "--tasks",
      "./skills/my_calc/tests/basic.eval.json",
    ]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/my_calc .*100\.0% \[20\.6–100\.0\].*\b1 passed\n$/s);
    expect((await readdir(project.at("reports"))).sort()).toEqual([
      ".eval.jsonl",
      expect.stringMatching(/^eval-result-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.json$/),
      expect.stringMatching(/^eval-result-.*Z\.md$/),
      "eval-result.json",
      "eval-result.md",
    ]);
  });
});

describe("case 2: what the user got wrong is exit 2 with the name of the culprit, and no report", () => {
  test.each([
    ["a path without a skill", ["--skills", "./skills/ecko"], "skill-not-found", "ecko"],
    ["a folder without any skill", ["--skills", "./empty"], "skill-not-found", "empty"],
    ["a broken skill.json", ["--skills", "./broken"], "skill-invalid", "broken/skill.json"],
    ["two skills with one id", ["--skills", "./skills", "./copy"], "skill-duplicate", "copy"],
    ["an unknown format", ["--skills", "./skills/echo", "--format", "htm"], "usage", "html"],
    ["a rate that is not a number", ["--skills", "./skills/echo", "--min-completion", "abc"], "usage", "abc"],
    [
      "a missing configuration",
      ["--skills", "./skills/echo", "-c", "nowhere.yaml"],
      "config-invalid",
      "nowhere.yaml",
    ],
    [
      "a store that is a folder",
      ["--skills", "./skills/echo", "--store", "./empty"],
      "store-unusable",
      "empty",
    ],
    [
      "an unknown benchmark",
      ["--skills", "./skills/echo", "--benchmark", "coding-esy"],
      "benchmark-not-found",
      "coding-easy",
    ],
    ["an unknown scorer", ["--skills", "./skills/echo", "--evaluator", "exat"], "scorer-invalid", "exact"],
    [
      "a closed network at a level that cannot close it",
      ["--skills", "./skills/echo", "--network", "none", "--sandbox", "process"],
      "sandbox-unavailable",
      "--network none",
    ],
    ["an unknown task", ["--skills", "./skills/echo", "--case", "coding_03"], "usage", "coding_003"],
    ["an unknown option", ["--skills", "./skills/echo", "--concurency", "2"], "usage", "--concurrency"],
  ])("%s", async (_, flags, errorCode, culprit) => {
    await using project = await quickProject();
    await project.skill("echo", echo);
    await mkdir(project.at("empty"));
    await project.write("broken/skill.json", '{ "id": "x", ');
    await cp(project.at("skills/echo"), project.at("copy/other"), { recursive: true });

    const { code, document, stderr } = await project.run(["eval", ...flags, "--json"]);

    expect(code, stderr).toBe(2);
    expect(document).toMatchObject({
      schemaVersion: 1,
      command: "eval",
      error: { code: errorCode },
      exitCode: 2,
    });
    expect(JSON.stringify(document.error)).toContain(culprit);
    expect(existsSync(project.at("reports/eval-result.json"))).toBe(false);
  });

  test("without --json the message goes to stderr, names the place and says how to fix it", async () => {
    await using project = await quickProject();
    await project.skill("echo", echo);

    const { code, stdout, stderr } = await project.run(["eval", "--skills", "./skills/ecko"]);

    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toBe("error: no skill at ./skills/ecko\nhint: did you mean skills/echo?\n");
  });

  test("an unwritable report folder is found before anything runs", async () => {
    await using project = await quickProject();
    await project.skill(
      "touches",
      answering(`require("node:fs").writeFileSync("/tmp/never", ""); return 1;`),
    );
    await project.write("reports", "a file where the folder should be");

    const { code, document } = await project.run(["eval", "--skills", "skills/touches", "--json"]);

    expect(code).toBe(2);
    expect(document.error.code).toBe("output-unwritable");
    expect(existsSync(project.at("eval-skills.db"))).toBe(false);
  });
});

describe("case 3: a skill that never answers", () => {
  test("every cell is a timeout, p95 is the deadline and the composite is 0, whatever --timeout says", async () => {
    await using project = await quickProject();
    await project.skill("hangs", "#!/bin/sh\nexec sleep infinity\n");
    const tasks = await project.write("tasks.json", countingTasks(2));

    for (const timeout of [300, 600]) {
      const flags = ["--tasks", tasks, "--timeout", String(timeout), "--json"];
      const { code, document } = await project.run(["eval", "--skills", "skills/hangs", ...flags]);

      expect(code).toBe(0);
      const { counts, figures } = skillReport(document, "hangs");
      expect(counts).toMatchObject({ total: 2, timeout: 2, pass: 0 });
      expect(figures).toMatchObject({
        latencyP95Ms: timeout,
        latP95Norm: 1,
        compositeScore: 0,
        errorRate: 1,
        completionRate: 0,
      });
    }
  });

  test("a skill that answers 'upstream timeout' as an error is an error, not a timeout", async () => {
    await using project = await quickProject();
    const program = `#!${process.execPath}
process.stdin.once("data", (line) => {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "upstream timeout" } }));
});`;
    await project.skill("upstream", program);
    const tasks = await project.write("tasks.json", countingTasks(1));

    const { document } = await project.run([
      "eval",
      "--skills",
      "skills/upstream",
      "--tasks",
      tasks,
      "--json",
    ]);

    expect(skillReport(document, "upstream").cells).toMatchObject([{ status: "error", cause: "rpc-error" }]);
  });
});

describe("case 4: expectations mean what they say", () => {
  test.each([
    [{ type: "exact", value: { a: 1 } }, undefined, { b: 2 }, "fail"],
    [{ type: "contains", keywords: ["secret"] }, undefined, { secret: 1 }, "fail"],
    [{ type: "contains", keywords: ["Paris"] }, undefined, { city: "PARIS" }, "pass"],
    [
      { type: "contains", keywords: ["Paris"] },
      { type: "contains", caseSensitive: true },
      { city: "PARIS" },
      "fail",
    ],
    [{ type: "exact", value: "paris" }, undefined, "PARIS", "fail"],
    [{ type: "exact", value: "paris" }, { type: "exact", caseSensitive: false }, "PARIS", "pass"],
  ])("%j with %j against %j is %s", async (expectedOutput, evaluator, output, status) => {
    await using project = await quickProject();
    await project.skill("says", answering("return input;"));
    const task = { id: "t", inputData: output, expectedOutput, ...(evaluator && { evaluator }) };
    const tasks = await project.write("tasks.json", [task]);

    const { document } = await project.run(["eval", "--skills", "skills/says", "--tasks", tasks, "--json"]);

    expect(skillReport(document, "says").cells).toMatchObject([{ status }]);
  });

  test("a misspelt keyword is exit 2 and says which was meant", async () => {
    await using project = await quickProject();
    await project.skill("echo", echo);
    const task = { id: "t", inputData: 1, expectedOutput: { type: "contains", keyword: ["x"] } };
    const tasks = await project.write("tasks.json", [task]);

    const { code, document } = await project.run([
      "eval",
      "--skills",
      "skills/echo",
      "--tasks",
      tasks,
      "--json",
    ]);

    expect(code).toBe(2);
    expect(document.error.hint).toContain("keywords");
    expect(document.error.jsonPath).toBe("$[0].expectedOutput.keyword");
  });
});

describe("case 5: a scorer that breaks makes its own cell invalid and nothing else", () => {
  test("process.exit, a catastrophic pattern and an honest task side by side: exit 3, and 0 where all of that is accepted", async () => {
    await using project = await quickProject();
    await project.skill("says", answering("return input.text ?? input.n;"));
    await project.write("scorers/leaves.mjs", "export default () => process.exit(0);");
    const text = `${"a".repeat(40)}!`;
    const tasks = await project.write("tasks.json", [
      {
        id: "leaves",
        inputData: { n: 1 },
        expectedOutput: { type: "custom", customScorerPath: "./scorers/leaves.mjs" },
      },
      { id: "backtracks", inputData: { text }, expectedOutput: { type: "regex", patterns: ["^(a+)+$"] } },
      { id: "honest", inputData: { n: 7 }, expectedOutput: { type: "exact", value: 7 } },
    ]);
    const argv = ["eval", "--skills", "skills/says", "--tasks", tasks, "--json"];

    const { code, document } = await project.run(argv);

    const { cells, counts } = skillReport(document, "says");
    const byId = Object.fromEntries(cells.map((cell) => [cell.caseId, cell]));
    expect(byId.leaves).toMatchObject({ status: "invalid", score: null, cause: "scorer-crashed" });
    expect(byId.backtracks).toMatchObject({ status: "invalid", score: null, cause: "scorer-timeout" });
    expect(byId.honest).toMatchObject({ status: "pass", score: 1, cause: null });
    expect(counts).toMatchObject({ total: 1, pass: 1, invalid: 2 });
    expect(code).toBe(3);
    expect((await project.run([...argv, "--max-invalid", "1"])).code).toBe(0);
  });
});

describe("case 6: skills that misbehave get the right status, on time, and a small report", () => {
  test("one that exits without reading 10 MB of input", async () => {
    await using project = await quickProject();
    await project.skill("leaves", "#!/bin/sh\nexit 0\n");
    const tasks = await project.write("tasks.json", [
      { id: "big", inputData: "x".repeat(10_000_000), expectedOutput: { type: "exact", value: 1 } },
    ]);

    const { code, document } = await project.run([
      "eval",
      "--skills",
      "skills/leaves",
      "--tasks",
      tasks,
      "--json",
    ]);

    expect(code).toBe(0);
    expect(skillReport(document, "leaves").cells).toMatchObject([{ status: "error", cause: "no-response" }]);
  });

  test("one that floods stdout, and one that talks before it answers", async () => {
    await using project = await quickProject();
    await project.skill("floods", "#!/bin/sh\nexec yes flood\n");
    await project.skill(
      "chatty",
      answering("console.log('loading model…\\nready'); return { result: input.n };"),
    );
    const tasks = await project.write("tasks.json", countingTasks(2));

    const { document } = await project.run(["eval", "--skills", "skills", "--tasks", tasks, "--json"]);

    expect(document.subjects).toMatchObject([
      { skillId: "chatty", counts: { pass: 2 } },
      { skillId: "floods" },
    ]);
    expect(skillReport(document, "floods").cells[0]).toMatchObject({
      status: "error",
      cause: "output-limit",
      outputTruncated: true,
      output: null,
    });
    expect((await project.read("reports/eval-result.json")).length).toBeLessThan(200_000);
  });

  test("one in a folder named like a command: nothing of the name is executed", async () => {
    await using project = await quickProject();
    await project.skill("plain", echo);
    await rename(project.at("skills/plain"), project.at("skills/$(touch x) [1]"));
    const tasks = await project.write("tasks.json", countingTasks(1));

    const { code, document } = await project.run(["eval", "--skills", "skills", "--tasks", tasks, "--json"]);

    expect(code).toBe(0);
    expect(document.passed).toBe(1);
    expect(await readdir(project.at("skills"))).toEqual(["$(touch x) [1]"]);
    expect(existsSync(project.at("x"))).toBe(false);
  });

  test("a Python skill and a Node skill both run, per call and persistent", async () => {
    await using project = await quickProject();
    await cp(calculator, project.at("skills/calculator"), { recursive: true });
    await project.skill("node_stays", answering("return { result: input.expression };"), {
      config: { type: "subprocess", lifecycle: "persistent" },
    });

    const { code, document } = await project.run([
      "eval",
      "--skills",
      "skills",
      "--benchmark",
      "coding-easy",
      "--json",
    ]);

    expect(code).toBe(0);
    expect(document.subjects).toMatchObject([
      { skillId: "calculator", counts: { pass: 20 } },
      { skillId: "node_stays", counts: { error: 0, timeout: 0 } },
    ]);
  });
});

describe("case 8: repetition", () => {
  test("two tasks that alternate in opposite phase look consistent and are both flaky; a seed fixes the intervals", async () => {
    await using project = await quickProject();
    // One process at concurrency 1: its calls come trial by trial.
    const body =
      "globalThis.calls = (globalThis.calls ?? -1) + 1; return (Math.floor(calls / 2) + input.n) % 2;";
    await project.skill("turns", answering(body), {
      config: { type: "subprocess", lifecycle: "persistent" },
    });
    const tasks = await project.write(
      "tasks.json",
      [0, 1].map((n) => ({ id: `t${n}`, inputData: { n }, expectedOutput: { type: "exact", value: 1 } })),
    );
    const line = "eval --skills skills/turns --runs 6 --concurrency 1 --seed 3 --json --tasks".split(" ");

    const { document } = await project.run([...line, tasks]);
    const again = await project.run([...line, tasks]);

    const { figures, counts } = skillReport(document, "turns");
    expect(counts).toMatchObject({ total: 12, pass: 6 });
    expect(figures).toMatchObject({ consistencyScore: 1, flakeRate: 1, completionRate: 0.5 });
    const intervals = readIntervals(document);
    expect(intervals).toMatchObject({
      completionRate: { method: "wilson-neff", estimates: "cases-like-these", cases: 2, trials: 12 },
      partialScore: { method: "wilson-neff", estimates: "cases-like-these", cases: 2, trials: 12 },
    });
    expect(readIntervals(again.document)).toEqual(intervals);
  });
});

/** The bounds of every figure of the one subject. */
function readIntervals(document: unknown) {
  const { metrics } = skillReport(document, "turns");
  return Object.fromEntries(Object.entries(metrics).map(([name, { interval }]) => [name, interval]));
}

describe("case 9: skills behind a protocol", () => {
  test("MCP errors and slowness, HTTP 500 and redirects are the skill's own; the token of adapter.config.json is sent", async () => {
    await using project = await quickProject();
    const headers: (string | undefined)[] = [];
    await using server = await httpServer((request, response) => {
      headers.push(`${request.url} ${request.headers.authorization}`);
      response.setHeader("content-type", "application/json");
      if (request.url === "/moves") response.setHeader("location", "/elsewhere");
      response.statusCode = { "/breaks": 500, "/moves": 302 }[request.url ?? ""] ?? 200;
      response.end('{"result":1}');
    });
    const web = (path: string) => ({
      manifest: { adapterType: "http", entrypoint: `${server.url}/${path}` },
      config: { type: "http", authType: "bearer", authTokenEnvKey: "WEB_TOKEN" },
    });
    for (const id of ["breaks", "moves", "works"]) await project.skill(id, "", web(id));
    for (const id of ["mcp_error", "mcp_slow"])
      await project.skill(id, mcpServer, {
        manifest: { adapterType: "mcp", entrypoint: "./program", metadata: { toolName: id } },
        config: { type: "mcp", timeoutMs: id === "mcp_slow" ? 400 : 20_000 },
      });
    const tasks = await project.write("tasks.json", countingTasks(1));

    const granted = ["--grant", "env:WEB_TOKEN", "--grant", `host:${new URL(server.url).host}`];
    const { document } = await project.run(
      ["eval", "--skills", "skills", "--tasks", tasks, "--json", ...granted],
      {
        env: { WEB_TOKEN: "letmein-4711" },
      },
    );

    const ends = document.cells.map(({ skillId, status, cause }: CellResult) => [skillId, [status, cause]]);
    expect(Object.fromEntries(ends)).toEqual({
      breaks: ["error", "http-status"],
      moves: ["error", "redirect-refused"],
      works: ["pass", null],
      mcp_error: ["error", "tool-error"],
      mcp_slow: ["timeout", "deadline"],
    });
    expect(headers.sort()).toEqual(
      ["breaks", "moves", "works"].map((path) => `/${path} Bearer letmein-4711`),
    );
    expect(JSON.stringify(document)).not.toContain("letmein-4711");
  });

  /** A server with one tool that fails and one that never answers. */
  const mcpServer = `#!${process.execPath}
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
const tools = ["mcp_error", "mcp_slow"].map((name) => ({ name, inputSchema: { type: "object" } }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "fixture", version: "1.0.0" } });
  if (method === "tools/list") answer(id, { tools });
  if (method === "tools/call" && params.name === "mcp_error") answer(id, { content: [{ type: "text", text: "no" }], isError: true });
});
`;
});

describe("flags that shape a run", () => {
  test("--task-tag and --case choose tasks, --runs repeats them, tags have figures of their own", async () => {
    await using project = await quickProject();
    const argv = ["eval", "--skills", calculator, "--benchmark", "coding-easy", "--json"];

    const tagged = await project.run([...argv, "--task-tag", "factorial", "--runs", "2", "--seed", "7"]);
    const single = await project.run([...argv, "--case", "coding_003", "coding_001"]);

    expect(skillReport(tagged.document, "calculator")).toMatchObject({
      trials: 2,
      counts: { total: 6, pass: 6 },
      figures: { flakeRate: 0, consistencyScore: 1 },
      details: { passAtK: { 1: 1, 2: 1 } },
      byTag: { "edge-case": { total: 2, pass: 2 } },
    });
    expect(tagged.document.run).toMatchObject({ seed: 7, trials: 2 });
    const ids = skillReport(single.document, "calculator").cells.map(({ caseId }) => caseId);
    expect(ids).toEqual(["coding_001", "coding_003"]);
  });

  test("--dry-run checks and counts everything and leaves nothing behind", async () => {
    await using project = await quickProject();
    await project.skill(
      "never",
      answering(`require("node:fs").writeFileSync("${project.at("ran")}", ""); return 1;`),
    );

    const { code, document } = await project.run([
      "eval",
      "--skills",
      "skills/never",
      "--runs",
      "3",
      "--dry-run",
      "--json",
    ]);

    expect(code).toBe(0);
    expect(document).toEqual({
      schemaVersion: 1,
      command: "eval",
      dryRun: true,
      skills: ["never"],
      benchmark: "coding-easy",
      tasks: 20,
      runs: 3,
      cells: 60,
      scorers: { exact_match: 20 },
      notLoaded: [],
      warnings: [],
    });
    expect(await readdir(project.path)).toEqual(["skills"]);
  });

  test("the gate: --exit-on-fail is exit 1 below the rate, and the lower bound is harder to meet than the point", async () => {
    await using project = await quickProject();
    await project.skill("half", answering("return { result: input.n <= 2 ? input.n : 0 };"));
    const tasks = await project.write("tasks.json", countingTasks(4));
    const argv = ["eval", "--skills", "skills/half", "--tasks", tasks, "--exit-on-fail", "--json"];

    const above = await project.run([...argv, "--min-completion", "0.5"]);
    const below = await project.run([...argv, "--min-completion", "0.51"]);
    const lower = await project.run([...argv, "--min-completion", "0.5", "--gate-on", "lower"]);

    const typedGate = argv.filter((word) => word !== "--exit-on-fail");
    const implied = await project.run([...typedGate, "--min-completion", "0.51"]);
    const ungated = await project.run(typedGate);

    expect([above.code, below.code, lower.code]).toEqual([0, 1, 1]);
    expect([implied.code, ungated.code]).toEqual([1, 0]); // a default gate is only shown, a typed one is enforced
    expect(below.document.gates).toEqual([
      {
        subject: { suite: "tasks.json", skillId: "half", model: null, arm: null },
        level: "unit",
        metric: "completionRate",
        on: "point",
        op: ">=",
        threshold: 0.51,
        value: 0.5,
        passed: false,
        enforced: true,
      },
    ]);
    expect(lower.document.gates).toMatchObject([
      { on: "lower", value: expect.closeTo(0.15, 3), passed: false },
    ]);
  });

  test("a --timeout above every deadline warns and names the shorter setting", async () => {
    await using project = await quickProject();
    await project.skill("echo", echo);
    const tasks = await project.write("tasks.json", [{ ...countingTasks(1)[0], timeoutMs: 5000 }]);

    const { document } = await project.run([
      "eval",
      "--skills",
      "skills/echo",
      "--tasks",
      tasks,
      "--timeout",
      "60000",
      "--json",
    ]);

    expect(document.warnings).toEqual([
      "--timeout 60000 has no effect: every timeout is shorter (longest: 5000 ms, timeoutMs of task t1)",
    ]);
  });

  test("retries record every attempt, and the last decides", async () => {
    await using project = await quickProject();
    const counter = project.at("count");
    const body = `
      const fs = require("node:fs");
      const n = fs.existsSync("${counter}") ? Number(fs.readFileSync("${counter}", "utf8")) : 0;
      fs.writeFileSync("${counter}", String(n + 1));
      if (n === 0) process.exit(3);
      return { result: input.n };`;
    await project.skill("flaky", answering(body));
    const tasks = await project.write("tasks.json", countingTasks(1));

    const { document } = await project.run([
      "eval",
      "--skills",
      "skills/flaky",
      "--tasks",
      tasks,
      "--retries",
      "2",
      "--sandbox",
      "process", // it counts its calls outside of its folder
      "--json",
    ]);

    expect(skillReport(document, "flaky").cells).toMatchObject([
      {
        status: "pass",
        attempts: [
          { n: 1, status: "error", code: "crash" },
          { n: 2, status: "answered", code: null },
        ],
      },
    ]);
  });

  test("a user's benchmark with a bundled id wins, with a warning", async () => {
    await using project = await quickProject();
    await project.skill("echo", echo);
    await project.write("benchmarks/mine.json", {
      id: "coding-easy",
      name: "Mine",
      version: "9.0.0",
      tasks: countingTasks(2),
    });

    const { document } = await project.run(["eval", "--skills", "skills/echo", "--json"]);

    expect(document.suites).toMatchObject([{ id: "coding-easy", version: "9.0.0", cases: 2 }]);
    expect(document.subjects).toMatchObject([{ suite: "coding-easy", counts: { total: 2, pass: 2 } }]);
    expect(document.warnings[0]).toContain("overrides the bundled benchmark coding-easy");
  });

  test("skill-quality looks at the files, calls nothing, and names every finding that is not ok", async () => {
    await using project = await quickProject();
    await project.skill(
      "bare",
      answering(`require("node:fs").writeFileSync("${project.at("ran")}", ""); return 1;`),
    );

    const { document } = await project.run([
      "eval",
      "--skills",
      "skills/bare",
      calculator,
      "--benchmark",
      "skill-quality",
      "--json",
    ]);

    const bare = skillReport(document, "bare");
    expect(skillReport(document, "calculator").counts).toMatchObject({ pass: 5, total: 5 });
    const metadata = bare.cells.find(({ caseId }) => caseId === "quality_001");
    expect(metadata).toMatchObject({ status: "fail", cause: null });
    expect(metadata?.score).toBeGreaterThan(0);
    expect(metadata?.reason).toMatch(/tags: .*author: .*license: /);
    expect(existsSync(project.at("ran"))).toBe(false);
  });

  test("an output that does not fit the outputSchema is a warning and changes no verdict", async () => {
    await using project = await quickProject();
    const outputSchema = { type: "object", properties: { result: { type: "string" } } };
    await project.skill("typed", echo, { manifest: { outputSchema } });
    const tasks = await project.write("tasks.json", countingTasks(1));

    const { document } = await project.run(["eval", "--skills", "skills/typed", "--tasks", tasks, "--json"]);

    expect(skillReport(document, "typed").cells).toMatchObject([
      {
        status: "pass",
        warnings: ["the output does not match the outputSchema: /result must be string"],
      },
    ]);
  });

  test("a link that leads out of the skill's folder is refused", async () => {
    await using project = await quickProject();
    const dir = await project.skill("links", echo);
    await writeFile(project.at("outside"), "x");
    await symlink(project.at("outside"), `${dir}/inside`);

    const { code, document } = await project.run(["eval", "--skills", "skills/links", "--json"]);

    expect(code).toBe(2);
    expect(document.error.code).toBe("path-outside-skill");
  });
});
