import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { findProgram } from "../../shared/files/find-program.ts";
import type { Bind } from "./masks.ts";
import type { Identity } from "./slots.ts";

/**
 * Whether a user without any rights of their own can walk to this file or folder and read it. As root, skill processes
 * run under such a user: what lies below `/root` cannot be shown to them.
 */
export function isReachable(path: string): boolean {
  try {
    const real = realpathSync(path);
    const itself = statSync(real);
    const needed = itself.isDirectory() ? 0o5 : 0o4;
    if ((itself.mode & needed) !== needed) return false;
    for (let folder = dirname(real); ; folder = dirname(folder)) {
      if ((statSync(folder).mode & 0o1) === 0) return false;
      if (folder === dirname(folder)) return true;
    }
  } catch {
    return false;
  }
}

/** The programs by which root shows a path to a user who cannot reach it. */
interface Mounter {
  unshare: string;
  mount: string;
  setpriv: string;
}

/** Mounts each pair of paths, then executes the rest of its arguments. In a mount namespace of its own, invisible to the machine. */
const script = `while [ "$2" != -- ]; do "$1" --bind "$2" "$3" || exit 125; m=$1; shift 3; set -- "$m" "$@"; done
shift 2
exec "$@"`;

/** Null unless we are root, who alone needs it and can do it, or if a program is missing. */
export function findMounter(env: NodeJS.ProcessEnv): Mounter | null {
  if (process.getuid?.() !== 0) return null;
  const [unshare, mount, setpriv] = ["unshare", "mount", "setpriv"].map((name) => findProgram(name, env));
  return unshare && mount && setpriv ? { unshare, mount, setpriv } : null;
}

/** Whether a program can be run inside: its user can reach it, or it can be mounted for them. */
export function programReach(env: NodeJS.ProcessEnv): (path: string) => boolean {
  if (process.getuid?.() !== 0) return () => true;
  const mounter = findMounter(env);
  return (path) => isReachable(path) || (mounter !== null && isMountable(path));
}

/** Whether the path itself is open to everybody, and only a parent folder is not. */
export function isMountable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & 0o5) === 0o5;
}

/** The command as root starts it: first the paths are mounted, then it goes on as the user they are mounted for. */
export function mountedCommand(
  { unshare, mount, setpriv }: Mounter,
  mounts: readonly Bind[],
  { uid, gid }: Identity,
  argv: readonly string[],
): [string, ...string[]] {
  const pairs = mounts.flatMap(({ source, at }) => [source, at]);
  const drop = [setpriv, `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--"];
  return [unshare, "--mount", "--", "/bin/sh", "-c", script, "lend", mount, ...pairs, "--", ...drop, ...argv];
}
