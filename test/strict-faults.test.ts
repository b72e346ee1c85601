import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adapterContract } from "../src/adapters/adapter.contract.ts";
import { perCallAdapter } from "../src/adapters/subprocess.ts";
import type { Outcome } from "../src/contract/outcome.ts";
import { openSkill, type SkillOptions, within } from "./open-skill.ts";
import { eventually } from "./programs.ts";
import { describeStrict } from "./strict-machine.ts";
import { bubblewrap, openStrict } from "./strict-sandbox.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const strict = { level: "strict", bubblewrap, network: "none" } as const;

describeStrict("in a sandbox", () => {
  // A temporary folder of our own shows what is left in it.
  const before = process.env.TMPDIR;
  const temp = join(tmpdir(), `strict-faults-${process.pid}`);
  beforeAll(() => {
    mkdirSync(temp);
    chmodSync(temp, 0o755);
    process.env.TMPDIR = temp;
  });
  afterEach(() => expect.poll(() => readdirSync(temp)).toEqual([]));
  afterAll(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(temp, { recursive: true });
  });

  describe("a skill process", () => {
    let running = 0;
    const open = (program: string) => openSkill(program, [], { ...strict, onStart: countRunning });
    const countRunning = (exited: Promise<unknown>) => {
      running++;
      void exited.then(() => running--);
    };
    adapterContract("subprocess, strict", {
      echo: () => open("echo.py"),
      broken: () => open("dies-at-start.sh"),
      slow: () => open("forever.sh"),
      leftovers: () => running,
    });
  });

  test("a program that cannot be executed is the skill's failure", async () => {
    await using folder = await temporaryFolder();
    writeFileSync(join(folder.path, "program"), "#!/no/such/interpreter\n", { mode: 0o755 });
    await using sandbox = openStrict();
    await using adapter = perCallAdapter({
      ...{ argv: [join(folder.path, "program")], cwd: folder.path, env: {}, sandbox, maxOutputBytes: 1000 },
    });
    expect(await adapter.call(null, within(20_000))).toMatchObject({
      status: "failed",
      cause: "spawn-failed",
    });
  });

  test("fault row 13: a daemon by double fork and setsid dies with its cell", async () => {
    expect(await callFixture("daemon.py", ["/work/pid", "answer"])).toMatchObject({
      status: "answered",
      output: "done",
    });
  });

  test("fault row 14: a fork bomb is stopped at the cap, and a cell beside it is answered", async () => {
    const [bomb, beside] = await Promise.all([
      callFixture("fork-bomb.py", ["300"]),
      callFixture("echo.py", []),
    ]);
    expect(bomb).toMatchObject({ status: "failed", cause: "process-limit" });
    expect(beside).toMatchObject({ status: "answered" });
  });

  test("fault row 16: a memory hog has passed the memory limit, in one process and split over twenty", async () => {
    expect(await callFixture("hogs-memory.py", ["300"], { memoryMb: 128 })).toMatchObject({
      cause: "memory-limit",
    });
    expect(await callFixture("hogs-memory-split.py", ["12", "20"], { memoryMb: 128 })).toMatchObject({
      cause: "memory-limit",
    });
  });

  test("fault row 17: a CPU burner ends at its limit, or at its deadline without one", async () => {
    expect(await callFixture("burns-cpu.sh", [], { limits: { cpuSeconds: 1 } })).toMatchObject({
      status: "failed",
      cause: "cpu-limit",
    });
    expect(await callFixture("burns-cpu.sh", [], { deadlineMs: 500 })).toMatchObject({ status: "timed-out" });
  });

  test("fault row 18: a gigabyte on stdout is stopped at the cap", async () => {
    const outcome = await callFixture("flood.mjs", ["1", "1e9"]);
    expect(outcome).toMatchObject({ status: "failed", cause: "output-limit" });
    expect(outcome.bytesSeen).toBeLessThan(7_000_000);
  });

  test("a file that grows beyond its limit, and a work folder that does, are the cause of their writer's end", async () => {
    const limits = { fileBytes: 1_000_000 };
    expect(await callFixture("grows-file.sh", ["/work/large"], { limits })).toMatchObject({
      cause: "disk-limit",
    });
    expect(await callFixture("fills-folder.py", ["~", "40"])).toMatchObject({ cause: "disk-limit" });
  });
});

/** Calls a fixture once in the sandbox. Fails when a process or a folder of it is left. */
async function callFixture(
  program: string,
  args: readonly string[],
  { deadlineMs = 20_000, ...options }: SkillOptions & { deadlineMs?: number } = {},
): Promise<Outcome> {
  const tag = randomBytes(8).toString("hex");
  const variables = { TEST_MARK: tag };
  let outcome: Outcome;
  {
    await using skill = await openSkill(program, args, { ...strict, variables, ...options });
    outcome = await skill.call(null, within(deadlineMs));
  }
  await eventually(() => processesWith(tag) === 0, "no process is left");
  return outcome;
}

/** Processes that have this text in their environment. */
function processesWith(text: string): number {
  const environments = readdirSync("/proc").map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1");
    } catch {
      return "";
    }
  });
  return environments.filter((environment) => environment.includes(text)).length;
}
