import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { tagVariable } from "./host/environment.ts";
import { startReaper } from "./host/reaper.ts";
import { diagnoseOrphans } from "./sweep.ts";

const tag = "0123456789abcdef01234567";

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

      using _reaper = startReaper(tag, null);
      await expect.poll(() => diagnoseOrphans().fix ?? "").not.toMatch(`\\b${stray.pid}\\b`);
    } finally {
      stray.kill("SIGKILL");
    }
  },
);
