import { isAbsolute, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { flagName, type OptionRow, type OptionTable } from "../contract/option-table.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import { shellWord } from "../shared/text/command-line.ts";
import { UserError } from "../shared/user-error.ts";

/** The options a stored run was started with. */
export interface StoredOptions {
  runId: string;
  /** The folder it was started in. */
  cwd: string;
  options: Readonly<Record<string, unknown>>;
}

export interface ResumedBy {
  /** The command line before the options: `eval-skills eval --resume <id>`. */
  command: string;
  /** Whether the answers are only scored again: then no weaker containment is needed, and none is taken from the store. */
  isRescore: boolean;
  /** The folder relative paths that were typed count from. */
  cwd: string;
  /** Real folders that a stored run may name: the project, and where its store is. */
  folders: readonly string[];
}

/**
 * The options of an earlier run with those that were typed now. A store is a file of the working tree: what only a person
 * may say must be typed again, as it was. What was not typed before would change the plan and is refused.
 */
export function resumedOptions(
  table: OptionTable,
  typed: Readonly<Record<string, unknown>>,
  stored: StoredOptions,
  by: ResumedBy,
): Record<string, unknown> {
  refuseChanges(table, typed, stored, by, (name) => !isContainment(name));
  if (leaves(stored.cwd, by.folders))
    throw new UserError("usage", `run ${stored.runId} was started in ${stored.cwd}`, {
      hint: "resume it in that folder",
    });
  const known = Object.entries(table).filter(
    ([name, row]) => row.scope !== undefined && !(by.isRescore && isContainment(name)),
  );
  const words = Object.fromEntries(
    known.flatMap(([name]) => (name in stored.options ? [[name, stored.options[name]]] : [])),
  );
  const missing = onlyTyped(Object.fromEntries(known), words, { ...stored, folders: by.folders }).filter(
    ([name]) => typed[name] === undefined,
  );
  if (missing.length === 0) return { ...words, ...typed };
  const again = missing.map(([, text]) => text).join(" ");
  throw new UserError("usage", `run ${stored.runId} was started with ${again}, which must be given again`, {
    hint: `if you mean it: ${by.command} ${again}`,
  });
}

/** The options that must be typed again where a run with them is resumed: the name of each, and its words. */
export function onlyTyped(
  table: OptionTable,
  options: Readonly<Record<string, unknown>>,
  { cwd, folders }: { cwd: string; folders: readonly string[] },
): [string, string][] {
  return Object.entries(table).flatMap(([name, row]) => {
    if (row.scope === undefined || !mustBeTyped(row, options[name], cwd, folders)) return [];
    const values = [options[name]].flat().map((value) => shellWord(String(value)));
    return [[name, [...(row.flag.startsWith("-") ? [flagName(row)] : []), ...values].join(" ")]];
  });
}

/** Options of containment: another one is refused unless it requires more. */
export const isContainment = (name: string) => ["sandbox", "network", "allowNetwork"].includes(name);

/** An earlier run keeps its plan: what is typed again must be what was typed then. */
export function refuseChanges(
  table: OptionTable,
  typed: Readonly<Record<string, unknown>>,
  { options, cwd }: StoredOptions,
  by: ResumedBy,
  isChecked: (name: string) => boolean,
): void {
  const changed = Object.entries(table).find(
    ([name, row]) =>
      row.scope === "plan" &&
      typed[name] !== undefined &&
      isChecked(name) &&
      !isSame(withPaths(typed[name], by.cwd), withPaths(options[name], cwd)),
  );
  if (changed === undefined) return;
  const flag = by.isRescore ? "--rescore" : "--resume";
  throw new UserError(
    "usage",
    `${flagName(changed[1])} cannot be used with ${flag}: it would change the plan of the run`,
    { hint: `omit it, or start a new run without ${flag}` },
  );
}

const isSame = isDeepStrictEqual;

/** Texts as the paths they may be, so that the same file is the same from everywhere. */
function withPaths(value: unknown, cwd: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withPaths(one, cwd));
  return typeof value === "string" ? resolve(cwd, value) : value;
}

function mustBeTyped(
  { onlyTyped }: OptionRow,
  value: unknown,
  cwd: string,
  folders: readonly string[],
): boolean {
  const texts = [value].flat().filter((one) => typeof one === "string");
  if (onlyTyped === true) return texts.length > 0;
  if (texts.some((text) => onlyTyped?.includes(text))) return true;
  // A path need not be declared as one: whatever would lead out counts.
  return texts.some((text) => leaves(resolve(cwd, text.slice(text.indexOf("=") + 1)), folders));
}

function leaves(path: string, folders: readonly string[]): boolean {
  return !isAbsolute(path) || !folders.some((folder) => isInside(folder, realPath(path)));
}
