import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { skillManifest, task } from "../../../test/eval-project.ts";
import { httpServer } from "../../../test/local-server.ts";
import type { CellResult } from "../../contract/result.ts";

const readRequests = `
import { createInterface } from "node:readline";
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
`;

/** Refuses days that February does not have, in the manner of each kind of skill. */
const refusesDates: Record<string, { files: Record<string, unknown>; expected: object; wrong: object }> = {
  subprocess: {
    files: {
      "skill.json": skillManifest,
      "skill.mjs": `${readRequests}
  if (params.day > 28) say({ id, error: { code: -32602, message: "February has no day " + params.day } });
  else say({ id, result: params.day });
}`,
    },
    expected: { code: "rpc-error", status: -32602, contains: "no day 29" },
    wrong: { code: "rpc-error", status: -32000 },
  },
  persistent: {
    files: {
      "skill.json": skillManifest,
      "adapter.config.json": { type: "subprocess", lifecycle: "persistent" },
      "skill.mjs": `${readRequests}
  if (params.day > 28) say({ id, error: { code: -32602, message: "February has no day " + params.day } });
  else say({ id, result: params.day });
}`,
    },
    expected: { code: "rpc-error", status: -32602, contains: "no day 29" },
    wrong: { status: -32000 },
  },
  langchain: {
    files: {
      "skill.json": { ...skillManifest, adapterType: "langchain", entrypoint: "./skill.mjs" },
      "skill.mjs": `export default {
  invoke: async ({ day }) => {
    if (day > 28) throw new RangeError("no day " + day);
    return day;
  },
};`,
    },
    expected: { code: "module-error", contains: "no day 29" },
    wrong: { code: "module-error", contains: "no month" },
  },
  mcp: {
    files: {
      "skill.json": { ...skillManifest, adapterType: "mcp", metadata: { toolName: "day" } },
      "skill.mjs": `${readRequests}
  if (method === "initialize") {
    const { protocolVersion } = params;
    say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "days", version: "1" } } });
  } else if (method === "tools/list") say({ id, result: { tools: [{ name: "day", inputSchema: { type: "object" } }] } });
  else if (method === "tools/call") {
    const { day } = params.arguments;
    const text = day > 28 ? "access denied: no day " + day : String(day);
    say({ id, result: { content: [{ type: "text", text }], isError: day > 28 } });
  }
}`,
    },
    expected: { code: "tool-error", contains: "access denied", patterns: ["no day \\d+"] },
    wrong: { code: "tool-error", contains: "not found" },
  },
  custom: {
    files: {
      "skill.json": { ...skillManifest, adapterType: "custom", entrypoint: "./skill.mjs" },
      "skill.mjs": `export const invoke = async ({ day }) => {
  if (day > 28) throw new RangeError("no day " + day);
  return day;
};`,
    },
    expected: { code: "module-error", contains: "no day 29" },
    wrong: { code: "module-error", contains: "no month" },
  },
};

async function dateProject(kind: string, url = "") {
  const cli = await capturedCli();
  const skill = refusesDates[kind];
  mkdirSync(join(cli.cwd, "skill"));
  for (const [name, content] of Object.entries(skill?.files ?? httpSkill(url)))
    writeFileSync(
      join(cli.cwd, "skill", name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  const cases = skill ?? {
    expected: { status: 422, contains: "no day", retryable: false },
    wrong: { status: 404 },
  };
  const evaluate = (tasks: object[], ...more: string[]) => {
    writeFileSync(join(cli.cwd, "tasks.json"), JSON.stringify(tasks));
    const argv = ["--skills", "skill", "--tasks", "tasks.json", "--sandbox", "process", "--exit-on-fail"];
    const env = { PATH: process.env.PATH ?? "" };
    return cli.run(["eval", ...argv, "--min-completion", "1", "--json", ...more], { env });
  };
  return { ...cli, ...cases, evaluate };
}

function httpSkill(url: string): Record<string, unknown> {
  return { "skill.json": { ...skillManifest, adapterType: "http", entrypoint: url } };
}

const day = (id: string, number: number, expectedOutput: object) => ({
  id,
  inputData: { day: number },
  expectedOutput,
});
const error = (expected: object) => ({ type: "error", ...expected });
const unitCells = ({ cells }: { cells: CellResult[] }) => cells.filter(({ level }) => level === "unit");

describe.each(["subprocess", "persistent", "mcp", "custom", "langchain", "http"])(
  "a refusal of a skill over %s",
  (kind) => {
    test("passes where it is expected, without a retry and without an error in the figures", async () => {
      await using server = await dayServer();
      await using project = await dateProject(kind, server.url);
      const tasks = [day("29", 29, error(project.expected)), day("28", 28, { value: 28 })];

      const { document, exitCode } = await project.evaluate(tasks, "--retries", "2");

      expect(exitCode).toBe(0);
      expect(unitCells(document)).toMatchObject([
        {
          status: "pass",
          score: 1,
          cause: null,
          reason: "failed as expected",
          attempts: [{ status: "error" }],
        },
        { status: "pass", output: 28 },
      ]);
      expect(document.subjects[0].metrics.errorRate.value).toBe(0);
    });

    test("fails where another one is expected, an answer too, and is an error where an answer is", async () => {
      await using server = await dayServer();
      await using project = await dateProject(kind, server.url);
      const tasks = [
        day("wrong", 29, error(project.wrong)),
        day("answered", 28, error(project.expected)),
        day("not expected", 30, { value: 30 }),
      ];

      const { document, exitCode } = await project.evaluate(tasks);

      expect(exitCode).toBe(1);
      expect(unitCells(document).map(({ status, score }) => [status, score])).toEqual([
        ["fail", 0],
        ["fail", 0],
        ["error", 0],
      ]);
      expect(unitCells(document)[0]?.reason).toMatch(/^expected .*; got /);
      expect(unitCells(document)[1]?.reason).toContain("answered, but an error was expected");
    });
  },
);

function dayServer() {
  return httpServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { day } = JSON.parse(body).input;
      response.writeHead(day > 28 ? 422 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(day > 28 ? { error: `no day ${day}` } : day));
    });
  });
}

