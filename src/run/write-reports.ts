import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { type Disk, realDisk } from "../base/disk.ts";
import { makeFolder } from "../base/make-folder.ts";
import { nearPath } from "../base/near-path.ts";
import { clearUnfinished, copyWholeFile, writeWholeFile } from "../base/whole-file.ts";
import type { Reporter } from "../contract/report.ts";
import { UserError, unwritable } from "../contract/user-error.ts";

const hint = "name a folder you can write to with --output-dir";

/** How the names of the files of a command begin. */
export type ReportName = "eval-result" | "trigger-result" | "agent-result" | "planbench-result";

/** Makes sure the report folder is there and can be written to, before any work is done for it. */
export function prepareOutputFolder(dir: string, namesBegin: ReportName = "eval-result"): void {
  try {
    makeFolder(dir);
    accessSync(dir, constants.W_OK);
    clearUnfinished(dir, namesBegin);
  } catch (error) {
    throw unwritable(dir, error, hint);
  }
}

/** A report in one format and where it goes. */
export interface ReportFile<Written extends Format = Format> {
  reporter: Written;
  /** With the time in its name; never overwritten. */
  dated: string;
  /** A copy whose name stays. */
  stable: string;
}

/** What a reporter of any command tells of itself. */
type Format = Pick<Reporter, "format" | "extension">;

/** Where reports will lie; nobody else writes there until this is disposed of. */
export interface ReportPlaces<Written extends Format> extends Disposable {
  files: ReportFile<Written>[];
}

/** Decides where the reports of a run that ended now will lie. */
export function planReportFiles<Written extends Format>(
  reporters: readonly Written[],
  { outputDir, namesBegin }: { outputDir: string; namesBegin: ReportName },
  finishedAt: string,
  disk: Disk = realDisk,
): ReportPlaces<Written> {
  if (reporters.length === 0) return { files: [], [Symbol.dispose]: () => {} };
  const stamp = finishedAt.replace(/[:.]/g, "-");
  for (let n = 1; ; n++) {
    const name = `${namesBegin}-${stamp}${n === 1 ? "" : `-${n}`}`;
    const files = reporters.map((reporter) => ({
      reporter,
      dated: join(outputDir, `${name}.${reporter.extension}`),
      stable: join(outputDir, `${namesBegin}.${reporter.extension}`),
    }));
    const reserved = reserve(join(outputDir, `.${name}.tmp`), disk);
    if (reserved === null) continue;
    // Looked at only now: whoever had the name before us has written under it by the time it gives it back.
    if (!files.some(({ dated }) => existsSync(dated))) return { files, ...reserved };
    reserved[Symbol.dispose]();
  }
}

/** Two runs may end in the same millisecond; a file that only one of them can make decides whose the name is. */
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
        // it is cleared by a later run; the reports are what counts
      }
    },
  };
}

/** The files as people read them: below the current folder a path reads better from there. */
export function shownFiles(files: readonly ReportFile[], cwd: string): string[] {
  return files.flatMap(({ dated, stable }) => [nearPath(dated, cwd), nearPath(stable, cwd)]);
}

/** Writes every report whole or not at all. */
export function writeReports<Written extends Format>(
  files: readonly ReportFile<Written>[],
  render: (reporter: Written) => Iterable<string>,
  disk: Disk = realDisk,
): void {
  for (const { reporter, dated, stable } of files) {
    tryTo(dated, () => writeWholeFile(dated, render(reporter), { disk }));
    tryTo(stable, () => copyWholeFile(dated, stable, disk));
  }
}

function tryTo(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw error instanceof UserError ? error : unwritable(path, error, hint);
  }
}
