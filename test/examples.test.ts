import { spawn, spawnSync } from "node:child_process";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { CellResult } from "../src/contract/result.ts";
import { quickProject } from "./built-cli.ts";
import { skillReport } from "./report-of.ts";

const examples = resolve(import.meta.dirname, "../examples");

/** The example server on a free port, gone when the test ends. */
async function exampleServer(): Promise<AsyncDisposable & { origin: string }> {
  const child = spawn(process.execPath, [`${examples}/http-calculator/server.mjs`], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise<string>((done) =>
    createInterface({ input: child.stdout }).once("line", done),
  );
  return {
    origin: line.replace("listening on ", ""),
    async [Symbol.asyncDispose]() {
      child.kill();
    },
  };
}

test("the calculator passes its own tests, coding-easy and skill-quality, per call and persistent", async () => {
  await using project = await quickProject();
  await cp(`${examples}/calculator`, project.at("stays"), { recursive: true });
  const config = JSON.parse(await readFile(project.at("stays/adapter.config.json"), "utf8"));
  await writeFile(
    project.at("stays/adapter.config.json"),
    JSON.stringify({ ...config, lifecycle: "persistent" }),
  );
  const gate = ["--exit-on-fail", "--min-completion", "1"];

  for (const skill of [`${examples}/calculator`, project.at("stays")]) {
    for (const suite of [
      ["--benchmark", "coding-easy"],
      ["--benchmark", "skill-quality"],
      ["--tasks", `${examples}/calculator/tests/basic.eval.json`],
    ]) {
      const { code, stdout, stderr } = await project.run(["eval", "--skills", skill, ...suite, ...gate]);
      expect(code, stdout + stderr).toBe(0);
    }
  }
});

test("the HTTP calculator passes coding-easy and skill-quality beside its server", async () => {
  await using project = await quickProject();
  await using server = await exampleServer();
  await cp(`${examples}/http-calculator`, project.at("http-calculator"), { recursive: true });
  const config = JSON.parse(await readFile(project.at("http-calculator/adapter.config.json"), "utf8"));
  await writeFile(
    project.at("http-calculator/adapter.config.json"),
    JSON.stringify({ ...config, baseUrl: server.origin }),
  );

  for (const benchmark of ["coding-easy", "skill-quality"]) {
    const argv = [
      "eval",
      "--skills",
      "http-calculator",
      "--benchmark",
      benchmark,
      "--exit-on-fail",
      "--min-completion",
      "1",
    ];
    const { code, stdout, stderr } = await project.run(argv);
    expect(code, stdout + stderr).toBe(0);
  }
});

test("the server of the HTTP calculator says in one line that its port is taken", async () => {
  await using server = await exampleServer();
  const { port } = new URL(server.origin);

  const second = spawnSync(process.execPath, [`${examples}/http-calculator/server.mjs`], {
    env: { ...process.env, PORT: port },
    encoding: "utf8",
    timeout: 20_000,
  });

  expect(second).toMatchObject({
    status: 1,
    stdout: "",
    stderr: `port ${port} is taken; choose another with PORT\n`,
  });
});

test("without its server the HTTP calculator is an error in every cell, and never an answer", async () => {
  await using project = await quickProject();
  await cp(`${examples}/http-calculator`, project.at("http-calculator"), { recursive: true });
  const config = { type: "http", baseUrl: "http://127.0.0.1:1024" };
  await writeFile(project.at("http-calculator/adapter.config.json"), JSON.stringify(config));

  const { code, document } = await project.run(["eval", "--skills", "http-calculator", "--json"]);

  expect(code).toBe(0);
  const { counts, figures, cells } = skillReport(document, "http-calculator");
  expect(counts).toMatchObject({ total: 20, error: 20 });
  expect(figures).toMatchObject({ completionRate: 0, compositeScore: 0 });
  expect(cells.map(({ cause }) => cause)).toEqual(Array.from({ length: 20 }, () => "connection"));
});

const benchmarkFor = {
  "fact-finder": "web-search-basic",
  "word-problems": "gaia-v1",
  "tool-picker": "toolbench-lite",
};
const pairs = Object.entries(benchmarkFor);

test.each(pairs)("%s passes %s and its own tests", async (name, benchmark) => {
  await using project = await quickProject();
  const own = `${examples}/${name}/tests/basic.eval.json`;

  for (const suite of [
    ["--benchmark", benchmark],
    ["--tasks", own],
  ]) {
    const argv = [
      "eval",
      "--skills",
      `${examples}/${name}`,
      ...suite,
      "--exit-on-fail",
      "--min-completion",
      "1",
    ];
    const { code, stdout, stderr } = await project.run(argv);
    expect(code, stdout + stderr).toBe(0);
  }
});

test("they all pass skill-quality", async () => {
  await using project = await quickProject();
  const skills = pairs.map(([name]) => `${examples}/${name}`);
  const gate = ["--exit-on-fail", "--min-completion", "1"];

  const { code, stdout, stderr } = await project.run([
    "eval",
    "--skills",
    ...skills,
    "--benchmark",
    "skill-quality",
    ...gate,
  ]);

  expect(code, stdout + stderr).toBe(0);
});

test("what they cannot answer is an error or a refusal, never a guess", async () => {
  await using project = await quickProject();
  await project.write("tasks.json", [
    {
      id: "beyond",
      inputData: { query: "Who will win?", instruction: "Who will win?", tools_available: [] },
      expectedOutput: {
        type: "json_schema",
        schema: { type: "object", properties: { tool: { const: null } }, required: ["tool"] },
      },
    },
  ]);
  const skills = pairs.map(([name]) => `${examples}/${name}`);

  const { document } = await project.run(["eval", "--skills", ...skills, "--tasks", "tasks.json", "--json"]);

  const statuses = document.cells.map(({ skillId, status }: CellResult) => [skillId, status]);
  expect(statuses).toHaveLength(pairs.length);
  expect(Object.fromEntries(statuses)).toEqual({
    "fact-finder": "error",
    "word-problems": "error",
    "tool-picker": "pass",
  });
});

test.each(pairs)("%s holds no question of %s", async (name, benchmark) => {
  const { tasks } = JSON.parse(await readFile(resolve(examples, `../benchmarks/${benchmark}.json`), "utf8"));
  const files = (await readdir(`${examples}/${name}`, { recursive: true, withFileTypes: true })).filter(
    (file) => /\.(?:py|mjs)$/.test(file.name),
  );
  const sources = await Promise.all(files.map((file) => readFile(`${file.parentPath}/${file.name}`, "utf8")));

  expect(sources.length).toBeGreaterThan(0);
  for (const { id, inputData } of tasks)
    for (const source of sources) {
      expect(source).not.toContain(id);
      expect(source.toLowerCase()).not.toContain((inputData.query ?? inputData.instruction).toLowerCase());
    }
});
