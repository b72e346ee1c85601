import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { skillManifest } from "../../../test/eval-project.ts";
import { httpServer } from "../../../test/local-server.ts";
import { describeStrict } from "../../../test/strict-machine.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { evaluate } from "../../operations/eval/evaluate.ts";

/** Counts its requests, and does what they say. */
const server = `
import { createServer } from "node:http";
let requests = 0;
createServer((request, response) => {
  const url = new URL(request.url, "http://here");
  if (url.pathname === "/health") return response.end("{}");
  if (url.searchParams.has("crash")) {
    console.error("crashing as told");
    process.exit(7);
  }
  requests++;
  response.end(JSON.stringify({ n: Number(url.searchParams.get("n")), method: request.method, requests }));
}).listen(Number(process.env.PORT), "127.0.0.1", () => {
  console.log("on port " + process.env.PORT + " for " + process.env.WHO);
});
`;

const viaService = {
  "skill/skill.json": {
    ...skillManifest,
    adapterType: "http",
    entrypoint: "http://127.0.0.1:{{services.api.port}}/double",
  },
  "skill/adapter.config.json": { type: "http", method: "GET" },
  "skill/server.mjs": server,
};

const head = { id: "mine", name: "Mine", version: "1.0.0" };
const asked = (n: number, more: object = {}) => ({
  ...{
    id: `t${n}`,
    inputData: { n },
    expectedOutput: { type: "json_schema", schema: { type: "object", required: ["n"] } },
  },
  ...more,
});

