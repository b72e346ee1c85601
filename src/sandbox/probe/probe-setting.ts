import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isInside } from "../../shared/files/paths.ts";
import { namesIn } from "../host/folders.ts";
import type { Bait } from "./bait.ts";

/** The setting of a probe: the bait, and paths as seen from inside. */
export interface ProbeSetting {
  bait: Bait;
  home: HomeBait;
  inside: {
    /** The skill folder. */
    skill: string;
    /** The work folder. */
    work: string;
    temporary: string;
  };
  /** The proxy to listed hosts, as seen from inside; null if there is none. */
  proxyPort: number | null;
  caps: { processes: number; fileBytes: number };
}

/** How it is in a sandbox of bubblewrap. */
export const insideBubblewrap: ProbeSetting["inside"] = { skill: "/skill", work: "/work", temporary: "/tmp" };

/** The user's home folder and something that lies in it. Nothing is written there. */
interface HomeBait {
  folder: string;
  entry: string;
}

/** If the sandbox has a folder of its own at the same path, or the home folder is empty, the bait is used instead. */
export function homeBait(env: NodeJS.ProcessEnv, bait: Pick<Bait, "folder">): HomeBait {
  const folder = resolve(env.HOME ?? homedir());
  const isHostOnly = folder !== "/" && !madeInside.some((path) => isInside(path, folder));
  const entry = isHostOnly ? personalEntry(folder) : undefined;
  return entry === undefined ? { folder: bait.folder, entry: "canary" } : { folder, entry };
}

const madeInside = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev", "/proc", "/tmp", "/work", "/skill"];

/** Not the one that contains Node: programs are always visible inside. */
function personalEntry(home: string): string | undefined {
  const programs = [process.execPath, realpathSync(process.execPath)];
  return namesIn(home)
    .sort()
    .find((name) => {
      const path = join(home, name);
      return existsSync(path) && !programs.some((program) => isInside(path, program));
    });
}
