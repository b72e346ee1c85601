import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { build } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../test/programs.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { bubblewrap, openStrict, runInside, skillFolder } from "../../test/strict-sandbox.ts";
import { isReachable } from "./host/reach.ts";
import { reachableTempFolder } from "./host/temp-root.ts";

describeStrict("in the sandbox an end", () => {
  test("is reported as it was: by exit code or by signal", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const end = async (script: string) =>
      (await runInside(sandbox, { argv: ["sh", "-c", script], cwd: folder.path })).exit;
    expect(await end("exit 4")).toEqual({ code: 4, signal: null, limit: null });
    expect(await end("kill -SEGV $$")).toEqual({ code: null, signal: "SIGSEGV", limit: null });
    expect(await end("kill -KILL $$")).toEqual({ code: null, signal: "SIGKILL", limit: null });
  });

  test("of the sandbox before the program began is a refusal, which no skill can fake", async () => {
    await using folder = await skillFolder();
    await using broken = openStrict({ bubblewrap: { ...bubblewrap, bwrap: "/bin/false" } });
    const refused = await runInside(broken, { argv: ["true"], cwd: folder.path });
    expect(refused.exit).toEqual({
      code: 1,
      signal: null,
      limit: null,
      refusal: "the sandbox ended with exit code 1 before the program began",
    });
    await using absent = openStrict({ bubblewrap: { ...bubblewrap, bwrap: "/no/bwrap", prlimit: null } });
    const skill = absent.start({ argv: ["true"], cwd: folder.path, env: {}, deadlineMs: 1000 });
    await expect(skill.started).rejects.toThrow(/ENOENT/);
    expect((await skill.exited).refusal).toContain("could not be started");

    await using sandbox = openStrict();
    const fake =
      "echo 'bwrap: Creating new namespace failed' >&2; for fd in 3 4 5; do eval \"echo '{}' >&$fd\"; done; exit 1";
    const faked = await runInside(sandbox, { argv: ["sh", "-c", fake], cwd: folder.path });
    expect(faked.exit).toMatchObject({ code: expect.any(Number) });
    expect(faked.exit.refusal).toBe(undefined);
    const missing = await runInside(sandbox, { argv: ["no-such-program"], cwd: folder.path });
    // Adapters rely on this message, from whichever of the two runs right before the program.
    expect(missing.err).toMatch(
      /^(?:bwrap: execvp|prlimit: failed to execute) no-such-program: No such file/,
    );
    if (missing.err.startsWith("bwrap")) expect(missing.exit.refusal).toEqual(expect.any(String));
  });

  test("fault row 13: leaves no daemon that forked twice and has its own session", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    const word = `${process.pid}.13`;
    const script = `setsid sh -c 'setsid sleep 10000${word} & exit' & sleep 0.1; echo left`;
    const { out, exit } = await runInside(sandbox, { argv: ["sh", "-c", script], cwd: folder.path });
    expect({ out, code: exit.code }).toEqual({ out: "left\n", code: 0 });
    await eventually(() => processesSaying(`10000${word}`).length === 0, "the daemon is gone", 1000);
  });

  test("by kill leaves nothing, and two sandboxes do not touch each other", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict();
    await using other = openStrict();
    const [word, otherWord] = [`20000${process.pid}`, `30000${process.pid}`];
    const forever = (number: string) => ({
      argv: ["sh", "-c", `setsid sleep ${number} & echo ready; exec sleep ${number}`] as const,
      cwd: folder.path,
      env: {},
      deadlineMs: null,
    });
    const skill = sandbox.start(forever(word));
    const bystander = other.start(forever(otherWord));
    await Promise.all([once(skill.stdout, "data"), once(bystander.stdout, "data")]);
    await eventually(() => processesSaying(`sleep\0${word}`).length === 2, "both sleep");

    await skill.kill();

    expect(processesSaying(word)).toEqual([]);
    expect(await skill.exited).toEqual({ code: null, signal: "SIGKILL", limit: null });
    expect(processesSaying(otherWord)).not.toEqual([]);
    await other[Symbol.asyncDispose]();
    expect(processesSaying(otherWord)).toEqual([]);
  });

  test("in order lets it clean up, and comes by force after the grace", async () => {
    await using folder = await skillFolder();
    await using sandbox = openStrict({ killGraceMs: 5000 });
    await using hasty = openStrict({ killGraceMs: 100 });
    const trap = (action: string) =>
      ["sh", "-c", `trap '${action}' TERM; echo ready; while :; do sleep 0.05; done`] as const;
    const polite = sandbox.start({
      argv: trap("exit 7"),
      cwd: folder.path,
      env: {},
      deadlineMs: null,
    });
    const deaf = hasty.start({ argv: trap(""), cwd: folder.path, env: {}, deadlineMs: null });
    await Promise.all([once(polite.stdout, "data"), once(deaf.stdout, "data")]);

    await Promise.all([polite.terminate(), deaf.terminate()]);

    expect(await polite.exited).toEqual({ code: 7, signal: null, limit: null });
    expect(await deaf.exited).toMatchObject({ signal: "SIGKILL" });
  });
});

describeStrict("a runner", () => {
  // With all it imports in one file that every user can reach: the repository itself may lie where only root can walk.
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(reachableTempFolder(), "eval-skills-runner-"));
    chmodSync(folder, 0o755);
    const input = join(import.meta.dirname, "../../test/fixtures/programs/strict-runner.ts");
    const output = { file: join(folder, "runner.mjs"), codeSplitting: false };
    await build({ input, platform: "node", logLevel: "silent", output });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (extra: { uid?: number; gid?: number } = {}) =>
    spawn(process.execPath, [join(folder, "runner.mjs")], {
      ...extra,
      cwd: folder,
      env: { ...process.env, HOME: "/nonexistent" },
      // Two more than a process should have: what CI systems and make leave open.
      stdio: ["ignore", "pipe", "inherit", "pipe", "ignore", "ignore", "ignore", "pipe"],
    });

  // A Node that only root can reach starts for nobody else.
  const isForOthers = process.getuid?.() === 0 && isReachable(process.execPath);
  for (const uid of isForOthers ? [undefined, 54_321] : [undefined]) {
    test(`${uid === undefined ? "of this user" : "without rights"} keeps what it inherited open to itself, and killed leaves nothing behind`, async () => {
      const runner = start(uid === undefined ? {} : { uid, gid: uid });
      let output = "";
      runner.stdout?.on("data", (chunk: Buffer) => {
        output += chunk;
      });
      await eventually(() => output.includes("sleeping"), "the skill sleeps");
      expect(output).toContain("strict: uid 65534, descriptors open: none");
      expect(output).toContain("process: descriptors open: none");
      expect(processesSaying(`4000${runner.pid}`)).not.toEqual([]);
      const root = dirname(inTemp(/is shown (\S+)/.exec(output)?.[1] ?? ""));
      const bait = /bait lies in (\S+)/.exec(output)?.[1] ?? "";
      expect([root, bait].map((folder) => existsSync(folder))).toEqual([true, true]);

      runner.kill("SIGKILL");

      await eventually(() => processesSaying(`4000${runner.pid}`).length === 0, "the skill is gone");
      await eventually(() => !existsSync(root), "its folder is gone");
      await eventually(() => !existsSync(bait), "and so is the bait of a probe");
    });
  }
});

/** A folder of a run by its path on its disk, which is what a process sees of it: only the last two names are sure. */
function inTemp(path: string): string {
  return join(tmpdir(), basename(dirname(path)), basename(path));
}

function processesSaying(word: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word);
    } catch {
      return false;
    }
  });
}
