import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { isInside } from "../base/is-inside.ts";

/** Folders of the system that every skill process is shown: programs and libraries, nothing of a user. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

/** Whether this path is there inside without being asked for. */
export function isOfSystem(path: string): boolean {
  return systemFolders.some((folder) => isInside(folder, path));
}

/** They are laid out as on this machine, where `/bin` may be a folder of its own or a link into `/usr`. */
export function systemFolderFlags(): readonly string[] {
  flags ??= systemFolders.flatMap((path) => {
    const found = look(path);
    if (found === null) return [];
    return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  });
  return flags;
}

let flags: string[] | null = null;

function look(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
