import { appendFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { DiffWithTasks } from "../../contract/diff.ts";
import type { CatalogDiff } from "../../operations/catalog/compare/catalog-report.ts";
import { diffAnnotations } from "../../report/compare/diff-github.ts";
import { diffMarkdown } from "../../report/compare/diff-markdown.ts";
import { catalogDiffAnnotations } from "../output/catalog-diff-github.ts";
import { catalogDiffMarkdown } from "../output/catalog-diff-markdown.ts";
import type { CommandIo } from "./command-io.ts";
import { isOnGithub } from "./github-sink.ts";

/** GitHub refuses a summary above 1 MiB, the ones of other commands in the same step included. */
const summaryLimitBytes = 900_000;

/** On GitHub Actions: annotates what a comparison found and writes the job summary. Does nothing elsewhere, and never fails. */
export function annotateDiff(compared: DiffWithTasks, io: CommandIo): void {
  if (!isOnGithub(io)) return;
  for (const command of diffAnnotations(compared.diff)) io.workflow(command);
  addSummary(diffMarkdown(compared), io);
}

/** The same for two states of a catalog. */
export function annotateCatalogDiff(
  diff: CatalogDiff,
  io: CommandIo,
  locations: ReadonlyMap<string, { file: string; line: number | null }>,
): void {
  if (!isOnGithub(io)) return;
  const findLocation = (skillId: string) => {
    const location = locations.get(skillId);
    return { file: inWorkspace(location?.file, io), line: location?.line };
  };
  for (const command of catalogDiffAnnotations(diff, findLocation)) io.workflow(command);
  addSummary(catalogDiffMarkdown(diff), io);
}

/** Annotations name files as the repository does; files outside of it cannot be annotated. */
export function inWorkspace(file: string | undefined, { env, cwd }: CommandIo): string | undefined {
  if (file === undefined) return undefined;
  const path = relative(env.GITHUB_WORKSPACE || cwd, resolve(cwd, file));
  return path.startsWith("..") || isAbsolute(path) ? undefined : path;
}

/** Appends to the job summary, up to GitHub's limit. */
export function addSummary(pieces: Iterable<string>, io: CommandIo): void {
  const path = io.env.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // Opening a pipe would block until it is read, and our own stdout is for the result.
    if (found?.isFile() === false) throw new Error(`${path} is not a regular file`);
    const taken = found?.size ?? 0;
    appendFileSync(path, `${atMost(pieces, summaryLimitBytes - taken)}\n`);
  } catch (error) {
    io.warn(`cannot write the job summary: ${(error as Error).message}`);
  }
}

/** As many whole pieces as fit. */
function atMost(pieces: Iterable<string>, limitBytes: number): string {
  let text = "";
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limitBytes) return `${text}\n\n… truncated; see the report\n`;
    text += piece;
  }
  return text;
}
