import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunLog } from "../../contract/agent-log.ts";
import type { Recording } from "../../contract/limits.ts";
import { type Clock, isoTime } from "../../shared/async/clock.ts";
import { makeFolder } from "../../shared/files/paths.ts";
import { redactor } from "../../shared/text/redact.ts";
import { toUserError, unwritable } from "../../shared/user-error.ts";
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
  /** Where runs are stored: `.agent/runs`. Created if it is missing. */
  runsDir: string;
  recording: Recording;
  secrets: readonly string[];
  /** Built from the same secrets; shared by callers that open many logs. */
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

/**
 * Makes a folder that nobody else has, and gives its name: `YYYYMMDD_HHMMSS_<4 hex>` in UTC. The folder is the claim: of all who
 * draw the same name, one can make it.
 */
export function claimRunFolder(root: string, now: number, random: () => number): string {
  const time = isoTime(now).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
  for (let draw = 0; draw < draws + names; draw++) {
    // A random source that always returns the same value, as in tests, must not loop forever: names are then tried in turn.
    const number = draw < draws ? Math.floor(random() * names) % names : draw - draws;
    const runId = `${time}_${number.toString(16).padStart(4, "0")}`;
    try {
      mkdirSync(join(root, runId));
      return runId;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new Error(`${names} runs began in one second`);
}

const names = 0x10000;
const draws = 16;
