import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../test/programs.ts";
import { describeStrict } from "../../test/strict-machine.ts";
import { bubblewrap } from "../../test/strict-sandbox.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openBubblewrapStatus, waitForNamespaceEnd } from "./bubblewrap-status.ts";
import { isRunning } from "./host/process-tree.ts";
import { reaperName, reaperProgram } from "./host/reaper.ts";

/**
 * A skill can write into the memory of the first process of its namespace, and so make it forget both that it ends with
 * bubblewrap and the tag it carries. One that never had either simulates it here.
 */
async function forgetful(folder: string) {
  mkdirSync(join(folder, "work"));
  const status = openBubblewrapStatus(join(folder, "status"));
  const flags = [
    "--unshare-all",
    "--bind",
    "/",
    "/",
    "--bind",
    join(folder, "work"),
    "/mnt",
    "--json-status-fd",
    "3",
  ];
  const outer = spawn(bubblewrap.bwrap, [...flags, "sleep", "1000"], {
    stdio: ["ignore", "ignore", "inherit", status.descriptor],
    env: {},
  });
  await eventually(() => status.firstProcess() !== null, "the namespace is there");
  return { outer, status, first: status.firstProcess() as number };
}

describeStrict("the first process of a namespace", () => {
  test("fault row 13: is ended where it did not end with bubblewrap", async () => {
    await using folder = await temporaryFolder();
    const { outer, status, first } = await forgetful(folder.path);
    outer.kill("SIGKILL");
    await once(outer, "exit");
    expect(isRunning(first)).toBe(true);

    await waitForNamespaceEnd(status);

    expect(isRunning(first)).toBe(false);
    status[Symbol.dispose]();
  });

  test("is not mistaken for a stranger that has its number by now", async () => {
    await using folder = await temporaryFolder();
    using status = openBubblewrapStatus(join(folder.path, "status"));
    const stranger = spawn("sleep", ["1000"], { stdio: "ignore" });

    await waitForNamespaceEnd({ ...status, firstProcess: () => stranger.pid as number });

    expect(isRunning(stranger.pid as number)).toBe(true);
    stranger.kill("SIGKILL");
  });

  test("fault row 13: is found by the reaper without its tag, by the folder it was shown", async () => {
    const folder = mkdtempSync(join(tmpdir(), "eval-skills-reaped-"));
    const { status, first } = await forgetful(folder);
    status[Symbol.dispose]();

    const reaper = spawn("/bin/sh", ["-c", reaperProgram, reaperName, "no-such-tag", folder], {
      stdio: "ignore",
    });
    await once(reaper, "exit");

    await eventually(() => !isRunning(first), "it is gone");
    expect(existsSync(folder)).toBe(false);
  });
});
