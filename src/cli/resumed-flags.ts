import { resolve } from "node:path";
import type { ReportFormat } from "../contract/report-format.ts";
import { UserError } from "../contract/user-error.ts";
import { type ConfigSources, loadConfig } from "../spec/load-config.ts";
import type { CommandIo } from "./command-io.ts";

interface Asked {
  formats?: readonly ReportFormat[] | undefined;
  evalLog?: string | null | undefined;
}

export interface Resumption<Flags> {
  /** Flags that decide the cells of a run or how they end. */
  planFlags: readonly (keyof Flags & string)[];
  /** What stands on the command line without a flag, and decides them too. */
  named?: { what: string; values: readonly string[] };
  /** The part of the configuration that was typed. */
  config: ConfigSources["flags"];
  toResume(runId: string | null, storePath: string): Promise<{ runId: string; asked: Asked }>;
}

/** What was typed, for the run that `--resume` means: it does what it was planned to do, and asks for the same around its cells. */
export async function resumedFlags<Flags extends { resume?: string | true; rescore?: string }>(
  flags: Flags,
  { planFlags, named, config: typed, toResume }: Resumption<Flags>,
  io: CommandIo,
): Promise<Flags> {
  const how = flags.rescore === undefined ? resuming : rescoring;
  refusePlanFlags(flags, planFlags, named, how);
  const { config } = await loadConfig({ ...io, flags: typed });
  if (flags.rescore !== undefined && flags.resume !== undefined)
    throw new UserError("usage", "--rescore and --resume exclude each other");
  const wanted = flags.rescore ?? (typeof flags.resume === "string" ? flags.resume : null);
  const { runId, asked } = await toResume(wanted, resolve(io.cwd, config.store));
  return {
    ...withAsked(flags, asked),
    ...(flags.rescore === undefined ? { resume: runId } : { rescore: runId }),
  };
}

/** What was asked for when a run began, as if it had been typed now; what is typed now beats it. */
function withAsked<Flags extends object>(flags: Flags, { formats, evalLog, ...asked }: Asked): Flags {
  return {
    ...asked,
    ...(formats !== undefined && formats.length > 0 && { format: [...formats] }),
    ...(evalLog !== undefined && { evalLog }),
    ...flags,
  };
}

/** A resumed run does what it was planned to do; a flag that says otherwise is a mistake. */
function refusePlanFlags<Flags extends object>(
  flags: Flags,
  planFlags: readonly (keyof Flags & string)[],
  named: { what: string; values: readonly string[] } = { what: "", values: [] },
  how: Taking = resuming,
): void {
  const typed = planFlags.find((flag) => flags[flag] !== undefined);
  if (typed === undefined && named.values.length === 0) return;
  const name = typed === undefined ? named.what : flagOf(typed);
  throw new UserError("usage", problemWith(name, how), {
    hint: `leave it out, or start a new run without ${how.flag}`,
  });
}

/** How an old run is taken up. */
interface Taking {
  flag: string;
  done: string;
}
const resuming: Taking = { flag: "--resume", done: "resumed" };
const rescoring: Taking = { flag: "--rescore", done: "rescored" };

function problemWith(name: string, { flag, done }: Taking): string {
  return name === "--dry-run"
    ? `a ${done} run has been checked already: --dry-run and ${flag} exclude each other`
    : `${name} would change the plan of a run that is ${done}`;
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
