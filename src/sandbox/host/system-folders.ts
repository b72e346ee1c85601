import { lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../shared/files/paths.ts";

/** Folders of the system that every skill process is shown: programs and libraries, nothing of a user. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** Whether this path is there inside without being asked for. */
export function isOfSystem(path: string): boolean {
  return systemFolders.some((folder) => isInside(folder, path));
}

/** Whether this path is made up by the kernel: inside it has another meaning, and `/proc/self/root` is the whole machine. */
export function isOfKernel(path: string): boolean {
  if (isInside("/dev/shm", path)) return false;
  return ["/proc", "/sys", "/dev"].some((folder) => isInside(folder, path));
}

/** They are laid out as on this machine, where `/bin` may be a folder of its own or a link into `/usr`. */
export function systemFolderFlags(): readonly string[] {
  flags ??= layoutOf("/");
  return flags;
}

let flags: string[] | null = null;

/** The same for a machine whose files lie here. */
export function layoutOf(root: string): string[] {
  return systemFolders.flatMap((path) => {
    const place = join(root, path);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isSymbolicLink() ? ["--symlink", readlinkSync(place), path] : ["--ro-bind", place, path];
  });
}
