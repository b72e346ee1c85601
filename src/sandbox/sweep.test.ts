import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { tagVariable } from "./host/environment.ts";
import { startReaper } from "./host/reaper.ts";
import { diagnoseOrphans } from "./sweep.ts";

const tag = "0123456789abcdef01234567";

test.runIf(process.platform === "linux")(
  "fault row 83: one that started without an environment is an orphan as well",
  async () => {
    const script = "exec prlimit --locks=999999999000001 -- env -i sleep 600";
    const stray = spawn("/bin/sh", ["-c", script], { stdio: "ignore" });
    await once(stray, "spawn");
    try {
      const pid = new RegExp(`\\b${stray.pid}\\b`);
      await expect.poll(() => diagnoseOrphans().fix ?? "").toMatch(pid);

      using _reaper = startReaper({ word: "another", digits: "999999999" }, null);
      await expect.poll(() => diagnoseOrphans().fix ?? "").not.toMatch(pid);
    } finally {
      stray.kill("SIGKILL");
    }
  },
);

test.runIf(process.platform === "linux")(
  "a marked process is an orphan once nothing waits for the end of its runner",
  async () => {
    const env = { ...process.env, [tagVariable]: `${tag}.0` };
    const stray = spawn("sleep", ["600"], { env, stdio: "ignore" });
    await once(stray, "spawn");
    try {
      // Others that run beside this test may be reported too.
      expect(diagnoseOrphans()).toMatchObject({
        state: "bad",
        fix: expect.stringMatching(`\\b${stray.pid}\\b`),
      });

      using _reaper = startReaper({ word: tag, digits: null }, null);
      await expect.poll(() => diagnoseOrphans().fix ?? "").not.toMatch(`\\b${stray.pid}\\b`);
    } finally {
      stray.kill("SIGKILL");
    }
  },
);

test.runIf(process.platform === "linux")(
  "fault row 91: the reaper takes no program from the search path of the user, which may name a clone",
  async () => {
    vi.stubEnv("PATH", `/clone/node_modules/.bin:${process.env.PATH}`);
    try {
      using _reaper = startReaper({ word: "clones-tag", digits: null }, null);
      await expect.poll(() => environmentOf("clones-tag")).toContain("PATH=/usr/bin:");
      expect(environmentOf("clones-tag")).not.toContain("clone/");
    } finally {
      vi.unstubAllEnvs();
    }
  },
);

/** The variables of the process that has this word on its command line. */
function environmentOf(word: string): string {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1");
    } catch {
      return ""; // it is gone, or somebody else's
    }
  };
  const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && read(name, "cmdline").includes(word));
  return pid === undefined ? "" : read(pid, "environ");
}