async function project(files: Record<string, unknown>) {
  const cli = await capturedCli();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cli.cwd, name)), { recursive: true });
    writeFileSync(join(cli.cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  const evaluate = async (...more: string[]) => {
    const defaults = ["--tasks", "suite.json", "--sandbox", "process"].filter(
      (_, at, all) => !more.includes(all[at - (at % 2)] ?? ""),
    );
    const args = ["--skills", "skill", ...defaults, "--json", ...more];
    const end = await cli.run(["eval", ...args], { env: { PATH: process.env.PATH ?? "" } });
    const report = existsSync(join(cli.cwd, "reports/eval-result.json"))
      ? JSON.parse(readFileSync(join(cli.cwd, "reports/eval-result.json"), "utf8"))
      : null;
    return { ...end, cells: report?.cells, warnings: report?.warnings };
  };
  return { ...cli, evaluate };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

const api = {
  command: "node skill/server.mjs",
  readyUrl: "http://127.0.0.1:{{port}}/health",
  env: { WHO: "{{port}}" },
};

describe("services", () => {
  test("are there while skills are called, once for all cells, and gone afterwards", async () => {
    await using here = await project({
      ...viaService,
      "suite.json": { ...head, services: { api }, tasks: [asked(1), asked(2), asked(3)] },
    });

    const { exitCode, stdout, cells } = await here.evaluate("--min-completion", "1", "--concurrency", "1");

    expect(exitCode, stdout).toBe(0);
    expect(cells.map(({ output }: { output: unknown }) => output)).toEqual([
      { n: 1, method: "GET", requests: 1 },
      { n: 2, method: "GET", requests: 2 },
      { n: 3, method: "GET", requests: 3 },
    ]);
  });

  test("may be new for every call, and each has its own port then", async () => {
    await using here = await project({
      ...viaService,
      "suite.json": { ...head, services: { api: { ...api, perCell: true } }, tasks: [asked(1), asked(2)] },
    });

    const { exitCode, stdout, cells } = await here.evaluate("--min-completion", "1");

    expect(exitCode, stdout).toBe(0);
    expect(cells.map(({ output }: { output: { requests: number } }) => output.requests)).toEqual([1, 1]);
  });

  test("that end during a call are the skill's error with what they wrote, and start again for the next", async () => {
    await using here = await project({
      ...viaService,
      "suite.json": {
        ...head,
        services: { api: { ...api, readyUrl: undefined, readyLine: "on port" } },
        tasks: [asked(1, { inputData: { crash: true } }), asked(2)],
      },
    });

    const { cells } = await here.evaluate("--concurrency", "1");

    const [crashed, next] = cells;
    expect(crashed).toMatchObject({ status: "error", cause: "connection" });
    expect(crashed.stderrTail).toMatch(/\[service api\][\s\S]*crashing as told\n\(the service has ended\)/);
    expect(next).toMatchObject({ status: "pass" });
  });

  test.each<[string, object, RegExp]>([
    [
      "ends",
      { command: "node -e 'console.error(\"no database\"); process.exit(4)'" },
      /service api: ended with exit code 4 before it was ready: no database/,
    ],
    [
      "is never ready",
      { command: "node -e 'setInterval(() => {}, 1000)'", readyTimeoutMs: 300 },
      /service api: was not ready within 300 ms/,
    ],
  ])("without a verdict where one %s", async (_, service, message) => {
    await using here = await project({
      ...viaService,
      "suite.json": { ...head, services: { api: service }, tasks: [asked(1)] },
    });

    const { exitCode, cells } = await here.evaluate("--max-invalid", "1");

    expect(exitCode).toBe(3);
    expect(cells).toMatchObject([
      { status: "invalid", cause: "service-failed", reason: expect.stringMatching(message) },
    ]);
  });

  test("on a fixed port are refused to stand for another program there, and are gone after the run", async () => {
    const port = 18_431;
    const fixed = { command: "node skill/server.mjs", readyPort: port };
    await using here = await project({
      ...viaService,
      "skill/skill.json": { ...skillManifest, adapterType: "http", entrypoint: `http://127.0.0.1:${port}/` },
      "skill/adapter.config.json": { type: "http" },
      "suite.json": { ...head, services: { api: fixed }, tasks: [asked(1)] },
    });

    const { exitCode, stdout, cells } = await here.evaluate("--min-completion", "1");

    expect(exitCode, stdout).toBe(0);
    expect(cells[0].output).toMatchObject({ method: "POST" });
    expect(await isListening(port)).toBe(false);
  });

  test("a skill names must be in the suite", async () => {
    await using here = await project({ ...viaService, "suite.json": { ...head, tasks: [asked(1)] } });

    const { exitCode, document } = await here.evaluate();

    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({
      code: "adapter-invalid",
      message: "skill obedient needs the service api, which this suite does not have",
    });
  });

  test("mistakes are reported together with their positions", async () => {
    await using here = await project({
      ...viaService,
      "suite.json": `{ "id": "a", "name": "A", "version": "1", "services": {
  "far": { "command": "node a.mjs", "readyUrl": "http://example.com/health" },
  "two": { "command": "node a.mjs", "readyPort": 8080, "readyLine": "ready" },
  "own": { "command": "node a.mjs", "readyPort": 8080, "perCell": true },
  "low": { "command": "node a.mjs", "readyPort": 80, "comand": "x" }
}, "tasks": [${JSON.stringify(asked(1))}] }`,
    });

    const { exitCode, document } = await here.evaluate();

    expect(exitCode).toBe(2);
    expect(document.error.message).toMatch(/2:37 readyUrl must be an http address of this machine/);
    expect(document.error.message).toMatch(/3:56 only one of readyUrl, readyPort, readyLine/);
    expect(document.error.message).toMatch(/4:56 cells that run at once cannot share port 8080/);
    expect(document.error.message).toMatch(/5:37 \$\.services\.low\.readyPort must be at least 1024/);
    expect(document.error.message).toMatch(/5:54 the key \$\.services\.low\.comand is not known/);
  });

  test("a program that is not there is refused before anything runs", async () => {
    await using here = await project({
      ...viaService,
      "suite.json": { ...head, services: { api: { command: "no-such-program" } }, tasks: [asked(1)] },
    });

    const { document } = await here.evaluate();

    expect(document.error).toMatchObject({ code: "benchmark-invalid", jsonPath: "$.services.api.command" });
  });
});

const readsFile = {
  "skill/skill.json": { ...skillManifest, adapterType: "custom", entrypoint: "./skill.mjs" },
  "skill/skill.mjs": `import { readFileSync } from "node:fs";
export const invoke = () => readFileSync(process.env.EVAL_SKILLS_WORK + "/data.txt", "utf8");`,
};
const reading = { id: "t", inputData: 1, expectedOutput: { value: "seeded" } };

test("an interruption ends services, and clears up after setup", async () => {
  await using here = await project({
    "skill/skill.json": {
      ...skillManifest,
      adapterType: "http",
      entrypoint: "http://127.0.0.1:{{services.api.port}}/",
    },
    "skill/server.mjs": `import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
createServer(() => writeFileSync(process.argv[2], String(process.pid))).listen(Number(process.env.PORT), "127.0.0.1");`,
    "pid.txt": "",
    "clean.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync(process.argv[2], "cleaned");',
    "cleaned.txt": "",
    "suite.json": {
      ...head,
      services: { api: { command: "node skill/server.mjs ./pid.txt" } },
      teardown: "node clean.mjs ./cleaned.txt",
      tasks: [asked(1)],
    },
  });
  const stop = new AbortController();
  const at = (name: string) => join(here.cwd, name);
  const evaluation = evaluate({
    ...{
      skills: [at("skill")],
      tasks: at("suite.json"),
      sandbox: "process",
      cwd: here.cwd,
      signal: stop.signal,
    },
  });
  evaluation.catch(() => {});
  while (readFileSync(at("pid.txt"), "utf8") === "") await sleep(10);
  const pid = Number(readFileSync(at("pid.txt"), "utf8"));

  stop.abort(new Error("enough"));

  await expect(evaluation).rejects.toThrow("enough");
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(readFileSync(at("cleaned.txt"), "utf8")).toBe("cleaned");
});

describe("setup and teardown", () => {
  test("work in one folder, which skills can read", async () => {
    await using here = await project({
      ...readsFile,
      "seed.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("data.txt", "seeded");',
      "clean.mjs": `import { readFileSync, writeFileSync } from "node:fs";
writeFileSync(process.argv[2], readFileSync("data.txt", "utf8") + " and cleaned");`,
      "cleaned.txt": "",
      "suite.json": {
        ...head,
        setup: "node seed.mjs",
        teardown: ["node clean.mjs ./cleaned.txt"],
        tasks: [reading],
      },
    });

    const { exitCode, stdout, warnings } = await here.evaluate("--min-completion", "1");

    expect(exitCode, stdout).toBe(0);
    expect(warnings).toEqual([]);
    expect(readFileSync(join(here.cwd, "cleaned.txt"), "utf8")).toBe("seeded and cleaned");
  });

  test("a setup that fails leaves no verdict, shows what it wrote, and a resumed run tries again", async () => {
    await using here = await project({
      ...readsFile,
      "seed.mjs": 'console.log("looking for the database"); throw new Error("no database");',
      "suite.json": { ...head, setup: ["node seed.mjs"], tasks: [reading, { ...reading, id: "u" }] },
    });

    const { exitCode, cells } = await here.evaluate();

    expect(exitCode).toBe(3);
    expect(cells).toMatchObject([
      { status: "invalid", cause: "setup-failed", reason: "setup `node seed.mjs`: ended with exit code 1" },
      { status: "invalid", cause: "setup-failed" },
    ]);
    expect(cells[0].stderrTail).toContain("looking for the database");
    expect(cells[0].stderrTail).toContain("Error: no database");
  });

  test("a teardown that fails is a warning", async () => {
    await using here = await project({
      ...readsFile,
      "seed.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("data.txt", "seeded");',
      "suite.json": {
        ...head,
        setup: "node seed.mjs",
        teardown: "node -e 'console.log(1 + 1); process.exit(3)'",
        tasks: [reading],
      },
    });

    const { exitCode, warnings } = await here.evaluate("--min-completion", "1");

    expect(exitCode).toBe(0);
    expect(warnings).toEqual([expect.stringMatching(/^teardown `node -e .*`: ended with exit code 3\n2$/)]);
  });

  test("nothing of them is started by a dry run", async () => {
    await using here = await project({
      ...readsFile,
      "suite.json": { ...head, setup: "node -e 'process.exit(1)'", tasks: [reading] },
    });

    expect((await here.evaluate("--dry-run")).exitCode).toBe(0);
  });
});

describeStrict("in a sandbox", () => {
  const strictly = ["--sandbox", "strict", "--min-completion", "1"];

  test("services and setup see their files, and skills what setup made", async () => {
    await using here = await project({
      ...readsFile,
      "skill/tests/seed.mjs":
        'import { writeFileSync } from "node:fs";\nwriteFileSync("data.txt", "seeded");',
      "skill/tests/suite.json": { ...head, setup: "node seed.mjs", tasks: [reading] },
    });
    await using served = await project({
      ...viaService,
      "skill/tests/suite.json": {
        ...head,
        services: { api: { ...api, command: "node ../server.mjs" } },
        tasks: [asked(1)],
      },
    });
    const more = ["--tasks", "skill/tests/suite.json", "--network", "open", ...strictly];

    for (const { evaluate } of [here, served]) {
      const { exitCode, stdout } = await evaluate(...more);
      expect(exitCode, stdout).toBe(0);
    }
  });

  test("setup sees the folder of its suite, and nothing around it, whatever words its command has", async () => {
    await using here = await project({
      ...readsFile,
      LICENSE: "anything", // where tests are run there is one as well
      "clone/words.json": {
        ...head,
        setup: `sh -c 'ls /skill${"/.".repeat(150)}; exit 1' LICENSE`,
        tasks: [reading],
      },
    });

    const { cells } = await here.evaluate("--tasks", "clone/words.json", ...strictly);

    expect(cells[0]).toMatchObject({ cause: "setup-failed" });
    expect(cells[0].stderrTail).toBe("words.json\n");
  });

  test("a service in a closed network is reached by its skill, which needs no grant for that", async () => {
    await using here = await project({
      ...viaService,
      "suite.json": { ...head, services: { api }, tasks: [asked(1), asked(2)] },
    });

    const { exitCode, stdout, cells } = await here.evaluate("--network", "none", ...strictly);

    expect(exitCode, stdout).toBe(0);
    expect(cells[1].output).toMatchObject({ n: 2, requests: expect.any(Number) });
  });

  test("other skills than HTTP would not reach a service there", async () => {
    await using here = await project({
      ...readsFile,
      "skill/adapter.config.json": { type: "custom", env: { API: "{{services.api.port}}" } },
      "skill/server.mjs": server,
      "suite.json": { ...head, services: { api }, tasks: [reading] },
    });

    const { exitCode, document } = await here.evaluate(...strictly);

    expect(exitCode).toBe(2);
    expect(document.error).toMatchObject({ code: "sandbox-unavailable", hint: "run with --network open" });
  });

  test("nor does a service lead us to a socket of the machine by a link in place of its own", async () => {
    await using machine = await temporaryFolder();
    const arrived: string[] = [];
    await using own = createServer((request, response) => {
      arrived.push(request.url ?? "");
      response.end('{ "n": "reached" }');
    });
    own.listen(join(machine.path, "own.sock"));
    await using here = await project({
      ...viaService,
      "skill/server.mjs": `import { renameSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
createServer((request, response) => {
  const n = Number(new URL(request.url, "http://here").searchParams.get("n"));
  if (n === 1) {
    renameSync("/work/s", "/work/moved");
    symlinkSync("${join(machine.path, "own.sock")}", "/work/s");
  }
  response.setHeader("connection", "close").end(JSON.stringify({ n }));
}).listen(Number(process.env.PORT), "127.0.0.1");`,
      "suite.json": { ...head, services: { api }, tasks: [asked(1), asked(2)] },
    });

    const { exitCode, stdout, cells } = await here.evaluate("--concurrency", "1", ...strictly);

    expect(arrived).toEqual([]);
    expect(exitCode, stdout).toBe(0);
    expect(cells).toMatchObject([{ output: { n: 1 } }, { output: { n: 2 } }]);
  });

  test("nothing but that service is reached there", async () => {
    await using outside = await httpServer((_, response) => void response.end("{}"));
    await using here = await project({
      ...viaService,
      "skill/server.mjs": `import { createServer } from "node:http";
createServer((_, response) => {
  fetch("${outside.url}").then(
    () => response.end('{ "n": "reached" }'),
    () => response.end('{ "n": "closed" }'),
  );
}).listen(Number(process.env.PORT), "127.0.0.1");`,
      "suite.json": {
        ...head,
        services: { api: { command: "node skill/server.mjs" } },
        tasks: [asked(1, { expectedOutput: { value: { n: "closed" } } })],
      },
    });

    const { exitCode, stdout } = await here.evaluate(...strictly);

    expect(exitCode, stdout).toBe(0);
  });
});
