import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { isInside } from "../../shared/files/paths.ts";
import type { Bind } from "./masks.ts";
import { isReachable } from "./reach.ts";

/** The folder of a run in which its skill processes have their work folders, and the small files they are all shown. */
export interface TempRoot {
  path: string;
  /** The empty file and folder that replace hidden ones. */
  emptyFile: string;
  emptyFolder: string;
  /** The replacements of `/etc`, with and without network access. */
  etc(reachesHosts: boolean): EtcFolder;
  seccomp: string | null;
}

/** Other users may traverse it to their own folders, but not list it. */
export function makeTempRoot(seccomp: Uint8Array | null, granted: readonly string[] = []): TempRoot {
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
      const made = etcFolders.get(name) ?? makeEtcFolder(join(path, name), reachesHosts, granted);
      etcFolders.set(name, made);
      return made;
    },
    seccomp: seccomp === null ? null : write("seccomp", seccomp),
  };
  chmodSync(path, 0o711);
  return root;
}

/** Root may have a temporary folder that no other user can access. */
export function reachableTempFolder(): string {
  const systemDefault = resolve(tmpdir()); // TMPDIR may be relative, and the sandbox starts elsewhere
  return process.getuid?.() === 0 && !isReachable(systemDefault) ? "/tmp" : systemDefault;
}

/** The replacement of `/etc` inside. */
interface EtcFolder {
  /** In order: the folder, then what is mounted over it. */
  binds: readonly Bind[];
}

/** The loader's cache and Debian's links to programs: without them many an interpreter does not start. */
const always = ["ld.so.cache", "localtime", "alternatives"];
/** How hosts are found, and how their certificates are checked. */
const forHosts = [
  ...["resolv.conf", "hosts", "nsswitch.conf", "host.conf", "gai.conf", "services"],
  ...["ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf"],
  ...["pki/tls/certs", "pki/ca-trust/extracted", "ca-certificates/extracted"],
];
/** The only user and group there are. */
const own = {
  passwd: "root:x:0:0::/:/sbin/nologin\nskill:x:65534:65534::/work:/bin/sh\n",
  group: "root:x:0:\nskill:x:65534:\n",
};

/**
 * Makes the little of `/etc` that is shown; never the whole, which holds keys and passwords. Files are copied into one
 * folder, because every mount slows each start down.
 */
function makeEtcFolder(path: string, reachesHosts: boolean, granted: readonly string[]): EtcFolder {
  const binds: Bind[] = [{ source: path, at: "/etc" }];
  mkdirSync(path);
  for (const [name, content] of Object.entries(own)) writeFileSync(join(path, name), content);
  for (const name of [...always, ...(reachesHosts ? forHosts : [])]) {
    const source = shown(join("/etc", name));
    if (source === null) continue;
    mkdirSync(dirname(join(path, name)), { recursive: true });
    if (statSync(source).isDirectory()) {
      mkdirSync(join(path, name), { recursive: true });
      binds.push({ source, at: join("/etc", name) });
    } else copyFileSync(source, join(path, name));
  }
  // What is granted of the real one is mounted later; nothing can be made in here then.
  for (const name of granted.filter((one) => isInside("/etc", one)).map((one) => relative("/etc", one))) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    if (existsSync(join(path, name))) continue;
    if (statSync(join("/etc", name)).isDirectory()) mkdirSync(join(path, name));
    else writeFileSync(join(path, name), "");
  }
  openToAll(path);
  return { binds };
}

/** Whatever our umask says. */
function openToAll(path: string): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o755 : 0o444);
  if (isFolder) for (const name of readdirSync(path)) openToAll(join(path, name));
}

/** Where it really is: `/etc/resolv.conf` is often a link out of `/etc`. Null for what there is not, or is for root alone. */
function shown(path: string): string | null {
  const isThere = process.getuid?.() === 0 ? isReachable(path) : existsSync(path);
  return isThere ? realpathSync(path) : null;
}
