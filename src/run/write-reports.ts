import { accessSync, constants, existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { makeFolder } from "../base/make-folder.ts";
import { copyWholeFile, writeWholeFile } from "../base/whole-file.ts";
import type { CellReader, Report, Reporter } from "../contract/report.ts";
import { UserError, unwritable } from "../contract/user-error.ts";
import { jsonReporter } from "../reporters/json.ts";
import { markdownReporter } from "../reporters/markdown.ts";

const hint = "name a folder you can write to with --output-dir";
const reporters: readonly Reporter[] = [jsonReporter, markdownReporter];

/** The reporters for these formats; a format this version cannot write is an error before anything runs. */
export function reportersFor(formats: readonly string[]): Reporter[] {
  return [...new Set(formats)].map((format) => {
    const reporter = reporters.find((known) => known.format === format);
    if (reporter !== undefined) return reporter;
    throw new UserError("usage", `this version cannot write ${format} reports`, {
      hint: `it can write ${reporters.map((known) => known.format).join(" and ")}`,
    });
  });
}

/** Makes sure the report folder is there and can be written to, before any work is done for it. */
export function prepareOutputFolder(dir: string): void {
  try {
    makeFolder(dir);
    accessSync(dir, constants.W_OK);
  } catch (error) {
    throw unwritable(dir, error, hint);
  }
}

/** The files a report will have: one with the time in its name, and a copy whose name stays. */
export function reportFiles(
  reporters: readonly Reporter[],
  { outputDir, finishedAt, cwd }: FilesPlan,
): string[] {
  const stamp = finishedAt.replace(/[:.]/g, "-");
  const taken = (suffix: string) =>
    reporters.some(({ extension }) =>
      existsSync(join(outputDir, `eval-result-${stamp}${suffix}.${extension}`)),
    );
  let suffix = "";
  for (let n = 2; taken(suffix); n++) suffix = `-${n}`;
  return reporters
    .flatMap(({ extension }) => [`eval-result-${stamp}${suffix}.${extension}`, `eval-result.${extension}`])
    .map((name) => shown(join(outputDir, name), cwd));
}

export interface FilesPlan {
  outputDir: string;
  finishedAt: string;
  cwd: string;
}

/** Writes every report whole or not at all. */
export function writeReports(
  report: Report,
  reporters: readonly Reporter[],
  cellsOf: CellReader,
  cwd: string,
): void {
  for (const [index, reporter] of reporters.entries()) {
    const [dated, stable] = report.files.slice(index * 2, index * 2 + 2).map((file) => resolve(cwd, file));
    if (dated === undefined || stable === undefined) continue;
    try {
      writeWholeFile(dated, reporter.render(report, cellsOf));
      copyWholeFile(dated, stable);
    } catch (error) {
      throw unwritable(dated, error, hint);
    }
  }
}

/** Below the current folder a path reads better from there. */
function shown(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.startsWith("..") ? path : near;
}
