import { execFile } from "node:child_process";
import { findProgram } from "../shared/files/find-program.ts";
import type { BubblewrapPieces } from "./sandboxed-launch.ts";
import { seccompProgram } from "./seccomp-program.ts";

/** What a sandbox could be built of here. That it is there proves nothing; only a probe does. */
export function findBubblewrap(env: NodeJS.ProcessEnv): BubblewrapPieces | null {
  const bwrap = findProgram("bwrap", env);
  if (bwrap === null) return null;
  return { bwrap, prlimit: findProgram("prlimit", env), seccomp: seccompProgram(), disableUserns: true };
}

/** `0.8.0`, or null where it does not say. Only asked when something did not work, to say so. */
export function bubblewrapVersion(bwrap: string): Promise<string | null> {
  return new Promise((done) => {
    execFile(bwrap, ["--version"], { timeout: 5000 }, (_error, stdout) =>
      done(/(\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1] ?? null),
    );
  });
}
