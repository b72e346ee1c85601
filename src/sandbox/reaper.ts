import { spawn } from "node:child_process";
import { markVariable } from "./environment.ts";

/** Waits on a pipe from us. A word means all is well; its end without one means we were killed, so the strays go too. */
const program = `
read -r word && exit 0
for round in 1 2; do
  for folder in /proc/[0-9]*; do
    if grep -aqs "${markVariable}=$1\\." "$folder/environ"; then kill -9 "\${folder#/proc/}" 2>/dev/null; fi
  done
done
`;

/** A tiny process that outlives us just long enough to end our skill processes when we are killed without warning. */
export function startReaper(runMark: string): Disposable {
  const reaper = spawn("/bin/sh", ["-c", program, "eval-skills-reaper", runMark], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
  });
  reaper.on("error", () => {}); // without a shell there is no reaper; the sweep at the end still happens
  reaper.stdin.on("error", () => {});
  reaper.unref();
  (reaper.stdin as unknown as { unref(): void }).unref();
  return { [Symbol.dispose]: () => void reaper.stdin.end("done\n") };
}
