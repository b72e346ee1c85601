import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { findProgram } from "../shared/files/find-program.ts";
import { type MachineFacts, refusingSetting } from "./containment-pieces.ts";
import { probeCpus } from "./probe/call-numbers.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";
import { seccompProgram } from "./seccomp-program.ts";

/** What was tried, and the result. */
export interface Tried extends Pick<MachineFacts, "refusal" | "checks"> {
  found: BubblewrapPieces | null;
  /** What was left of it when the sandbox was up. */
  used: BubblewrapPieces | null;
}

/** The facts about a machine on which something was not proven; gathered only then. */
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

/** The components available for a sandbox. Presence proves nothing; only a probe does. */
export function findBubblewrap(env: NodeJS.ProcessEnv): BubblewrapPieces | null {
  const bwrap = findProgram("bwrap", env);
  if (bwrap === null) return null;
  return { bwrap, prlimit: findProgram("prlimit", env), seccomp: seccompProgram(), disableUserns: true };
}

/** `0.8.0`, or null if unknown. Only queried when something failed, for the report. */
function bubblewrapVersion(bwrap: string): Promise<string | null> {
  return new Promise((done) => {
    execFile(bwrap, ["--version"], { timeout: 5000 }, (_error, stdout) =>
      done(/(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1] ?? null),
    );
  });
}
