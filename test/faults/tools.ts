import { spawnSync } from "node:child_process";
import { test } from "vitest";

/** Something the slow half of the fault matrix needs and a machine may lack. */
interface Tool {
  what: string;
  /** The rows of the matrix whose full form is skipped without it. */
  rows: readonly number[];
  install: string;
  isThere: () => boolean;
}

const isRoot = process.getuid?.() === 0;

/** How a mount namespace of one's own is made here: root needs no user namespace for it, and containers often forbid those. */
export const unshare: readonly string[] = isRoot ? ["unshare", "-m"] : ["unshare", "-Urm"];

export const tools = {
  strace: {
    what: "strace, allowed to trace",
    rows: [4],
    install: "apt-get install strace",
    isThere: () => works("strace", "-o", "/dev/null", "true"),
  },
  smallDisk: {
    what: "a tmpfs in a mount namespace of our own",
    rows: [3, 6],
    install: "run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)",
    isThere: () => works(...unshare, "mount", "-t", "tmpfs", "tmpfs", "/mnt"),
  },
  loopDisk: {
    what: "a loop device with ext4",
    rows: [3],
    install: "run as root on a machine with loop devices; apt-get install e2fsprogs",
    isThere: () => isRoot && works("losetup", "-f") && works("mkfs.ext4", "-V"),
  },
  prlimit: {
    what: "prlimit",
    rows: [6],
    install: "apt-get install util-linux",
    isThere: () => works("prlimit", "--version"),
  },
  faketime: {
    what: "libfaketime",
    rows: [48],
    install: "apt-get install faketime",
    isThere: () => works("faketime", "-f", "+1h", "true"),
  },
  rootWithBubblewrap: {
    what: "root and bubblewrap",
    rows: [14],
    install: "run as root; apt-get install bubblewrap",
    isThere: () => isRoot && works("bwrap", "--version"),
  },
  python: {
    what: "Python 3",
    rows: [14, 15, 16],
    install: "apt-get install python3",
    isThere: () => works("python3", "--version"),
  },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

/** A test that is skipped where one of these tools is missing; what is missing is said when the suite starts. */
export function testWith(...names: readonly ToolName[]): typeof test | typeof test.skip {
  return names.every((name) => isThere(name)) ? test : test.skip;
}

const looked = new Map<ToolName, boolean>();

export function isThere(name: ToolName): boolean {
  const found = looked.get(name) ?? tools[name].isThere();
  looked.set(name, found);
  return found;
}

/** The library that moves the clock of the program it is loaded into. */
export function faketimeLibrary(): string {
  if (!isThere("faketime")) return "";
  return spawnSync("faketime", ["-f", "+0", "printenv", "LD_PRELOAD"], { encoding: "utf8" }).stdout.trim();
}

function works(...argv: readonly string[]): boolean {
  const [program = "", ...args] = argv;
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
