import { lstatSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Containment } from "../../contract/containment.ts";
import { sandboxLevels } from "../../contract/limits.ts";
import { makeFolder } from "../../shared/files/paths.ts";
import { writeWholeFile } from "../../shared/files/whole-file.ts";

const LastContainment = z.object({
  version: z.literal(1),
  /** By machine and user, the latest last: a home folder may be shared. */
  machines: z.array(z.object({ name: z.string(), level: z.enum(sandboxLevels) })),
});
type Machines = z.infer<typeof LastContainment>["machines"];

const machinesKept = 50;

/** Where the level of the last run on each machine is stored: in the user's own folder, outside every project. */
export function lastContainmentFile(home: string): string {
  return join(home, ".eval-skills", "containment.json");
}

/**
 * Compares the level that was proven for this run with that of the last run on this machine, and stores it for the next.
 * Returns a warning where it is weaker. A level that was typed rather than proven says nothing about the machine.
 */
export function compareContainment(
  home: string,
  { level, hint }: Containment,
  machine = `${hostname()} ${process.getuid?.() ?? 0}`,
): string | null {
  if (hint === undefined) return null;
  const machines = readMachines(home);
  const last = machines.find(({ name }) => name === machine)?.level;
  if (last === level) return null;
  const others = machines.filter(({ name }) => name !== machine);
  storeMachines(home, [...others, { name: machine, level }].slice(-machinesKept));
  if (last === undefined || sandboxLevels.indexOf(level) < sandboxLevels.indexOf(last)) return null;
  const why = hint === null ? "" : ` (${hint})`;
  return `CONTAINMENT IS WEAKER THAN BEFORE: the last run on this machine had ${last}, this one has ${level}${why}; --sandbox ${last} refuses to run with less`;
}

function readMachines(home: string): Machines {
  try {
    return LastContainment.parse(JSON.parse(readFileSync(lastContainmentFile(home), "utf8"))).machines;
  } catch {
    return []; // There is none yet, or none that can be read: then nothing is known.
  }
}

/** A home that cannot be written to is no reason to fail, or to warn with every run. */
function storeMachines(home: string, machines: Machines): void {
  const path = lastContainmentFile(home);
  try {
    makeFolder(join(home, ".eval-skills"), 0o700);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
    writeWholeFile(path, `${JSON.stringify({ version: 1, machines }, null, 2)}\n`, { mode: 0o600 });
  } catch {
    // The next run compares with what was stored before.
  }
}
