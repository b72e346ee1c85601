import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Config } from "../src/contract/config.ts";
import type { RunContext } from "../src/engine/run-context.ts";
import type { OutputOptions, PlanOptions } from "../src/operations/eval/request.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A skill that does what its input says, after writing down that it was called. It stays, since most runs would only wait for its start. */
const skillProgram = `
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line);
  appendFileSync(process.env.CALLS, process.pid + " " + (params.name ?? "") + "\\n");
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (params.crash) process.exit(3);
  else if (params.until) {
    const look = setInterval(() => {
      if (!existsSync(params.until)) return;
      clearInterval(look);
      answer(params.answer);
    }, 10);
  } else if (params.variable) answer(process.env[params.variable] ?? null);
  else answer(params.answer ?? null);
}
`;

export const skillManifest = {
  id: "obedient",
  name: "Obedient",
  version: "1.0.0",
  description: "Does what its input says",
  adapterType: "subprocess",
  entrypoint: "node skill.mjs",
};

/** A task whose skill answers 42, which is right, by default. */
export function task(name: string, input: object = {}, more: object = {}) {
  return { id: name, inputData: { name, answer: 42, ...input }, expectedOutput: { value: 42 }, ...more };
}

export type EvalProject = Awaited<ReturnType<typeof evalProject>>;

/** A folder with one obedient skill and these tasks, and everything a run over them needs. `at` names a file in it. */
export async function evalProject(tasks: object[] | ((at: (name: string) => string) => object[])) {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  };
  write("skill/skill.json", skillManifest);
  write("skill/skill.mjs", skillProgram);
  const lifecycle = (name: "persistent" | "per-call") =>
    write("skill/adapter.config.json", { type: "subprocess", lifecycle: name, env: { CALLS: at("calls") } });
  lifecycle("persistent");
  write("bench.json", {
    id: "bench",
    name: "Bench",
    version: "1.0.0",
    tasks: typeof tasks === "function" ? tasks(at) : tasks,
  });
  mkdirSync(at("bundled"));
  const calls = () =>
    existsSync(at("calls"))
      ? readFileSync(at("calls"), "utf8")
          .trim()
          .split("\n")
          .map((line) => line.split(" "))
      : [];
  return {
    at,
    write,
    /** Starts the skill for each call. */
    perCall: () => lifecycle("per-call"),
    /** Another program for the skill, started for each call. */
    program(text: string) {
      lifecycle("per-call");
      write("skill/skill.mjs", text);
    },
    store: at("store.db"),
    /** Names of the tasks the skill was called for, in order. */
    called: () => calls().map(([, name]) => name),
    /** Every process the skill ever had. */
    pids: () => calls().map(([pid]) => Number(pid)),
    async untilCalledFor(name: string) {
      while (!calls().some(([, called]) => called === name)) await sleep(10);
    },
    plan: (changes: Partial<PlanOptions> = {}): PlanOptions => ({
      skills: ["skill"],
      benchmark: "./bench.json",
      tasks: null,
      benchmarksDir: "./benchmarks",
      taskTags: [],
      cases: [],
      runs: 1,
      retries: 0,
      evaluator: "exact_match",
      timeoutMs: 20_000,
      isTimeoutTyped: false,
      seed: 0,
      toolHost: "fresh",
      allowVacuous: false,
      // The skill records its calls beside its folder, which the sandbox would prevent.
      sandbox: "process",
      floor: null,
      floorFile: null,
      network: null,
      allowNetwork: [],
      memoryMb: null,
      maxOutputBytes: 1_048_576,
      killGraceMs: 100,
      envKeys: [],
      models: Config.parse({}),
      storedOptions: {},
      cwd: folder.path,
      ...changes,
    }),
    context: (changes: Partial<RunContext> = {}): RunContext => ({
      env: process.env,
      version: "1.2.3",
      bundledDir: at("bundled"),
      concurrency: 2,
      judges: { apiKey: null, record: null, replay: null },
      reliance: "checked",
      storePath: at("store.db"),
      exclude: [at("store.db"), at("out")],
      ...changes,
    }),
    output: (changes: Partial<OutputOptions> = {}): OutputOptions => ({
      concurrency: 2,
      formats: ["json"],
      csvRows: "cells",
      outputDir: at("out"),
      store: "./store.db",
      evalLog: at("out/.eval.jsonl"),
      minCompletion: 0.7,
      maxErrorRate: null,
      countRetries: false,
      maxP95Ms: null,
      gateOn: "point",
      exitOnFail: false,
      maxInvalid: 0,
      familyWise: false,
      maxCostUsd: null,
      budget: null,
      trustJudge: false,
      requireTriggering: false,
      ...changes,
    }),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

export function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}
