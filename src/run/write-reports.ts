import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../base/make-folder.ts";
import { nearPath } from "../base/near-path.ts";
import { copyWholeFile, writeWholeFile } from "../base/whole-file.ts";
import type { CellReader, Report, Reporter } from "../contract/report.ts";
import { UserError, unwritable } from "../contract/user-error.ts";

const hint = "name a folder you can write to with --output-dir";

/** Makes sure the report folder is there and can be written to, before any work is done for it. */
export function prepareOutputFolder(dir: string): void {
  try {
    makeFolder(dir);
    accessSync(dir, constants.W_OK);
  } catch (error) {
    throw unwritable(dir, error, hint);
  }
}

/** A report in one format and where it goes. */
export interface ReportFile {
  reporter: Reporter;
  /** With the time in its name; never overwritten. */
  dated: string;
  /** A copy whose name stays. */
  stable: string;
}

/** Decides where the reports of a run that ended now will lie. */
export function planReportFiles(
  reporters: readonly Reporter[],
  outputDir: string,
  finishedAt: string,
): ReportFile[] {
  const stamp = finishedAt.replace(/[:.]/g, "-");
  const dated = ({ extension }: Reporter, suffix: string) =>
    join(outputDir, `eval-result-${stamp}${suffix}.${extension}`);
  let suffix = "";
  for (let n = 2; reporters.some((reporter) => existsSync(dated(reporter, suffix))); n++) suffix = `-${n}`;
  return reporters.map((reporter) => ({
    reporter,
    dated: dated(reporter, suffix),
    stable: join(outputDir, `eval-result.${reporter.extension}`),
  }));
}

/** The files as people read them: below the current folder a path reads better from there. */
export function shownFiles(files: readonly ReportFile[], cwd: string): string[] {
  return files.flatMap(({ dated, stable }) => [nearPath(dated, cwd), nearPath(stable, cwd)]);
}

/** Writes every report whole or not at all. */
export function writeReports(report: Report, files: readonly ReportFile[], cellsOf: CellReader): void {
  for (const { reporter, dated, stable } of files) {
    try {
      writeWholeFile(dated, reporter.render(report, cellsOf));
      copyWholeFile(dated, stable);
    } catch (error) {
      throw error instanceof UserError ? error : unwritable(dated, error, hint);
    }
  }
}
