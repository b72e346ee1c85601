import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { unshare } from "./tools.ts";

export interface SmallDisk extends AsyncDisposable {
  /** Starts what follows where the disk can be seen, in this folder. */
  inside(folder: string): string[];
  /** Changes the options of the mount: `size=64m`, `ro`. */
  remount(options: string): void;
  /** Removes a file on the disk. */
  remove(name: string): void;
  /** Copies what is on the disk to where everybody sees it. */
  copyTo(folder: string): void;
}

/** Puts a file system of its own at this path, seen only from a mount namespace that goes with it. */
export async function smallDisk(path: string, mount: string): Promise<SmallDisk> {
  const [program = "", ...args] = unshare;
  const script = `${mount} "$1" && echo ready && exec sleep infinity`;
  const holder = spawn(program, [...args, "sh", "-c", script, "sh", path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(holder, "exit");
  await Promise.race([once(holder.stdout, "data"), exited]);
  if (holder.exitCode !== null) throw new Error(`${mount} failed`);
  const user = unshare.includes("-m") ? [] : ["-U", "--preserve-credentials"];
  const enter = ["nsenter", "-t", String(holder.pid), "-m", ...user];
  const run = (...argv: string[]) => execFileSync("nsenter", [...enter.slice(1), ...argv]);
  return {
    inside: (folder) => [...enter, "sh", "-c", 'cd "$0" && exec "$@"', folder],
    // With a source named as well, `mount` does not repeat the options there were, some of which a user may not set.
    remount: (options) => void run("mount", "-o", `remount,${options}`, "tmpfs", path),
    remove: (name) => void run("rm", "-f", `${path}/${name}`),
    copyTo: (folder) => void run("cp", "-r", `${path}/.`, folder),
    async [Symbol.asyncDispose]() {
      holder.kill("SIGKILL");
      await exited;
    },
  };
}

/** The command that mounts a tmpfs of this size. */
export function tmpfs(size: string): string {
  return `mount -t tmpfs -o size=${size} tmpfs`;
}
