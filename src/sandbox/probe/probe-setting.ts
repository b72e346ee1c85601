import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isInside } from "../../shared/files/paths.ts";
import { namesIn } from "../host/folders.ts";
import type { Bait } from "./bait.ts";

/** What a probe is made for: the bait, and where things are as seen from inside. */
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
  /** Where inside the way to listed hosts begins; null where there is none. */
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

/** Where a sandbox has a folder of its own at the same path, or nothing lies there, other files of the user stand in. */
export function homeBait(env: NodeJS.ProcessEnv, bait: Pick<Bait, "folder">): HomeBait {
  const folder = resolve(env.HOME ?? homedir());
  const isUsual = folder !== "/" && !madeInside.some((place) => isInside(place, folder));
  const entry = isUsual ? personalEntry(folder) : undefined;
  return entry === undefined ? { folder: bait.folder, entry: "canary" } : { folder, entry };
}

const madeInside = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/dev", "/proc", "/tmp", "/work", "/skill"];

/** Not the one that leads to Node: programs are shown inside, wherever they lie. */
function personalEntry(home: string): string | undefined {
  const programs = [process.execPath, realpathSync(process.execPath)];
  return namesIn(home)
    .sort()
    .find((name) => {
      const path = join(home, name);
      return existsSync(path) && !programs.some((program) => isInside(path, program));
    });
}
