import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type EtcFolder, makeEtcFolder } from "./etc-folder.ts";
import { isReachable } from "./is-reachable.ts";

/** The folder of a run in which its skill processes have their work folders, and the small files they are all shown. */
export interface TempRoot {
  path: string;
  /** What hidden files and folders look like. */
  emptyFile: string;
  emptyFolder: string;
  /** What stands for `/etc`, where hosts can be reached and where they cannot. */
  etc(reachesHosts: boolean): EtcFolder;
  seccomp: string | null;
}

/** Others may walk through it to what is theirs, and see nothing else. */
export function makeTempRoot(seccomp: Uint8Array | null): TempRoot {
  const path = mkdtempSync(join(reachableTempFolder(), "eval-skills-sandbox-"));
  const emptyFolder = join(path, "empty-folder");
  mkdirSync(emptyFolder);
  chmodSync(emptyFolder, 0o555);
  const write = (name: string, content: string | Uint8Array): string => {
    const file = join(path, name);
    writeFileSync(file, content, { flag: "wx" });
    chmodSync(file, 0o444); // whatever our umask says
    return file;
  };
  const etcFolders = new Map<string, EtcFolder>();
  const root: TempRoot = {
    path,
    emptyFolder,
    emptyFile: write("empty-file", ""),
    etc(reachesHosts) {
      const name = reachesHosts ? "etc-with-hosts" : "etc";
      const made = etcFolders.get(name) ?? makeEtcFolder(join(path, name), reachesHosts);
      etcFolders.set(name, made);
      return made;
    },
    seccomp: seccomp === null ? null : write("seccomp", seccomp),
  };
  chmodSync(path, 0o711);
  return root;
}

/** Root may have a temporary folder that no other user can walk to. */
export function reachableTempFolder(): string {
  const usual = resolve(tmpdir()); // TMPDIR may be relative, and the sandbox starts elsewhere
  return process.getuid?.() === 0 && !isReachable(usual) ? "/tmp" : usual;
}
