import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Format, reportFormats } from "../contract/format.ts";
import { loadFormats } from "../report/formats/load-formats.ts";
import { type Disk, realDisk } from "../shared/files/disk.ts";
import { makeFolder, nearPath } from "../shared/files/paths.ts";
import { clearUnfinished, copyWholeFile, writeWholeFile } from "../shared/files/whole-file.ts";
import { UserError, unwritable } from "../shared/user-error.ts";

const hint = "name a folder you can write to with --output-dir";

/** The prefix of the file names of a command. */
export type ReportName =
  | "test-result"
  | "eval-result"
  | "trigger-result"
  | "agent-result"
  | "planbench-result";

/** Makes sure the report folder exists and can be written to, before any work is done. */
export function prepareOutputFolder(dir: string, namePrefix: ReportName = "eval-result"): void {
  try {
    makeFolder(dir);
    accessSync(dir, constants.W_OK);
    clearUnfinished(dir, namePrefix);
  } catch (error) {
    throw unwritable(dir, error, hint);
  }
}

/** A report in one format and where it goes. */
export interface ReportFile {
  format: Format;
  /** With the time in its name; never overwritten. */
  dated: string;
  /** A copy whose name stays. */
  stable: string;
}

/** Where reports will be written. The names are reserved until this is disposed of. */
export interface PlannedReportFiles extends Disposable {
  files: ReportFile[];
}

/** Chooses and reserves the file names of the reports of a run. */
export function planReportFiles(
  formats: readonly Format[],
  { outputDir, namePrefix }: { outputDir: string; namePrefix: ReportName },
  finishedAt: string,
  disk: Disk = realDisk,
): PlannedReportFiles {
  if (formats.length === 0) return { files: [], [Symbol.dispose]: () => {} };
  const stamp = finishedAt.replace(/[:.]/g, "-");
  for (let n = 1; ; n++) {
    const name = `${namePrefix}-${stamp}${n === 1 ? "" : `-${n}`}`;
    const files = formats.map((format) => ({
      format,
      dated: join(outputDir, `${name}.${format.extension}`),
      stable: join(outputDir, `${namePrefix}.${format.extension}`),
    }));
    const reserved = reserve(join(outputDir, `.${name}.tmp`), disk);
    if (reserved === null) continue;
    // Checked after reserving: whoever reserved the name before has written its files by then.
    if (!files.some(({ dated }) => existsSync(dated))) return { files, ...reserved };
    reserved[Symbol.dispose]();
  }
}

/** Two runs may end in the same millisecond; the one that can create this file gets the name. */
function reserve(path: string, disk: Disk): Disposable | null {
  let file: number;
  try {
    file = disk.open(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw unwritable(path, error, hint);
  }
  return {
    [Symbol.dispose]() {
      try {
        disk.close(file);
        disk.remove(path);
      } catch {
        // a later run removes it; the reports are written
      }
    },
  };
}

/** The paths as shown to users: relative where they are below the current folder. */
export function shownFiles(files: readonly ReportFile[], cwd: string): string[] {
  return files.flatMap(({ dated, stable }) => [nearPath(dated, cwd), nearPath(stable, cwd)]);
}

/** Writes every report whole or not at all. */
export function writeReports(
  files: readonly ReportFile[],
  render: (format: Format) => Iterable<string>,
  disk: Disk = realDisk,
): void {
  for (const { format, dated, stable } of files) {
    tryTo(dated, () => writeWholeFile(dated, unwrapped(render(format)), { disk }));
    tryTo(stable, () => copyWholeFile(dated, stable, disk));
  }
}

/** An error while rendering is our own bug, which another folder would not help against. */
function* unwrapped(pieces: Iterable<string>): Generator<string> {
  try {
    yield* pieces;
  } catch (error) {
    ownFaults.add(error as object);
    throw error;
  }
}
const ownFaults = new WeakSet<object>();

/**
 * Removes the stable copies of an earlier run in formats that this run did not write, so that no old page is next to a new
 * document. Best effort: files that are not certainly ours stay, and so do those that cannot be removed.
 */
export async function removeStaleCopies(
  written: readonly ReportFile[],
  disk: Disk = realDisk,
): Promise<void> {
  const [first] = written;
  if (first === undefined) return;
  const folder = dirname(first.stable);
  const namePrefix = basename(first.stable, `.${first.format.extension}`);
  const ours = new Set(written.map(({ stable }) => basename(stable)));
  const names = readdirSync(folder);
  // Usually there is nothing else, and no other format needs to be loaded.
  if (names.every((name) => ours.has(name) || !name.startsWith(`${namePrefix}.`))) return;
  for (const { extension } of await loadFormats(reportFormats)) {
    const stable = `${namePrefix}.${extension}`;
    if (ours.has(stable)) continue;
    const dated = names.filter((name) => isDated(name, namePrefix, extension));
    removeIfCopy(
      join(folder, stable),
      dated.map((name) => join(folder, name)),
      disk,
    );
  }
}

function removeIfCopy(path: string, dated: readonly string[], disk: Disk): void {
  try {
    if (isCopy(path, dated)) disk.remove(path);
  } catch {
    // the reports of this run are written; what is left of others is for the user to remove
  }
}

/** Whether a name is one that `planReportFiles` gives. */
function isDated(name: string, namePrefix: string, extension: string): boolean {
  if (!name.startsWith(`${namePrefix}-`) || !name.endsWith(`.${extension}`)) return false;
  const stamp = name.slice(namePrefix.length + 1, -extension.length - 1);
  return /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(-\d+)?$/.test(stamp);
}

/** Whether a file has the same bytes as one of these: a file of the user that only has our name has not. */
function isCopy(path: string, dated: readonly string[]): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return false;
  return dated.some((one) => {
    const other = lstatSync(one);
    return other.isFile() && other.size === found.size && haveSameBytes(path, one);
  });
}

function tryTo(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const isOurs = error instanceof UserError || ownFaults.has(error as object);
    throw isOurs ? error : unwritable(path, error, hint);
  }
}

const chunkSize = 1 << 16;

/** Whether two files hold the same, read side by side so that neither has to fit in memory. */
function haveSameBytes(a: string, b: string): boolean {
  using first = openChunks(a);
  using second = openChunks(b);
  for (;;) {
    const [left, right] = [first.next(), second.next()];
    if (!left.equals(right)) return false;
    if (left.length === 0) return true;
  }
}

function openChunks(path: string): Disposable & { next(): Buffer } {
  const file = openSync(path, "r");
  const chunk = Buffer.alloc(chunkSize);
  return {
    next() {
      let filled = 0;
      // A read may give less than there is.
      for (let count = -1; count !== 0 && filled < chunkSize; filled += count)
        count = readSync(file, chunk, filled, chunkSize - filled, null);
      return chunk.subarray(0, filled);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}
