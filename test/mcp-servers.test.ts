import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import type { CellResult } from "../src/contract/result.ts";
import { emptyProject, eventually, processesMentioning } from "./built-cli.ts";
import { referenceServer } from "./mcp-skill.ts";

type Project = Awaited<ReturnType<typeof emptyProject>>;

/** A skill that is one tool of a server: `command` and `args`, or a URL. */
async function toolSkill(
  project: Project,
  id: string,
  toolName: string,
  config: object,
  entrypoint = "server",
) {
  const dir = project.at("skills", id);
  await mkdir(dir, { recursive: true });
  const manifest = {
    id,
    name: id,
    version: "1.0.0",
    description: "A tool of a reference server.",
    adapterType: "mcp",
    entrypoint,
    metadata: { toolName },
  };
  await writeFile(`${dir}/skill.json`, JSON.stringify(manifest));
  await writeFile(`${dir}/adapter.config.json`, JSON.stringify({ type: "mcp", ...config }));
  return dir;
}

/** Evaluates one tool with one task and returns its only cell, after making sure that no process is left. */
async function evaluate(project: Project, skill: string, task: object): Promise<CellResult> {
  const tasks = await project.write("tasks.json", [{ id: "only", ...task }]);
  const argv = ["eval", "--skills", skill, "--tasks", tasks, "--retries", "0", "--json"];
  // The servers are outside of the skill's folder, where a sandboxed process would not find them.
  const { document, stderr } = await project.run([...argv, "--sandbox", "process"]);
  if (document.cells === undefined) throw new Error(`${JSON.stringify(document)} ${stderr}`);
  await eventually(() => processesMentioning(project.path).length === 0);
  return document.cells[0];
}

/** Started with the project's folder among its arguments, so that what is left of it can be found. */
function program(project: Project, name: "everything" | "filesystem" | "memory", ...args: string[]) {
  const [node, file] = [process.execPath, referenceServer(name)];
  return { command: node, args: [file, ...args, ...(name === "filesystem" ? [] : [project.path])] };
}

const everything: [string, object, object, object][] = [
  ["echo", { message: "hello" }, { type: "exact", value: "Echo: hello" }, { status: "pass" }],
  ["get-sum", { a: 19, b: 23 }, { type: "contains", keywords: ["42"] }, { status: "pass" }],
  [
    "get-structured-content",
    { location: "Chicago" },
    { type: "schema", schema: { type: "object", required: ["temperature", "humidity"] } },
    { status: "pass" },
  ],
  [
    "get-tiny-image",
    {},
    { type: "schema", schema: { type: "object", required: ["content"] } },
    { status: "pass" },
  ],
  [
    "get-sum",
    { a: "not a number", b: 1 },
    { type: "exact", value: 1 },
    { status: "error", cause: "tool-error" },
  ],
  ["sing", {}, { type: "exact", value: 1 }, { status: "error", cause: "tool-missing" }],
];
for (const [tool, inputData, expectedOutput, result] of everything) {
  test(`server-everything over stdio: ${tool} of ${JSON.stringify(inputData)}`, async () => {
    await using project = await emptyProject();
    const skill = await toolSkill(project, "everything", tool, program(project, "everything", "stdio"));

    expect(await evaluate(project, skill, { inputData, expectedOutput })).toMatchObject(result);
  });
}

test("server-everything: a long operation ends at its deadline, and no process is left", async () => {
  await using project = await emptyProject();
  const skill = await toolSkill(
    project,
    "slow",
    "trigger-long-running-operation",
    program(project, "everything", "stdio"),
  );
  const inputData = { duration: 60, steps: 2 };

  const cell = await evaluate(project, skill, {
    inputData,
    timeoutMs: 1500,
    expectedOutput: { type: "exact", value: 1 },
  });

  expect(cell).toMatchObject({ status: "timeout", cause: "deadline" });
});

