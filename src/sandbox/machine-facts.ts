import { readFileSync } from "node:fs";
import { findProgram } from "../shared/files/find-program.ts";
import type { MachineFacts } from "./containment-pieces.ts";
import { bubblewrapVersion } from "./find-bubblewrap.ts";
import { probeCpus } from "./probe/call-numbers.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";
import { refusingSetting } from "./user-namespaces.ts";

/** What was tried, and what came of it. */
export interface Tried extends Pick<MachineFacts, "refusal" | "checks"> {
  found: BubblewrapPieces | null;
  /** What was left of it when the sandbox was up. */
  used: BubblewrapPieces | null;
}

/** What there is to say about a machine on which something was not proven; gathered only then. */
export async function machineFacts(
  env: NodeJS.ProcessEnv,
  { found, used, refusal, checks }: Tried,
): Promise<MachineFacts> {
  return {
    platform: process.platform,
    cpu: { name: process.arch, isKnown: probeCpus.some((name) => name === process.arch) },
    osRelease: osRelease(),
    isRoot: process.getuid?.() === 0,
    bubblewrap: {
      isFound: found !== null,
      version: found === null ? null : await bubblewrapVersion(found.bwrap),
    },
    isFilterRefused: found !== null && found.seccomp !== null && used?.seccomp === null,
    hasPrlimit: found === null ? findProgram("prlimit", env) !== null : found.prlimit !== null,
    refusingSetting: refusingSetting(),
    refusal,
    checks,
  };
}

function osRelease(): string {
  for (const path of ["/etc/os-release", "/usr/lib/os-release"]) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      // The other one, or nothing is known.
    }
  }
  return "";
}
