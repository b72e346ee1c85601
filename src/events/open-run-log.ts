import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Clock, isoTime } from "../base/clock.ts";
import { makeFolder } from "../base/make-folder.ts";
import { redactor } from "../base/redact.ts";
import type { Recording } from "../contract/agent-limits.ts";
import type { RunLog } from "../contract/agent-log.ts";
import { UserError, unwritable } from "../contract/user-error.ts";
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
    makeFolder(root);
    const runId = claimFolder(root, clock.now(), random);
    const dir = join(root, runId);
    mkdirSync(join(dir, "inputs"));
    if (hasWorkspace) mkdirSync(join(dir, "sandbox"));
    return writeRunLog({ runId, dir, recording, secrets, redact, clock });
  } catch (error) {
    if (error instanceof UserError || "EMFILE ENFILE".includes(codeOf(error))) throw error;
    throw unwritable(root, error, "choose another folder with --runs-dir");
  }
}

/** `YYYYMMDD_HHMMSS_<4 hex>` in UTC. The folder is the claim: of all who draw the same name, one can make it. */
function claimFolder(root: string, now: number, random: () => number): string {
  const time = isoTime(now).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_");
  for (let draw = 0; draw < draws + names; draw++) {
    // A chance that always falls alike, as in tests, must not draw for ever: then the names are tried in turn.
    const number = draw < draws ? Math.floor(random() * names) % names : draw - draws;
    const runId = `${time}_${number.toString(16).padStart(4, "0")}`;
    try {
      mkdirSync(join(root, runId));
      return runId;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  throw new Error(`${names} runs began in one second`);
}

const names = 0x10000;
const draws = 32;

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}
