import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { openSkill, readOutput, within } from "../../test/open-skill.ts";
import { programs } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";

const patience = within(20_000);

test.concurrent("a system without room for another process is our failure, not the skill's", async () => {
  // Descriptors run out only in a process of its own.
  const program = [process.execPath, "--import", "tsx", `${programs}/starves-descriptors.ts`];
  const { stdout } = await promisify(execFile)("prlimit", ["--nofile=100", ...program]);
  expect(JSON.parse(stdout)).toEqual([
    expect.objectContaining({ status: "invalid", cause: "sandbox-refused" }),
    expect.objectContaining({ status: "answered", output: "after" }),
  ]);
});

test.concurrent("an answer counts at once: waiting for the end of the process is no part of the latency", async () => {
  await using skill = await openSkill("answers-then.py", ["stay"]);

  const began = performance.now();
  const outcome = await skill.call(null, patience);
  const tookMs = performance.now() - began;

  expect(outcome).toMatchObject({
    status: "answered",
    output: "done",
    warnings: ["still running 2000 ms after its answer; ended"],
  });
  expect(tookMs - outcome.latencyMs).toBeGreaterThan(1990);
  expect(await skill.processes[0]?.exited).toMatchObject({ signal: "SIGKILL" });
});

test("an interruption does not wait for a process that stays after its answer", async () => {
  await using skill = await openSkill("answers-then.py", ["stay"]);
  const interruption = new AbortController();

  const call = skill.call(null, { deadlineMs: 20_000, signal: interruption.signal });
  skill.processes[0]?.stdout.on("data", (chunk: Buffer) => {
    if (chunk.includes("\n")) setImmediate(() => interruption.abort(new Error("stop"))); // the answer is whole
  });
  const outcome = await call;

  expect(outcome).toMatchObject({ status: "answered", output: "done" });
  expect(outcome.warnings).toBeUndefined(); // who had waited would say for how long
  expect(await skill.processes[0]?.exited).toMatchObject({ signal: "SIGKILL" });
});

test("an exit code after the answer is only a warning", async () => {
  await using skill = await openSkill("answers-then.py", ["5"]);
  expect(await skill.call(null, patience)).toMatchObject({
    status: "answered",
    output: "done",
    warnings: ["answered, then exit 5"],
  });
});

test("an answer followed by exit 0 has no warnings", async () => {
  await using skill = await openSkill("answers-then.py", ["0"]);
  expect((await skill.call(null, patience)).warnings).toBeUndefined();
});

test("a crash carries the last words of the skill", async () => {
  await using skill = await openSkill("crashes.sh");
  expect(await skill.call(null, patience)).toMatchObject({
    status: "failed",
    cause: "crash",
    message: "exit 3 without an answer: the disk is made of cheese",
    stderrTail: "first line\nthe disk is made of cheese\n",
  });
});

test("every call has a process of its own", async () => {
  await using skill = await openSkill("tells-pid.py");
  const outcomes = [await skill.call(null, patience), await skill.call(null, patience)];
  expect(new Set(outcomes.map((outcome) => (outcome as { output: number }).output)).size).toBe(2);
});

test("usage beside a result is read, and impossible figures are left out with a warning", async () => {
  const usage = '"usage":{"promptTokens":12,"completionTokens":-3}';
  await using skill = await openSkill("answers-with.py", [`{"jsonrpc":"2.0","id":ID,"result":1,${usage}}`]);
  expect(await skill.call(null, patience)).toMatchObject({
    usage: { promptTokens: 12, completionTokens: null, totalTokens: null, costUsd: null },
    warnings: [expect.stringContaining("usage.completionTokens")],
  });
});

