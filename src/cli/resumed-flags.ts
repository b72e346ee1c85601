import type { ReportFormat } from "../contract/report-format.ts";
import { UserError } from "../contract/user-error.ts";

interface Asked {
  formats?: readonly ReportFormat[] | undefined;
  evalLog?: string | null | undefined;
}

/** What was asked for when a run began, as if it had been typed now; what is typed now beats it. */
export function withAsked<Flags extends object>(flags: Flags, { formats, evalLog, ...asked }: Asked): Flags {
  return {
    ...asked,
    ...(formats !== undefined && formats.length > 0 && { format: [...formats] }),
    ...(evalLog !== undefined && { evalLog }),
    ...flags,
  };
}

/** A resumed run does what it was planned to do; a flag that says otherwise is a mistake. */
export function refusePlanFlags<Flags extends object>(
  flags: Flags,
  planFlags: readonly (keyof Flags & string)[],
  named: { what: string; values: readonly string[] } = { what: "", values: [] },
): void {
  const typed = planFlags.find((flag) => flags[flag] !== undefined);
  if (typed === undefined && named.values.length === 0) return;
  const name = typed === undefined ? named.what : flagOf(typed);
  throw new UserError("usage", problemWith(name), {
    hint: "leave it out, or start a new run without --resume",
  });
}

function problemWith(name: string): string {
  return name === "--dry-run"
    ? "a resumed run has been checked already: --dry-run and --resume exclude each other"
    : `${name} would change the plan of a run that is resumed`;
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
