import { spawn } from "node:child_process";
import { tagVariable } from "./environment.ts";
import type { RunTag } from "./run-tag.ts";

/**
 * Waits on a pipe from us. A message means a normal end; the end of the pipe without one means we were killed, so the
 * strays are killed too, and their folder is removed. They are found by the tags of their run; in the sandbox a skill can
 * wipe its tag out of its memory, but not the folder out of its mounts.
 */
export const reaperProgram = `
read -r word && exit 0
for round in 1 2 3; do
  for file in $(grep -ls "${tagVariable}=$1\\." /proc/[0-9]*/environ; [ -n "$2" ] && grep -lsF "/\${2##*/}/" /proc/[0-9]*/mountinfo; [ -n "$3" ] && grep -lsE "^Max file locks +$3[0-9]{6} " /proc/[0-9]*/limits); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/*}" 2>/dev/null
  done
done
for round in 1 2 3; do
  [ -n "$2" ] && [ -e "$2" ] && { chmod -R u+rwX -- "$2"; rm -rf -- "$2"; } 2>/dev/null
done
`;

/** Its name in a list of processes, before the tag of its run. */
export const reaperName = "eval-skills-reaper";

/** Where every system has its grep and rm; the user's own search path may name folders of a clone. */
const systemPath = "/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin";

/** A tiny process that outlives us just long enough to end our skill processes when we are killed without warning. */
export function startReaper({ word, digits }: RunTag, tempFolder: string | null): Disposable {
  const reaper = spawn("/bin/sh", ["-c", reaperProgram, reaperName, word, tempFolder ?? "", digits ?? ""], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: systemPath },
  });
  reaper.on("error", () => {}); // without a shell there is no reaper; the sweep at the end still happens
  if (reaper.stdin === null || reaper.stdin === undefined) return { [Symbol.dispose]: () => {} };
  reaper.stdin.on("error", () => {});
  reaper.unref();
  (reaper.stdin as unknown as { unref(): void }).unref();
  return { [Symbol.dispose]: () => void reaper.stdin?.end("done\n") };
}
