import { lstatSync } from "node:fs";
import { type MemoryDisk, workFolderBytes } from "./disk-meter.ts";
import type { Bind } from "./host/masks.ts";
import { systemFolderFlags } from "./host/system-folders.ts";
import type { TempRoot } from "./host/temp-root.ts";
import type { View } from "./view.ts";

/** The options of one start; everything else about the sandbox is the same for all. */
export interface BubblewrapOptions {
  view: View;
  tempRoot: TempRoot;
  /** What is shown as the work folder; null: a disk in memory, its own and empty. */
  workFolder: string | null;
  /** The path inside the sandbox. */
  cwd: string;
  /** Variables in addition to those of bubblewrap itself. */
  variables: readonly (readonly [name: string, value: string])[];
  /** Whether the machine's network is shared. */
  isNetworkOpen: boolean;
  /** Whether hosts can be reached at all, if only through a proxy: their certificates are checked inside. */
  reachesHosts: boolean;
  disableUserns: boolean;
  /** Further mounts that a start needs. */
  extraBinds: readonly Bind[];
}

/** The descriptors bubblewrap is handed, by the numbers that its flags name. */
export const descriptors = { seccomp: 3, flags: 4, status: 5 } as const;

/** The path inside the sandbox where a process may write. */
export const workPath = "/work";

/** The disks in memory that a process may fill. The kernel holds them to their size, whatever a process makes of them. */
const temporaryDisks = [
  { at: "/dev/shm", bytes: 67_108_864, endsWhenFull: false },
  { at: "/tmp", bytes: 67_108_864, endsWhenFull: false },
] as const satisfies readonly MemoryDisk[];
const workDisk = { at: workPath, bytes: workFolderBytes, endsWhenFull: true } as const satisfies MemoryDisk;
export const memoryDisks: readonly MemoryDisk[] = [...temporaryDisks, workDisk];

/** The flags of bubblewrap for one skill process. Order matters: later mounts cover earlier ones. */
export function bubblewrapFlags(options: BubblewrapOptions): string[] {
  const { view, tempRoot } = options;
  return [
    "--unshare-all",
    ...(options.isNetworkOpen ? ["--share-net"] : []),
    // Explicitly, since --unshare-all would go on without it.
    "--unshare-user",
    ...(options.disableUserns ? ["--disable-userns"] : []),
    ...["--die-with-parent", "--new-session", "--hostname", "cell"],
    ...["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"],
    ...systemFolderFlags(),
    ...tempRoot.etc(options.reachesHosts).binds.flatMap(({ source, at }) => readOnly(source, at)),
    // The real `/dev/zero` can be mapped as shared memory, which nobody counts; `/dev/full` reads the same.
    ...["--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/full", "/dev/zero"],
    ...temporaryDisks.flatMap(memoryDisk),
    // First, since what is shown at its own path may lie below `/work` on this machine.
    ...(options.workFolder === null ? memoryDisk(workDisk) : ["--bind", options.workFolder, workPath]),
    ...view.binds.flatMap(({ source, at }) => readOnly(source, at)),
    ...view.masks
      .filter(({ source }) => lstatSync(source, { throwIfNoEntry: false }) !== undefined)
      .flatMap(({ isFolder, at }) => readOnly(isFolder ? tempRoot.emptyFolder : tempRoot.emptyFile, at)),
    ...view.links.flatMap(({ at, target }) => ["--symlink", target, at]),
    ...options.extraBinds.flatMap(({ source, at }) => readOnly(source, at)),
    ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ...["--chdir", options.cwd],
    ...options.variables.flatMap(([name, value]) => ["--setenv", name, value]),
    ...(tempRoot.seccomp === null ? [] : ["--seccomp", `${descriptors.seccomp}`]),
    ...["--json-status-fd", `${descriptors.status}`],
  ];
}

const memoryDisk = ({ at, bytes }: MemoryDisk) => ["--size", `${bytes}`, "--tmpfs", at];
const readOnly = (source: string, at: string) => ["--ro-bind", source, at];
