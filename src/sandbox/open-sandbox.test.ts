import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { eventually, isAlive, pidFrom, programs } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { SkillCommand } from "../contract/sandbox.ts";
import { openSandbox, type SandboxOptions } from "./open-sandbox.ts";

function open(options: Partial<SandboxOptions> = {}) {
  return openSandbox({ level: "process", killGraceMs: 300, memoryMb: null, ...options });
}

function shell(script: string, ...args: string[]): SkillCommand {
  return { argv: ["/bin/sh", "-c", script, "sh", ...args], cwd: "/", env: {}, deadlineMs: 10_000 };
}

describe("a process", () => {
  test("says how it ended", async () => {
    await using sandbox = open();
    expect(await sandbox.start(shell("exit 4")).exited).toEqual({ code: 4, signal: null, limit: null });
    expect(await sandbox.start(shell("kill -USR1 $$")).exited).toEqual({
      code: null,
      signal: "SIGUSR1",
      limit: null,
    });
  });

  test("has our pipes for its streams", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell("cat; echo aside >&2"));
    skill.stdin.end("said");
    expect(await Promise.all([text(skill.stdout), text(skill.stderr)])).toEqual(["said", "aside\n"]);
  });

  for (const level of ["process", "off"] as const) {
    test(`whose folder is no folder refuses its start at level ${level}, without a throw`, async () => {
      await using sandbox = open({ level });
      const skill = sandbox.start({ ...shell("exit 0"), cwd: "/etc/passwd" });
      await expect(skill.started).rejects.toThrow(/ENOTDIR|ENOENT/);
      expect(await skill.exited).toEqual({ code: null, signal: null, limit: null });
      await skill.kill();
      await skill.terminate();
    });
  }

  test("whose environment cannot be refuses its start, without a throw", async () => {
    await using sandbox = open();
    const skill = sandbox.start({ ...shell("exit 0"), env: { BAD: "a\0b" } });
    await expect(skill.started).rejects.toThrow(/null bytes/);
    expect(await skill.waitsForInput(1000)).toBe(true);
  });

  test("whose arguments are too long refuses its start, without a throw", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell("exit 0", "x".repeat(3_000_000)));
    await expect(skill.started).rejects.toThrow(/E2BIG/);
  });

  test("that does not exist refuses its start at level off", async () => {
    await using sandbox = open({ level: "off" });
    const skill = sandbox.start({ ...shell(""), argv: ["/no/such/program"] });
    await expect(skill.started).rejects.toThrow(/ENOENT/);
  });
});

test("a sandbox of a dry run refuses every process", async () => {
  await using folder = await temporaryFolder();
  await using sandbox = open({ startsNothing: true });
  const skill = sandbox.start(shell('touch "$1"', join(folder.path, "started")));

  await expect(skill.started).rejects.toThrow("a dry run starts no process");
  expect((await skill.exited).refusal).toBe("a dry run starts no process");
  expect(readdirSync(folder.path)).toEqual([]);
});

describe("ending a process", () => {
  test("ends its whole group at once", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell("sleep 1000000 & echo $!; echo $$; wait"));
    const pids = await firstLines(skill.stdout, 2);

    await skill.kill();

    for (const pid of pids) await eventually(() => !isAlive(pid), `${pid} is gone`);
  });

  test("ends a child that left the group and forgot its tag, as long as it hangs in the tree", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    await using sandbox = open();
    const skill = sandbox.start({ ...shell(""), argv: ["/bin/sh", join(programs, "leaves-group.sh"), file] });
    const pid = await pidFrom(file);

    await skill.kill();

    await eventually(() => !isAlive(pid), "the child is gone");
  });

  test("in order gives it the grace to clean up", async () => {
    await using sandbox = open({ killGraceMs: 5000 });
    const skill = sandbox.start(
      shell("trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.05; done"),
    );
    const output = text(skill.stdout);
    await once(skill.stdout, "data");

    await skill.terminate();

    expect(await output.catch(() => "")).toContain("ready");
    expect(await skill.exited).toEqual({ code: 0, signal: null, limit: null });
  });

  test("fault row 12: in order ends it after the grace when it ignores SIGTERM", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    await using sandbox = open({ killGraceMs: 250 });
    const skill = sandbox.start({ ...shell(""), argv: ["/bin/sh", join(programs, "ignores-term.sh"), file] });
    const pid = await pidFrom(file);

    const began = performance.now();
    await skill.terminate();

    expect(performance.now() - began).toBeGreaterThan(240);
    expect(await skill.exited).toMatchObject({ signal: "SIGKILL" });
    expect(isAlive(pid)).toBe(false);
  });

  test("twice, or after it ended, does no harm", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell("exit 0"));
    await skill.exited;
    await skill.kill();
    await skill.kill();
    await skill.terminate();
  });
});