describe("a skill's environment", () => {
  type Seen = { environment: Record<string, string>; cwd: string; arguments: string[] };

  async function look(options: Parameters<typeof openSkill>[2], ...args: string[]): Promise<Seen> {
    await using skill = await openSkill("tells-environment.py", args, options);
    return readOutput(await skill.call(null, patience)) as Seen;
  }

  const runner = {
    PATH: process.env.PATH,
    HOME: "/home/me",
    LANG: "en_GB.UTF-8",
    LC_ALL: "C.UTF-8",
    TZ: "Asia/Tokyo",
    TMPDIR: "/var/tmp",
    OPENAI_API_KEY: "canary",
    NODE_OPTIONS: "--no-warnings",
    LD_LIBRARY_PATH: "/nowhere",
    PYTHONPATH: "/nowhere",
  };
  const always = {
    EVAL_SKILLS_SANDBOX: "1",
    EVAL_SKILLS_CELL: expect.stringMatching(/^[0-9a-f]{24}\.\d+$/),
    PYTHONUNBUFFERED: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  };

  test("its environment is the allow-list, its tags, and nothing else", async () => {
    const { environment } = await look({ env: runner });
    const { PATH, HOME, LANG, LC_ALL, TZ, TMPDIR } = runner;
    expect(environment).toEqual({ PATH, HOME, LANG, LC_ALL, TZ, TMPDIR, ...always });
  });

  test("a variable the runner does not have is not made up", async () => {
    const { environment } = await look({ env: { PATH: process.env.PATH } });
    // Python itself sets LC_CTYPE where the locale says nothing.
    expect(
      Object.keys(environment)
        .filter((key) => key !== "LC_CTYPE")
        .sort(),
    ).toEqual(["PATH", ...Object.keys(always)].sort());
  });

  test("variables of its own come on top, and may replace those of the allow-list", async () => {
    const { environment } = await look({ env: runner, variables: { OPENAI_API_KEY: "mine", TZ: "UTC" } });
    expect(environment).toMatchObject({ OPENAI_API_KEY: "mine", TZ: "UTC" });
  });

  test("it cannot choose its own tag, by which strays are found", async () => {
    const own = { EVAL_SKILLS_CELL: "somebody else", EVAL_SKILLS_SANDBOX: "0" };
    for (const level of ["process", "off"] as const) {
      expect((await look({ level, env: runner, variables: own })).environment).toMatchObject({
        EVAL_SKILLS_CELL: always.EVAL_SKILLS_CELL,
        EVAL_SKILLS_SANDBOX: "1",
      });
    }
  });

  test("with the sandbox off it has the whole environment of the user", async () => {
    const { environment } = await look({ level: "off", env: { ...runner, NODE_OPTIONS: "" } });
    expect(environment).toMatchObject({ OPENAI_API_KEY: "canary", PYTHONPATH: "/nowhere", HOME: "/home/me" });
    expect(environment).not.toHaveProperty("PYTHONUNBUFFERED");
  });

  test("a folder called `$(touch x) [1]` is a folder like any other", async () => {
    await using folder = await temporaryFolder();
    const cwd = join(folder.path, "$(touch x) [1]");
    mkdirSync(cwd);

    const seen = await look({ cwd });

    expect(seen.cwd).toBe(cwd);
    expect(readdirSync(folder.path)).toEqual(["$(touch x) [1]"]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("arguments reach it as they are: no shell reads them", async () => {
    await using folder = await temporaryFolder();
    const hostile = [
      "$(touch x)",
      "`touch y`",
      "; touch z",
      "*",
      "~",
      "$HOME",
      "a b",
      "",
      "'\"",
      "--help",
      "\n",
    ];

    const seen = await look({ cwd: folder.path }, ...hostile);

    expect(seen.arguments).toEqual(hostile);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("no profile file is read", async () => {
    await using folder = await temporaryFolder();
    for (const name of [".profile", ".bashrc", ".bash_profile", "env.sh"]) {
      writeFileSync(join(folder.path, name), `touch ${join(folder.path, "was-read")}\n`);
    }

    await look({
      env: {
        ...runner,
        HOME: folder.path,
        ENV: join(folder.path, "env.sh"),
        BASH_ENV: join(folder.path, "env.sh"),
      },
    });

    expect(existsSync(join(folder.path, "was-read"))).toBe(false);
  });
});
