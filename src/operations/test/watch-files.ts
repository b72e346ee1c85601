import { basename } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { leftOutNames } from "../../skills/folder/walk-folder.ts";

/** Folders and files that are being watched. */
export interface FileWatch extends AsyncDisposable {
  /** Whether something changed that was not told yet. */
  isPending(): boolean;
}

export interface WatchOptions {
  /** Absolute paths that are never looked at: what runs write. */
  exclude: readonly string[];
  /** Called with all files that changed, when nothing has changed for a moment. */
  onChange(paths: readonly string[]): void;
  onProblem(words: string): void;
}

/** A burst of changes, such as a checkout or a save in many files, is one. */
const quietMs = 200;

/** Watches folders with everything below them, from when this settles. */
export async function watchFiles(
  paths: readonly string[],
  { exclude, onChange, onProblem }: WatchOptions,
): Promise<FileWatch> {
  const roots = paths.map(realPath);
  const written = exclude.map(realPath);
  const isIgnored = (path: string) =>
    !roots.includes(path) && (isOfNoSkill(path) || written.some((one) => isInside(one, path)));
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | null = null;

  function tell(): void {
    timer = null;
    const all = [...changed].sort();
    changed.clear();
    onChange(all);
  }

  const watcher: FSWatcher = watch(roots, { ignored: isIgnored, ignoreInitial: true });
  watcher.on("all", (event, path) => {
    if (event === "addDir") return; // its files are told
    changed.add(path);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(tell, quietMs);
  });
  watcher.on("error", (error) => onProblem(problemWords(error)));
  await new Promise<void>((ready) => watcher.once("ready", ready));
  return {
    isPending: () => timer !== null,
    async [Symbol.asyncDispose]() {
      if (timer !== null) clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** What belongs to version control, package managers, or an editor that is about to save. */
function isOfNoSkill(path: string): boolean {
  const name = basename(path);
  return leftOutNames.has(name) || /(?:~|\.sw[a-z]|\.tmp|\.log|\.pyc)$|^\.#|^4913$/.test(name);
}

function problemWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ENOSPC"
    ? "the system watches no more of them; raise fs.inotify.max_user_watches"
    : message;
}
