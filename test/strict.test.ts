import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CellResult } from "../src/contract/result.ts";
import { type Ended, emptyProject, processesMentioning } from "./built-cli.ts";
import { installPackages } from "./install-packages.ts";
import { httpServer, type LocalServer } from "./local-server.ts";
import { eventually } from "./programs.ts";
import { describeStrict } from "./strict-machine.ts";

const spies = resolve(import.meta.dirname, "fixtures/spies");
const canary = "EVAL_SKILLS_CANARY_VARIABLE";

let project: Awaited<ReturnType<typeof emptyProject>>;
let server: LocalServer;
beforeAll(async () => {
  project = await emptyProject();
  server = await httpServer((_, response) => void response.end("fetched"));
  chmodSync(dirname(project.path), 0o755); // as the folder of a project is
  mkdirSync(project.at("tmp"), { mode: 0o755 });
  writeFileSync(join(project.home, "secret"), "a key");
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

/** A skill that is these files. */
function skill(id: string, files: Record<string, string>, manifest: object, config: object): void {
  const dir = project.at("skills", id);
  mkdirSync(dir, { recursive: true });
  const described = { id, name: id, version: "1.0.0", description: "A skill for a test." };
  writeFileSync(join(dir, "skill.json"), JSON.stringify({ ...described, ...manifest }));
  writeFileSync(join(dir, "adapter.config.json"), JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
}

/** Runs an evaluation, and fails when a process or a folder of it is left. */
async function evaluate(...argv: string[]): Promise<Ended> {
  const env = { TMPDIR: project.at("tmp"), [canary]: "1" };
  const ended = await project.run(["eval", "--retries", "0", "--json", ...argv], { env });
  await eventually(() => processesMentioning(project.path).length === 0, "no process is left");
  expect(readdirSync(project.at("tmp"))).toEqual([]);
  return ended;
}

/** The results by skill and task. */
function readCells({ document, stderr }: Ended): Map<string, CellResult> {
  if (document.cells === undefined) throw new Error(`${JSON.stringify(document)} ${stderr}`);
  const cells: CellResult[] = document.cells;
  return new Map(cells.map((cell) => [`${cell.skillId} ${cell.caseId}`, cell]));
}

describeStrict("under --sandbox strict", () => {
  const skills = ["spy_python", "spy_staying", "spy_node", "spy_module"];
  const at = (name: string) => project.at("skills/spy_python", name);
  const checks = () => ({
    environment: { environment: canary },
    home: { read: [join(project.home, "secret")] },
    "other skills": { read: ["spy_node", "spy_python"].map((id) => project.at("skills", id, "skill.json")) },
    "the benchmark": { read: [at("bench.json"), "bench.json"] },
    "answers below": { below: ["the-answer", "-key"] },
    "the store below": { below: ["SQLite ", "format 3"] },
    "writing to the skill": { write: [at("written"), "written", "/written"] },
    network: { connect: Number(new URL(server.url).port) },
  });

  beforeAll(() => {
    const subprocess = { adapterType: "subprocess", entrypoint: "python3 spies.py" };
    for (const id of skills) cpSync(spies, project.at("skills", id), { recursive: true });
    skill("spy_python", {}, subprocess, { type: "subprocess" });
    skill("spy_staying", {}, subprocess, { type: "subprocess", lifecycle: "persistent" });
    skill("spy_node", {}, { ...subprocess, entrypoint: "node answers.mjs" }, { type: "subprocess" });
    skill("spy_module", {}, { adapterType: "custom", entrypoint: "./spies.mjs" }, { type: "custom" });
    // The benchmark, its scorers and the store are in a skill's folder, as in a careless setup.
    const nothing = { type: "exact", value: [] };
    const tasks = Object.entries(checks()).map(([id, inputData]) => ({
      id,
      inputData,
      expectedOutput: nothing,
    }));
    const allowVacuous = "these scorers look at what they see, not at the answer";
    const scored = {
      allowVacuous,
      inputData: { read: [] },
      expectedOutput: { type: "custom", value: "the-answer-key" },
    };
    const byModule = { id: "by module", ...scored, evaluator: { customScorerPath: "./scorer.mjs" } };
    const byCommand = { id: "by command", ...scored, evaluator: { command: "python3 scorer.py" } };
    const benchmark = {
      id: "spying",
      name: "Spying",
      version: "1.0.0",
      tasks: [...tasks, byModule, byCommand],
    };
    const secret = JSON.stringify(join(project.home, "secret"));
    const scorers = {
      "bench.json": JSON.stringify(benchmark),
      "scorer.mjs": `import { existsSync, readFileSync } from "node:fs";
        export default ({ expected }) =>
          readFileSync("bench.json", "utf8").includes(expected) && !existsSync(${secret}) && !process.env.${canary};`,
      "scorer.py": `import json, os, sys
expected = json.load(sys.stdin)["expected"]
print(1 if expected in open("bench.json").read() and not os.path.exists(${secret}) else 0)`,
    };
    for (const [name, text] of Object.entries(scorers)) writeFileSync(at(name), text);
  });

  test("skills of every kind work and see nothing that is not theirs, and scorers see the benchmark alone", async () => {
    const ended = await evaluate(
      ...["--skills", project.at("skills"), "--benchmark", at("bench.json"), "--sandbox", "strict"],
      ...["--store", at("runs.db"), "--output-dir", at("reports")],
    );

    const cells = readCells(ended);
    const missed = [...cells.values()].filter(({ status }) => status !== "pass");
    expect(
      missed.map(({ skillId, caseId, output, reason }) => ({ skillId, caseId, output, reason })),
    ).toEqual([]);
    expect(cells.size).toBe(skills.length * (Object.keys(checks()).length + 2));
    for (const { containment } of cells.values())
      expect(containment).toMatchObject({ level: "strict", network: "none", unproven: [] });
  });

  test("the same skill finds all of it without a sandbox, so there was something to be found", async () => {
    const ended = await evaluate(
      ...["--skills", at("skill.json"), "--benchmark", at("bench.json"), "--sandbox", "process"],
      ...["--store", at("runs.db"), "--output-dir", at("reports")],
    );

    const cells = readCells(ended);
    const found = Object.keys(checks()).filter(
      (id) => (cells.get(`spy_python ${id}`)?.output as [])?.length > 0,
    );
    // The environment of the runner is out of reach without a sandbox, too.
    expect(found).toEqual(Object.keys(checks()).filter((id) => id !== "environment"));
  });
});

describeStrict("servers and the network", () => {
  const servers = {
    everything: { tool: "echo", args: ["dist/index.js", "stdio"] },
    filesystem: { tool: "list_allowed_directories", args: ["dist/index.js", "."] },
    memory: { tool: "search_nodes", args: ["dist/index.js"] },
  };
  beforeAll(() => {
    for (const [name, { tool, args }] of Object.entries(servers)) {
      const id = `server_${name}`;
      const path = `@modelcontextprotocol/server-${name}`;
      const [file, ...rest] = args;
      skill(
        id,
        {},
        { adapterType: "mcp", entrypoint: "server", metadata: { toolName: tool } },
        {
          type: "mcp",
          command: "node",
          args: [`node_modules/${path}/${file}`, ...rest],
          env: { MEMORY_FILE_PATH: "/tmp/memory.jsonl" },
        },
      );
      installPackages(project.at("skills", id), [path]);
    }
    const fetches = `import { createInterface } from "node:readline";
      for await (const line of createInterface({ input: process.stdin })) {
        const { id } = JSON.parse(line);
        const text = await fetch("${server.url}").then((answer) => answer.text());
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result: text }));
      }`;
    const manifest = { adapterType: "subprocess", entrypoint: "node fetches.mjs" };
    skill("fetches", { "fetches.mjs": fetches }, manifest, { type: "subprocess" });
    const metadata = { "eval-skills.allow-network": "false" };
    skill("abstains", { "fetches.mjs": fetches }, { ...manifest, metadata }, { type: "subprocess" });
    writeFileSync(
      project.at("words.json"),
      JSON.stringify([
        {
          id: "only",
          inputData: { message: "hi", query: "hi" },
          expectedOutput: { type: "regex", patterns: [words] },
        },
      ]),
    );
  });
  const words = "Echo: hi|Allowed directories|entities|fetched";
  const all = [...Object.keys(servers).map((name) => `server_${name}`), "fetches", "abstains"];
  const run = (...argv: string[]) =>
    evaluate(
      ...["--skills", ...all.map((id) => project.at("skills", id)), "--tasks", project.at("words.json")],
      ...["--store", project.at("words.db"), "--output-dir", project.at("reports"), ...argv],
    );

  test("servers that npm installed in the skill's folder work at auto, and so does the network", async () => {
    const ended = await run("--sandbox", "auto");

    const cells = readCells(ended);
    for (const name of Object.keys(servers))
      expect(cells.get(`server_${name} only`)).toMatchObject({ status: "pass" });
    expect(cells.get("fetches only")).toMatchObject({ status: "pass", containment: { network: "open" } });
    expect(cells.get("abstains only")).toMatchObject({
      status: "error",
      reason: expect.stringContaining("its metadata"),
      containment: { network: "none" },
    });
  });

  test("the same servers work under strict, where a skill that needs the network is told that there is none", async () => {
    const ended = await run("--sandbox", "strict");

    const cells = readCells(ended);
    for (const name of Object.keys(servers))
      expect(cells.get(`server_${name} only`)).toMatchObject({ status: "pass" });
    expect(cells.get("fetches only")).toMatchObject({
      status: "invalid",
      cause: "sandbox-hid",
      reason: expect.stringContaining(
        "this run has no network; allow it with --network open or --allow-network <host>",
      ),
      containment: { level: "strict", network: "none" },
    });
  });

  test("a network that is opened by hand is open under strict as well", async () => {
    const ended = await evaluate(
      ...["--skills", project.at("skills/fetches"), "--tasks", project.at("words.json")],
      ...["--sandbox", "strict", "--network", "open"],
      ...["--store", project.at("words.db"), "--output-dir", project.at("reports")],
    );
    expect(readCells(ended).get("fetches only")).toMatchObject({
      status: "pass",
      containment: { level: "strict", network: "open" },
    });
  });
});
