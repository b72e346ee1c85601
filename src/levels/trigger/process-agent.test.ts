import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually, isAlive, pidFrom, programs } from "../../../test/programs.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { processAgent } from "./process-agent.ts";

const { signal } = new AbortController();

async function run(script: string, { timeoutMs = 20_000, query = "hello" } = {}) {
  await using folder = await temporaryFolder();
  await using agent = processAgent({ command: `/bin/sh -c '${script}'`, timeoutMs, env: process.env });
  return await agent.run({ query, project: folder.path }, signal);
}

test("the request comes on standard input, in the folder of the project; skills are reported in order, each once", async () => {
  const script =
    'read -r query; for name in "$query" "$(basename "$PWD")" b b; do echo "{\\"type\\":\\"skill\\",\\"name\\":\\"$name\\"}"; done';

  const outcome = await run(script, { query: "refactor it" });

  expect(outcome).toEqual({
    status: "answered",
    activated: ["refactor it", expect.stringMatching(/^eval-skills-/), "b"],
  });
});

test("an agent that used no skill has answered too", async () => {
  expect(await run('echo thinking; echo "{\\"type\\":\\"result\\"}"')).toEqual({
    status: "answered",
    activated: [],
  });
});

test.each([
  [
    "an exit code",
    'echo "{\\"type\\":\\"skill\\",\\"name\\":\\"a\\"}"; echo no key >&2; exit 3',
    "it ended with exit code 3: no key",
  ],
  ["a signal", 'echo "{\\"type\\":\\"skill\\",\\"name\\":\\"a\\"}"; kill -9 $$', "it was ended by SIGKILL"],
  ["nothing at all", "exit 0", "it wrote no line of JSON with a type"],
  ["prose", 'echo "I used the skill pdf."', "it wrote no line of JSON with a type"],
  [
    "an error it tells",
    'echo "{\\"type\\":\\"result\\",\\"is_error\\":true,\\"result\\":\\"Invalid API key\\"}"',
    "Invalid API key",
  ],
  [
    "a flood",
    'echo "{\\"type\\":\\"skill\\",\\"name\\":\\"a\\"}"; head -c 40000000 /dev/zero',
    "it wrote more than 33554432 bytes",
  ],
])("%s is a failure, never an answer", async (_name, script, message) => {
  expect(await run(script)).toEqual({ status: "failed", message });
});

test("of a long complaint the line that says why is reported", async () => {
  const outcome = await run("head -c 100000 /dev/zero | tr \\\\0 x >&2; echo >&2; echo the end >&2; exit 1");

  expect(outcome).toEqual({ status: "failed", message: "it ended with exit code 1: the end" });
});

test("a program that is not there is a failure that says so", async () => {
  await using folder = await temporaryFolder();
  await using agent = processAgent({
    command: "no-such-agent-anywhere -p",
    timeoutMs: 1000,
    env: process.env,
  });

  expect(await agent.run({ query: "x", project: folder.path }, signal)).toMatchObject({
    status: "failed",
    message: expect.stringMatching(/^it could not be started: .*ENOENT/),
  });
});

test("an agent that does not come to an end is stopped at the deadline", async () => {
  expect(await run("echo still here >&2; exec sleep 600", { timeoutMs: 500 })).toEqual({
    status: "timed-out",
    message: expect.stringMatching(/^did not finish within 500 ms(?:: still here)?$/), // a busy machine may start it later
  });
});

test("an interruption ends the whole tree, also who left the group, and throws the signal's reason", async () => {
  await using folder = await temporaryFolder();
  const [child, stray] = [join(folder.path, "child"), join(folder.path, "stray")];
  const script = `echo $$ > ${child}; setsid /bin/sh -c "echo \\$\\$ > ${stray}; exec sleep 600" & wait`;
  await using agent = processAgent({
    command: `/bin/sh -c '${script}'`,
    timeoutMs: 600_000,
    env: process.env,
  });
  const stop = new AbortController();
  const reason = new Error("enough");

  const running = agent.run({ query: "x", project: folder.path }, stop.signal);
  running.catch(() => {}); // looked at below
  const pids = [await pidFrom(child), await pidFrom(stray)];
  stop.abort(reason);

  await expect(running).rejects.toBe(reason);
  for (const pid of pids) await eventually(() => !isAlive(pid), `the end of ${pid}`);
});

test("paths in the command begin where it was typed, not in the project", async () => {
  await using folder = await temporaryFolder();
  await using agent = processAgent({
    command: "/bin/sh ./agent.sh line",
    timeoutMs: 20_000,
    env: process.env,
    cwd: programs,
  });

  expect(await agent.run({ query: "x", project: folder.path }, signal)).toMatchObject({ status: "answered" });
  expect(readdirSync(folder.path)).toEqual([]);
});

test.each([
  ["", "--agent is empty"],
  ["  ", "--agent is empty"],
  ["claude 'x", "--agent has an unbalanced '"],
])("a command line like %j is refused before anything starts", (command, message) => {
  expect(() => processAgent({ command, timeoutMs: 1, env: {} })).toThrow(message);
});
