import { lstatSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../shared/files/paths.ts";

/** System folders that are visible to every skill process: programs and libraries, no user files. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** Whether this path is visible inside by default. */
export function isSystemPath(path: string): boolean {
  return systemFolders.some((folder) => isInside(folder, path));
}

/** Whether this path is made up by the kernel: inside it has another meaning, and `/proc/self/root` is the whole machine. */
export function isOfKernel(path: string): boolean {
  if (isInside("/dev/shm", path)) return false;
  return ["/proc", "/sys", "/dev"].some((folder) => isInside(folder, path));
}

/** They are laid out as on this machine, where `/bin` may be a folder of its own or a link into `/usr`. */
export function systemFolderFlags(): readonly string[] {
  flags ??= systemLayout("/");
  return flags;
}

let flags: string[] | null = null;

/** The same for a machine whose files are below this folder. */
export function systemLayout(root: string): string[] {
  return systemFolders.flatMap((path) => {
    const hostPath = join(root, path);
    const found = lstatSync(hostPath, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isSymbolicLink()
      ? ["--symlink", readlinkSync(hostPath), path]
      : ["--ro-bind", hostPath, path];
  });
}
