import { appendFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { AgentReport, AgentResultReader } from "../contract/agent-report.ts";
import type { CatalogDiff } from "../contract/catalog-report.ts";
import type { DiffWithTasks } from "../contract/diff.ts";
import type { PlanReport, PlanResultReader } from "../contract/planbench-report.ts";
import type { CellReader, Report } from "../contract/report.ts";
import type { QueryReader, TriggerReport } from "../contract/trigger-report.ts";
import { agentAnnotations, agentJobSummary, type FileOfCase } from "../reporters/agent/agent-github.ts";
import { catalogDiffAnnotations } from "../reporters/catalog-diff-github.ts";
import { catalogDiffMarkdown } from "../reporters/catalog-diff-markdown.ts";
import { diffAnnotations } from "../reporters/diff-github.ts";
import { diffMarkdown } from "../reporters/diff-markdown.ts";
import { type FileOfSkill, githubAnnotations, githubSummary } from "../reporters/github.ts";
import { planAnnotations, planJobSummary } from "../reporters/planbench/plan-github.ts";
import { triggerAnnotations, triggerJobSummary } from "../reporters/trigger-github.ts";
import type { CommandIo } from "./command-io.ts";
import { isOnGithub } from "./github-sink.ts";

/** GitHub refuses a summary above 1 MiB, the ones of other commands in the same step included. */
const summaryLimitBytes = 900_000;

/** On GitHub Actions: annotates what did not pass and adds to the page of the job. Elsewhere it does nothing, and it never fails. */
export function tellGithub(
  report: Report,
  cellsOf: CellReader,
  io: CommandIo,
  fileOf: FileOfSkill = () => undefined,
): void {
  if (!isOnGithub(io)) return;
  const near: FileOfSkill = (skillId) => inWorkspace(fileOf(skillId), io);
  for (const command of githubAnnotations(report, cellsOf, near)) io.workflow(command);
  addSummary(githubSummary(report, cellsOf), io);
}

/** The same for trigger tests. */
export function tellGithubOfTriggers(
  report: TriggerReport,
  queriesOf: QueryReader,
  io: CommandIo,
  fileOf: FileOfSkill,
): void {
  if (!isOnGithub(io)) return;
  const near: FileOfSkill = (skillId) => inWorkspace(fileOf(skillId), io);
  for (const command of triggerAnnotations(report, queriesOf, near)) io.workflow(command);
  addSummary(triggerJobSummary(report, queriesOf), io);
}

/** The same for agent runs. */
export function tellGithubOfAgents(
  report: AgentReport,
  results: AgentResultReader,
  io: CommandIo,
  fileOf: FileOfCase,
): void {
  if (!isOnGithub(io)) return;
  const near: FileOfCase = (suite, caseId) => inWorkspace(fileOf(suite, caseId), io);
  for (const command of agentAnnotations(report, results, near)) io.workflow(command);
  addSummary(agentJobSummary(report, results), io);
}

/** The same for a bench of plans. */
export function tellGithubOfPlans(
  report: PlanReport,
  results: PlanResultReader,
  io: CommandIo,
  file: string | undefined,
): void {
  if (!isOnGithub(io)) return;
  for (const command of planAnnotations(report, results, inWorkspace(file, io))) io.workflow(command);
  addSummary(planJobSummary(report, results), io);
}

/** The same for a comparison. */
export function tellGithubOfDiff(compared: DiffWithTasks, io: CommandIo): void {
  if (!isOnGithub(io)) return;
  for (const command of diffAnnotations(compared.diff)) io.workflow(command);
  addSummary(diffMarkdown(compared), io);
}

/** The same for two states of a catalog. */
export function tellGithubOfCatalogDiff(
  diff: CatalogDiff,
  io: CommandIo,
  places: ReadonlyMap<string, { file: string; line: number | null }>,
): void {
  if (!isOnGithub(io)) return;
  const placeOf = (skillId: string) => {
    const place = places.get(skillId);
    return { file: inWorkspace(place?.file, io), line: place?.line };
  };
  for (const command of catalogDiffAnnotations(diff, placeOf)) io.workflow(command);
  addSummary(catalogDiffMarkdown(diff), io);
}

/** Annotations name files as the repository does; a file outside of it has no place there. */
export function inWorkspace(file: string | undefined, { env, cwd }: CommandIo): string | undefined {
  if (file === undefined) return undefined;
  const path = relative(env.GITHUB_WORKSPACE || cwd, resolve(cwd, file));
  return path.startsWith("..") || isAbsolute(path) ? undefined : path;
}

function addSummary(pieces: Iterable<string>, io: CommandIo): void {
  const path = io.env.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe would keep us waiting for its reader, and our own stdout is for the result.
    if (found?.isFile() === false) throw new Error(`${path} is not a regular file`);
    const taken = found?.size ?? 0;
    appendFileSync(path, `${atMost(pieces, summaryLimitBytes - taken)}\n`);
  } catch (error) {
    io.warn(`the job summary cannot be written: ${(error as Error).message}`);
  }
}

/** As many whole pieces as fit. */
function atMost(pieces: Iterable<string>, limitBytes: number): string {
  let text = "";
  let bytes = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > limitBytes) return `${text}\n\n… the rest has no room here; see the report\n`;
    text += piece;
  }
  return text;
}
