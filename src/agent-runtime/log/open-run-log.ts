import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Recording } from "../../contract/agent-limits.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { makeFolder } from "../../shared/files/make-folder.ts";
import { redactor } from "../../shared/text/redact.ts";
import { toUserError, unwritable } from "../../shared/user-error.ts";
import { claimRunFolder } from "./claim-run-folder.ts";
import { writeRunLog } from "./write-run-log.ts";

/** Makes the directory of a run, with a name that nobody else has, and opens its log. */
export function openRunLog({
  runsDir,
  recording,
  secrets,
  redact = redactor(secrets),
  clock,
  random,
  hasWorkspace = true,
}: {
  /** Where runs are kept: `.agent/runs`. Made where it is missing. */
  runsDir: string;
  recording: Recording;
  secrets: readonly string[];
  /** Made of the same secrets, for those who open many logs. */
  redact?: (<Value>(value: Value) => Value) | undefined;
  clock: Clock;
  random: () => number;
  /** An imported run has none: nothing is known of its files. */
  hasWorkspace?: boolean;
}): RunLog {
  const root = resolve(runsDir);
  try {
    const runId = claimIn(root, () => claimRunFolder(root, clock.now(), random));
    const dir = join(root, runId);
    mkdirSync(join(dir, "inputs"));
    if (hasWorkspace) mkdirSync(join(dir, "sandbox"));
    return writeRunLog({ runId, dir, recording, secrets, redact, clock });
  } catch (error) {
    if (toUserError(error) !== null) throw error;
    throw unwritable(root, error, "choose another folder with --runs-dir");
  }
}

/** Most often the folder of the runs is there already. */
function claimIn(root: string, claim: () => string): string {
  try {
    return claim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    makeFolder(root);
    return claim();
  }
}
