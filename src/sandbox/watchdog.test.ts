import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type TreeLimits, watchTree } from "./watchdog.ts";

const none: TreeLimits = { memoryBytes: null, processes: null, disk: null, diskBytes: 0 };
const started: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of started.splice(0)) process.kill(-(pid as number), "SIGKILL");
});

test("calls out once when the processes of a tree have too much memory together", async () => {
  // Three that stay below the cap each, and above it together.
  const hog = "{ head -c 30000000 /dev/zero; sleep 1000; } | tail";
  const exceeded = await watched(`${hog} & ${hog} & ${hog} & wait`, { ...none, memoryBytes: 60_000_000 });
  expect(exceeded).toBe("memory-limit");
});

test("counts memory once that children share with their parent", async () => {
  const reported: string[] = [];
  const script = `
import os, time
held = bytearray(60_000_000)
for _ in range(4):
    if os.fork() == 0: time.sleep(1000)
open(os.environ["DONE"], "w").close()
time.sleep(1000)`;
  await using folder = await temporaryFolder();
  const done = join(folder.path, "done");
  const family = start(`DONE='${done}' exec python3 -c '${script}'`);
  using _ = watchTree(family.pid as number, { ...none, memoryBytes: 200_000_000 }, (limit) => {
    reported.push(limit);
  });
  await expect.poll(() => existsSync(done), { timeout: 10_000 }).toBe(true);

  // Two looks, at the least.
  for (const _ of "12") await watched("sleep 1000 & wait", { ...none, processes: 2 });

  expect(reported).toEqual([]);
});

test("calls out when a tree has as many processes as are too many", async () => {
  const exceeded = await watched("for n in 1 2 3 4; do sleep 1000 & done; wait", { ...none, processes: 5 });
  expect(exceeded).toBe("process-limit");
});

test("calls out when the folder is too full", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "file");
  const limits = { ...none, disk: folder.path, diskBytes: 1_000_000 };
  expect(await watched(`head -c 2000000 /dev/zero >'${file}'; exec sleep 1000`, limits)).toBe("disk-limit");
});

test("calls out when the folder is too full of a file that has no name any more", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "file");
  const limits = { ...none, disk: folder.path, diskBytes: 1_000_000 };
  const script = `exec 7>'${file}'; rm '${file}'; head -c 2000000 /dev/zero >&7; exec sleep 1000`;
  expect(await watched(script, limits)).toBe("disk-limit");
});

test("a tree within its limits is left alone, whatever happens to another", async () => {
  await using folder = await temporaryFolder();
  const reported: string[] = [];
  const quiet = start("exec sleep 1000");
  const limits = { memoryBytes: 2 ** 31, processes: 64, disk: folder.path, diskBytes: 2 ** 28 };
  using _ = watchTree(quiet.pid as number, limits, (limit) => reported.push(limit));

  await watched("sleep 1000 & wait", { ...none, processes: 2 });

  expect(reported).toEqual([]);
});

test("a process that is gone, or no longer watched, is never called out", async () => {
  const reported: string[] = [];
  const report = (limit: string) => reported.push(limit);
  const gone = spawn("true");
  await once(gone, "exit");
  using _ = watchTree(gone.pid as number, { ...none, processes: 1 }, report);
  const released = start("exec sleep 1000");
  watchTree(released.pid as number, { ...none, processes: 1 }, report)[Symbol.dispose]();

  await watched("exec sleep 1000", { ...none, processes: 1 });

  expect(reported).toEqual([]);
});

function start(script: string): ChildProcess {
  const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: "ignore" });
  started.push(child);
  return child;
}

/** The limit that is called out for this script. */
function watched(script: string, limits: TreeLimits): Promise<string> {
  return new Promise((done) => watchTree(start(script).pid as number, limits, done));
}