test("a stored failure is scored anew when an error is expected of it, and no longer", async () => {
  await using project = await dateProject("subprocess");
  const first = await project.evaluate([day("29", 29, { value: 29 })]);
  expect(unitCells(first.document)[0]?.status).toBe("error");
  const rescored = async (expectedOutput: object, run: string) => {
    writeFileSync(join(project.cwd, "tasks.json"), JSON.stringify([day("29", 29, expectedOutput)]));
    return (
      await project.run(["eval", "--rescore", run, "--json"], { env: { PATH: process.env.PATH ?? "" } })
    ).document;
  };

  const expected = await rescored(error(project.expected), first.document.run.id);
  expect(unitCells(expected)).toMatchObject([{ status: "pass", cause: null, reason: "failed as expected" }]);

  const back = await rescored({ value: 29 }, expected.run.id);
  expect(unitCells(back)).toMatchObject([
    { status: "error", score: 0, cause: "rpc-error", reason: "February has no day 29 (code -32602)" },
  ]);
});

describe("a custom scorer", () => {
  const scorer = (head: string) => `${head}
export default ({ output, outcome }) => ({
  score: outcome.status === "error" && outcome.code === "rpc-error" && output === null ? 1 : 0,
  reason: JSON.stringify(outcome),
});`;
  const custom = (more: object = {}) => ({
    expectedOutput: { type: "custom", customScorerPath: "./score.mjs" },
    evaluator: { type: "custom", ...more },
  });
  const tasks = (more?: object) => [{ ...task("29"), inputData: { day: 29 }, ...custom(more) }];

  test.each([
    ["its export", 'export const sees = ["answer", "error"];', undefined],
    ["the task", "", { sees: ["answer", "error"] }],
  ])("sees the errors that %s declares", async (_, head, more) => {
    await using project = await dateProject("subprocess");
    writeFileSync(join(project.cwd, "score.mjs"), scorer(head));

    const { document, exitCode } = await project.evaluate(tasks(more), "--retries", "1");

    expect(exitCode).toBe(0);
    expect(unitCells(document)).toMatchObject([{ status: "pass", attempts: [{ n: 1 }] }]);
    expect(JSON.parse(unitCells(document)[0]?.reason ?? "")).toEqual({
      status: "error",
      code: "rpc-error",
      message: "February has no day 29 (code -32602)",
      httpStatus: null,
    });
  });

  test("without that is not called, and the error stays an error", async () => {
    await using project = await dateProject("subprocess");
    writeFileSync(join(project.cwd, "score.mjs"), scorer(""));
    const { document, exitCode } = await project.evaluate(tasks());
    expect([exitCode, unitCells(document)[0]?.status]).toEqual([1, "error"]);
  });

  test("with an unknown outcome is refused before the run", async () => {
    await using project = await dateProject("subprocess");
    writeFileSync(join(project.cwd, "score.mjs"), scorer('export const sees = ["errors"];'));
    const { document, exitCode } = await project.evaluate(tasks());
    expect([exitCode, document.error.code]).toEqual([2, "scorer-invalid"]);
    expect(document.error.message).toContain("`sees` is a list of answer, error, timeout");
  });

  test("that passes with score 0 contradicts itself, so the cell is invalid", async () => {
    await using project = await dateProject("subprocess");
    writeFileSync(join(project.cwd, "score.mjs"), "export default () => ({ score: 0, passed: true });");
    const { document, exitCode } = await project.evaluate([{ ...tasks()[0], inputData: { day: 1 } }]);
    expect([exitCode, unitCells(document)[0]?.status, unitCells(document)[0]?.cause]).toEqual([
      3,
      "invalid",
      "scorer-contradiction",
    ]);
  });
});
