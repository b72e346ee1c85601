import type { Listener } from "../../contract/event.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { commonOutput } from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { unchosenRouter } from "../../levels/trigger/choose-judge.ts";
import type { ReadyTriggers, TriggerSuiteContext } from "../../levels/trigger/prepare.ts";
import { type TriggerSuiteOptions, triggerPlan } from "../../levels/trigger/request.ts";
import { openBaseCatalog } from "../../operations/catalog/base-catalog.ts";
import { compareCatalogs, findDescriptions } from "../../operations/catalog/compare-catalogs.ts";
import type { JudgingContext } from "../../operations/catalog/judge-in-temporary-store.ts";
import { readOffTopicFile } from "../../operations/catalog/off-topic.ts";
import { reportCatalog } from "../../operations/catalog/report-catalog.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { annotateCatalogDiff } from "../io/github.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadRunConfig } from "../io/load-command-config.ts";
import { showProgress } from "../io/show-progress.ts";
import { writeOutput } from "../io/write-output.ts";
import { catalogDiffLines } from "../output/catalog-diff-lines.ts";
import { catalogDiffMarkdown } from "../output/catalog-diff-markdown.ts";
import { catalogReportLines } from "../output/catalog-report-lines.ts";
import type { CatalogDiffFlags, CatalogFlags, CatalogReportFlags } from "./catalog-options.ts";
import { triggerContext } from "./trigger-context.ts";

/** `catalog report`: who gets whose requests among skills that are installed together. */
export async function catalogReportCommand(
  { offTopic: file, ...flags }: CatalogReportFlags,
  io: CommandIo,
): Promise<ExitCode> {
  const offTopic = file === undefined ? null : readOffTopicFile(file, io.cwd);
  return withCatalogRun(flags, io, async (ready, endProgress) => {
    const report = await reportCatalog({ ...ready, offTopic, maxInvalid: flags.maxInvalid });
    endProgress();
    const { color, width, verbose } = io;
    io.result(report, catalogReportLines(report, { color, width, verbose }));
    if (!io.json) for (const warning of report.warnings) io.warn(warning);
    return report.exitCode;
  });
}

/** `catalog diff`: what an edit of some skills did to the requests of all. */
export async function catalogDiffCommand(
  { base: named, failOnSteal, output, ...flags }: CatalogDiffFlags,
  io: CommandIo,
): Promise<ExitCode> {
  return withCatalogRun(flags, io, async (ready, endProgress) => {
    const { env, cwd, color, width, verbose } = io;
    const { signal } = ready.judging;
    await using base = await openBaseCatalog({ base: named, dir: flags.dir, cwd, env, signal });
    const { diff, skills } = await compareCatalogs({
      ...ready,
      base,
      failOnSteal: failOnSteal === true,
      maxInvalid: flags.maxInvalid,
    });
    endProgress();
    if (output !== undefined) writeOutput(output, catalogDiffMarkdown(diff), io);
    io.result(diff, catalogDiffLines(diff, { color, width, verbose }));
    if (!io.json) for (const warning of diff.warnings) io.warn(warning);
    if (output !== undefined) io.note(`written to ${output}`);
    annotateCatalogDiff(diff, io, await findDescriptions(diff, skills));
    return diff.exitCode;
  });
}

/** Everything both catalog commands need to judge a whole catalog. */
export interface CatalogRun {
  suite: TriggerSuiteOptions;
  context: TriggerSuiteContext;
  judging: JudgingContext;
  /** Reports why the router judges where nobody chose it. */
  onReady(ready: Pick<ReadyTriggers, "subjects">): void;
}

/** Prepares the trigger suite of a catalog and hands it on. Only model replies are stored, so an interrupted run starts over. */
export async function withCatalogRun(
  { dir, ...flags }: CatalogFlags,
  io: CommandIo,
  work: (run: CatalogRun, endProgress: () => void) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadRunConfig(io);
  const options = { ...flags, skills: [dir], catalog: [dir] };
  const { env, cwd } = io;
  const output = commonOutput(options, loaded, cwd);
  using interrupt = listenForInterrupt();
  using progress = showProgress(io);
  const { record, replay } = flags;
  const facts = makeRunContext({ ...loaded, env, cwd, output, record, replay });
  const suiteContext = triggerContext(facts, flags);
  const { signal } = interrupt;
  const judgingContext = {
    concurrency: output.concurrency,
    version: suiteContext.version,
    signal,
    listeners: [(event: Parameters<Listener>[0]) => void (isSlow && progress.onEvent(event))],
  };
  let isSlow = false; // the router finishes before anybody could read its progress
  const onReady = ({ subjects }: Pick<ReadyTriggers, "subjects">) => {
    isSlow = subjects.some(({ judge }) => judge !== null && !judge.isDeterministic);
    const note = unchosenRouter(subjects, "--judge-model asks a model");
    if (note !== null) io.note(note);
  };
  const suiteOptions = triggerPlan(options, loaded, cwd);
  try {
    return await work({ suite: suiteOptions, context: suiteContext, judging: judgingContext, onReady }, () =>
      progress[Symbol.dispose](),
    );
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    progress[Symbol.dispose]();
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: model replies are cached, everything else starts over next time");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}