test("server-filesystem reads a file of the folder it was given, and refuses what lies outside", async () => {
  await using project = await emptyProject();
  const file = await project.write("notes/today.txt", "buy milk");
  const skill = await toolSkill(
    project,
    "files",
    "read_text_file",
    program(project, "filesystem", project.at("notes")),
  );
  const expectedOutput = { type: "contains", keywords: ["buy milk"] };

  const inside = await evaluate(project, skill, { inputData: { path: file }, expectedOutput });
  const outside = await evaluate(project, skill, { inputData: { path: "/etc/hostname" }, expectedOutput });

  expect(inside).toMatchObject({ status: "pass" });
  expect(outside).toMatchObject({ status: "error", cause: "tool-error" });
});

test("server-memory remembers what it is given", async () => {
  await using project = await emptyProject();
  const skill = await toolSkill(project, "memory", "create_entities", {
    ...program(project, "memory"),
    env: { MEMORY_FILE_PATH: project.at("memory.jsonl") },
  });
  const entity = { name: "Ada", entityType: "person", observations: ["wrote programs"] };

  const cell = await evaluate(project, skill, {
    inputData: { entities: [entity] },
    expectedOutput: { type: "contains", keywords: ["Ada"] },
  });

  expect(cell).toMatchObject({ status: "pass" });
  expect(await project.read("memory.jsonl")).toContain("wrote programs");
});

test("the template mcp_tool makes a skill that passes its starter task as it is", async () => {
  await using project = await emptyProject();
  await project.run(["create", "--name", "my_tool", "--from-template", "mcp_tool"]);
  const tasks = project.at("skills/my_tool/tests/basic.eval.json");

  const { document } = await project.run(["eval", "--skills", "skills/my_tool", "--tasks", tasks, "--json"]);

  expect(document.cells).toMatchObject([{ status: "pass", output: { result: "You asked: hello" } }]);
});

for (const [kind, path] of [
  ["streamableHttp", "mcp"],
  ["sse", "sse"],
] as const) {
  test(`server-everything over ${kind}`, async () => {
    await using project = await emptyProject();
    await using server = await remoteEverything(kind);
    const skill = await toolSkill(project, "remote", "echo", {}, `http://127.0.0.1:${server.port}/${path}`);

    const cell = await evaluate(project, skill, {
      inputData: { message: "hello" },
      expectedOutput: { type: "exact", value: "Echo: hello" },
    });

    expect(cell).toMatchObject({ status: "pass" });
  });
}

test("fault row 32: server-everything killed in the middle of a run costs one cell, and its cause is reported", async () => {
  await using project = await emptyProject();
  // A wrapper that ends the reference server at its second call.
  const wrapper = await project.write(
    "wrapper.mjs",
    `import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const server = spawn(process.execPath, [process.argv[2], "stdio", process.argv[3]], { stdio: ["pipe", "inherit", "inherit"] });
let calls = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.includes("tools/call") && ++calls === 2 && !existsSync(process.argv[3])) {
    writeFileSync(process.argv[3], "");
    server.kill("SIGKILL");
    process.exit(9);
  }
  server.stdin.write(line + "\\n");
});
`,
  );
  const args = [wrapper, referenceServer("everything"), project.at("died")];
  const skill = await toolSkill(project, "wrapped", "echo", { command: process.execPath, args });
  const tasks = await project.write(
    "tasks.json",
    ["a", "b", "c"].map((message) => ({
      id: message,
      inputData: { message },
      expectedOutput: { type: "exact", value: `Echo: ${message}` },
    })),
  );

  const argv = [
    "eval",
    "--skills",
    skill,
    "--tasks",
    tasks,
    "--concurrency",
    "1",
    "--retries",
    "0",
    "--json",
  ];
  const { document } = await project.run([...argv, "--sandbox", "process"]);

  const cells: CellResult[] = document.cells;
  expect(cells.map(({ status }) => status)).toEqual(["pass", "error", "pass"]);
  expect(cells[1]).toMatchObject({ cause: "crash" });
  await eventually(() => processesMentioning(project.path).length === 0);
});

/** The reference server on a free port of this machine. */
async function remoteEverything(kind: "streamableHttp" | "sse"): Promise<AsyncDisposable & { port: number }> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [referenceServer("everything"), kind], {
    env: { PATH: process.env.PATH ?? "", PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await new Promise<void>((ready, failed) => {
    let output = "";
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (output.includes(`port ${port}`)) ready();
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", () => failed(new Error(`the server did not start: ${output}`)));
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
