import { existsSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { prepareEvalLog } from "./eval-log.ts";
import { prepareOutputFolder, type ReportName } from "./write-reports.ts";

interface OutputPaths {
  /** Null where no report is written. */
  outputDir: string | null;
  reportName?: ReportName | undefined;
  evalLog: string | null;
}

/**
 * Makes sure that reports and line log can be written, before any work is done. Returns what takes that back, for a run that
 * is refused after all: a mistake leaves nothing behind.
 */
export function prepareOutput({ outputDir, reportName, evalLog }: OutputPaths): () => void {
  const folders = [outputDir, evalLog && dirname(evalLog)].flatMap((path) => missingFolders(path));
  const log = evalLog === null || existsSync(evalLog) ? null : evalLog;
  const takeBack = () => {
    if (log !== null) ifPossible(() => statSync(log).size === 0 && rmSync(log));
    for (const folder of folders.sort((a, b) => b.length - a.length)) ifPossible(() => rmdirSync(folder));
  };
  try {
    if (outputDir !== null) prepareOutputFolder(outputDir, reportName);
    prepareEvalLog(evalLog);
    return takeBack;
  } catch (error) {
    takeBack();
    throw error;
  }
}

/** The folders that would have to be made for this one, itself included. */
function missingFolders(path: string | null): string[] {
  if (path === null || existsSync(path) || dirname(path) === path) return [];
  return [path, ...missingFolders(dirname(path))];
}

/** What was never made, or somebody else has put something into, stays as it is. */
function ifPossible(remove: () => unknown): void {
  try {
    remove();
  } catch {
    // the error that led here is the one to report
  }
}
