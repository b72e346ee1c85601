import { spawn } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { emptyProject } from "./built-cli.ts";

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
  await using place = await emptyProject();
  await cp(`${examples}/calculator`, place.at("stays"), { recursive: true });
  const config = JSON.parse(await readFile(place.at("stays/adapter.config.json"), "utf8"));
  await writeFile(
    place.at("stays/adapter.config.json"),
    JSON.stringify({ ...config, lifecycle: "persistent" }),
  );
  const gate = ["--exit-on-fail", "--min-completion", "1"];

  for (const skill of [`${examples}/calculator`, place.at("stays")]) {
    for (const suite of [
      ["--benchmark", "coding-easy"],
      ["--benchmark", "skill-quality"],
      ["--tasks", `${examples}/calculator/tests/basic.eval.json`],
    ]) {
      const { code, stdout, stderr } = await place.run(["eval", "--skills", skill, ...suite, ...gate]);
      expect(code, stdout + stderr).toBe(0);
    }
  }
});

test("the HTTP calculator passes coding-easy and skill-quality beside its server", async () => {
  await using place = await emptyProject();
  await using server = await exampleServer();
  await cp(`${examples}/http-calculator`, place.at("http-calculator"), { recursive: true });
  const config = JSON.parse(await readFile(place.at("http-calculator/adapter.config.json"), "utf8"));
  await writeFile(
    place.at("http-calculator/adapter.config.json"),
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
    const { code, stdout, stderr } = await place.run(argv);
    expect(code, stdout + stderr).toBe(0);
  }
});

test("without its server the HTTP calculator is an error in every cell, and never an answer", async () => {
  await using place = await emptyProject();
  await cp(`${examples}/http-calculator`, place.at("http-calculator"), { recursive: true });
  const config = { type: "http", baseUrl: "http://127.0.0.1:9" };
  await writeFile(place.at("http-calculator/adapter.config.json"), JSON.stringify(config));

  const { code, document } = await place.run(["eval", "--skills", "http-calculator", "--json"]);

  expect(code).toBe(0);
  expect(document.reports[0]).toMatchObject({
    counts: { total: 20, error: 20 },
    summary: { completionRate: 0, compositeScore: 0 },
  });
  expect(document.reports[0].taskResults[0].error.code).toBe("connection");
});