describe("strays", () => {
  const leaveStray = "setsid sh -c 'echo $$; exec sleep 1000000' & sleep 0.2";

  test("that left the group are swept soon after their skill ended", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell(leaveStray));
    const [pid = 0] = await firstLines(skill.stdout, 1);
    await skill.exited;
    await eventually(() => !isAlive(pid), "the stray is swept");
  });

  test("fault row 83: that forked twice into a session without an environment are gone 500 ms after the end of their skill", async () => {
    await using sandbox = open();
    const daemon = "echo $$; exec sleep 1000000 >/dev/null 2>&1 </dev/null";
    // Several: how long the sweeper waits for the next one depends on what the last look took.
    for (let round = 0; round < 3; round++) {
      const skill = sandbox.start(shell('setsid env -i setsid sh -c "$1" & sleep 0.2', daemon));
      const [pid = 0] = await firstLines(skill.stdout, 1);
      expect(isAlive(pid)).toBe(true);
      await skill.exited;
      await eventually(() => !isAlive(pid), "the daemon is swept", 500);
    }
  });

  test("of a skill that lasted long, when numbers may have been given out anew, are found too", async () => {
    await using sandbox = open();
    const skill = sandbox.start(
      shell("sleep 0.1; setsid env -i sh -c 'echo $$; exec sleep 1000000' & read -r _"),
    );
    const [pid = 0] = await firstLines(skill.stdout, 1);
    await sandbox[Symbol.asyncDispose]();
    await eventually(() => !isAlive(pid), "the stray is gone", 1000);
  });

  test("are found although another variable holds words that look like their tag", async () => {
    await using sandbox = open();
    // No shell: it would put the variables into another order.
    const script = `
      const stray = require("node:child_process").spawn("sleep", ["1000000"], { detached: true, stdio: "ignore" });
      console.log(stray.pid);
      setTimeout(process.exit, 200);`;
    const argv = [process.execPath, "-e", script] as const;
    const skill = sandbox.start({ ...shell(""), argv, env: { A: "EVAL_SKILLS_CELL=another" } });
    const [pid = 0] = await firstLines(skill.stdout, 1);
    await skill.exited;
    await eventually(() => !isAlive(pid), "the stray is swept");
  });

  test("are gone when the sandbox is closed", async () => {
    const sandbox = open();
    const skill = sandbox.start(shell(leaveStray));
    const [pid = 0] = await firstLines(skill.stdout, 1);
    await skill.exited;
    await sandbox[Symbol.asyncDispose]();
    await eventually(() => !isAlive(pid), "the stray is gone", 1000);
  });

  test("of another sandbox are left alone", async () => {
    await using other = open();
    const bystander = other.start(shell("echo $$; exec sleep 1000000"));
    const [pid = 0] = await firstLines(bystander.stdout, 1);
    {
      await using sandbox = open();
      await sandbox.start(shell("exit 0")).exited;
    }
    expect(isAlive(pid)).toBe(true);
  });

  test("closing the sandbox ends what still runs, and may be done twice", async () => {
    const sandbox = open();
    const skill = sandbox.start(shell("echo $$; exec sleep 1000000"));
    const [pid = 0] = await firstLines(skill.stdout, 1);
    await sandbox[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  test("a runner killed without warning leaves no skill process, not even one that left the group", async () => {
    const runner = spawn(process.execPath, ["--import", "tsx", join(programs, "holds-sandbox.ts")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pids = await firstLines(runner.stdout, 3);
    expect(pids.map(isAlive)).toEqual([true, true, true]);

    runner.kill("SIGKILL");

    for (const pid of pids) await eventually(() => !isAlive(pid), `${pid} is gone`);
  });
});

describe("limits", () => {
  test("are set at level process", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell("ulimit -n; ulimit -c; ulimit -f"));
    expect(await text(skill.stdout)).toMatch(/^256\n0\n\d+\n$/);
    expect(sandbox.containment).toMatchObject({ level: "process", backend: "prlimit", unproven: [] });
  });

  test("are not set at level off", async () => {
    await using sandbox = open({ level: "off" });
    const skill = sandbox.start(shell("ulimit -f"));
    expect(await text(skill.stdout)).toBe("unlimited\n");
    expect(sandbox.containment).toMatchObject({ level: "off", backend: null });
  });

  test("that cannot be set are said to be unproven", async () => {
    await using sandbox = open({ env: { PATH: "/nowhere" } });
    expect(sandbox.containment).toMatchObject({ level: "process", backend: null, unproven: ["limits"] });
  });

  test("set by prlimit cost no process: the pid is the skill's own", async () => {
    await using sandbox = open();
    const skill = sandbox.start(shell("echo $$; ps -o ppid= -p $$"));
    const [, parent] = (await text(skill.stdout)).trim().split(/\s+/).map(Number);
    expect(parent).toBe(process.pid);
  });

  test("a program that only looks like a shim of prlimit is started by its name, with its arguments", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "--version");
    writeFileSync(path, '#!/bin/sh\necho "$0 $*"\n');
    chmodSync(path, 0o755);
    await using sandbox = open();
    const skill = sandbox.start({ ...shell(""), argv: [path, "--fsize=0"] });
    expect(await text(skill.stdout)).toBe(`${path} --fsize=0\n`);
  });
});

test("fault row 16: at level process all memory of a skill is limited to 2 GiB by default", async () => {
  await using sandbox = open();
  const script = `
import mmap
held = mmap.mmap(-1, 2300 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for at in range(0, len(held), 4096): held[at] = 1
input()`;
  const skill = sandbox.start({ ...shell(""), argv: ["python3", "-c", script] });
  expect(await skill.exited).toEqual({ code: null, signal: "SIGKILL", limit: "memory-limit" });
});

describe("the reaper", () => {
  test("is not started before the first skill, and goes with the sandbox", async () => {
    const sandbox = open();
    await eventually(() => reapers() === 0, "those of the tests before are gone");
    await sandbox.start(shell("exit 0")).exited;
    await eventually(() => reapers() === 1, "the reaper is there");
    await sandbox[Symbol.asyncDispose]();
    await eventually(() => reapers() === 0, "the reaper is gone");
  });
});

/** How many reapers this very process has. */
function reapers(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "latin1").split(" ");
  return children.filter((pid) => {
    try {
      return (
        pid !== "" &&
        isAlive(Number(pid)) &&
        readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("eval-skills-reaper")
      );
    } catch {
      return false;
    }
  }).length;
}

async function firstLines(stream: NodeJS.ReadableStream, count: number): Promise<number[]> {
  const numbers: number[] = [];
  for await (const line of createInterface({ input: stream })) {
    numbers.push(Number(line));
    if (numbers.length === count) break;
  }
  return numbers;
}
