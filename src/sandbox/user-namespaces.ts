import { readProcessFile } from "./host/process-tree.ts";

/** A setting of the machine that forbids what bubblewrap is built on. */
export interface RefusingSetting {
  /** As people know it: `user.max_user_namespaces = 0`. */
  setting: string;
  /** What allows it again until the next start of the machine. */
  fix: string;
}

/** The setting that keeps ordinary users from making namespaces, where one does. */
export function refusingSetting(
  read: (name: string) => string | null = readSetting,
  isRoot = process.getuid?.() === 0,
): RefusingSetting | null {
  for (const { name, refusing, allowing } of settings) {
    if (read(name)?.trim() !== refusing) continue;
    const sudo = isRoot ? "" : "sudo ";
    return { setting: `${name} = ${refusing}`, fix: `${sudo}sysctl -w ${name}=${allowing}` };
  }
  return null;
}

const settings = [
  { name: "user.max_user_namespaces", refusing: "0", allowing: "15000" },
  { name: "kernel.unprivileged_userns_clone", refusing: "0", allowing: "1" },
  { name: "kernel.apparmor_restrict_unprivileged_userns", refusing: "1", allowing: "0" },
];

function readSetting(name: string): string | null {
  return readProcessFile(`/proc/sys/${name.replaceAll(".", "/")}`);
}
