import type { RunEvent } from "../../contract/event.ts";
import type { RenderOptions, ReportView } from "../../contract/format.ts";
import { shardFile } from "../../engine/blob.ts";
import { prepareOutput } from "../../engine/prepare-output.ts";
import type { MergedFacts, PreparedRun } from "../../engine/prepared-run.ts";
import type { CommonOutput } from "../../engine/request.ts";
import { type RunEnd, type RunOutput, runLevels } from "../../engine/run-levels.ts";
import type { Session, SessionContext, Sessions } from "../../engine/session.ts";
import { loadFormats } from "../../report/formats/load-formats.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { nearPath } from "../../shared/files/paths.ts";
import type { OtlpSettings } from "../../telemetry/otlp/otlp-settings.ts";
import type { TelemetrySettings } from "../../telemetry/settings.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "../io/command-io.ts";
import { addSummary, inWorkspace } from "../io/github.ts";
import { isOnGithub } from "../io/github-sink.ts";
import { listenForInterrupt, reportInterrupted } from "../io/interrupt.ts";
import { openRunTelemetry, sendSpans } from "../io/open-run-telemetry.ts";
import { showProgress } from "../io/show-progress.ts";

export type DoneRun = Extract<RunEnd, { state: "done" }>;

/** A session of one command, with the parts that differ between commands. */
export interface SessionOrder<
  Plan extends { storedOptions: object },
  Ready extends PreparedRun,
  Context extends SessionContext,
> {
  command: string;
  sessions: Sessions<Plan, Ready, Context>;
  context: Context;
  /** Of a new run, or of an earlier one as it would be planned now. */
  plan: Plan;
  /** The run to resume; a new run where there is none. */
  resume?: string | undefined;
  /** The run whose stored answers are scored anew. */
  rescore?: string | undefined;
  /** Of a run whose shards were made elsewhere: it is resumed, and nothing is executed. */
  merged?: MergedFacts | undefined;
  output: RunOutput & Pick<CommonOutput, "formats" | "csvRows">;
  /** What must be typed again to resume this run, words of flags: `--sandbox process`. */
  retyped: readonly string[];
  /** What skills are run from. */
  env: NodeJS.ProcessEnv;
  telemetry: TelemetrySettings;
  otlp: OtlpSettings | null;
  /** What a reader should know before the first cell. */
  announce(session: Session<Plan, Ready>): unknown;
  /** Prints the result where it is more than the report. */
  show?(done: DoneRun): void | Promise<void>;
  /** Who runs it again and again; left out, it is one run. */
  watch?: RunWatch;
}

/** Somebody who stops a run when another shall take its place, and has seen the runs before. */
interface RunWatch {
  signal: AbortSignal;
  /** Whether an event is worth showing. */
  isNews(event: RunEvent): boolean;
}

/** Runs a session from its plan to its exit code: progress, telemetry, reports, and how to resume it where it was stopped. */
export async function carrySessionOut<
  Plan extends { storedOptions: object },
  Ready extends PreparedRun,
  Context extends SessionContext,
>(order: SessionOrder<Plan, Ready, Context>, io: CommandIo): Promise<ExitCode> {
  const { command, sessions, context, plan, resume, rescore, output } = order;
  using interrupt = listenForInterrupt(order.watch?.signal);
  const formats = await loadFormats(output.formats);
  const lastCheck = () => prepareOutput(output);
  await using session =
    rescore !== undefined
      ? await sessions.rescore(rescore, plan, context, lastCheck)
      : resume !== undefined
        ? await sessions.resume(resume, plan, context, lastCheck)
        : await sessions.begin(plan, context, lastCheck);
  order.announce(session);
  const { ready, store } = session;
  const facts = { command: output.command, skills: ready.skillIds, models: ready.models };
  await using telemetry = openRunTelemetry(order.telemetry, facts, io);
  using progress = showProgress(io);
  const begun = { ...session, run: { ...session.run, merged: order.merged } };
  const end = await runLevels(begun, output, {
    formats,
    render: { csvRows: output.csvRows },
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: [
      (event) => void (order.watch?.isNews(event) === false || progress.onEvent(event)),
      telemetry.onEvent,
    ],
    version: context.version,
    cwd: io.cwd,
    env: order.env,
    telemetry,
  });
  progress[Symbol.dispose]();
  if (end.state === "interrupted" && order.watch?.signal.aborted === true)
    return telemetry.end(exitCodeOfSignal[end.signal]); // nobody has to resume it
  if (end.state === "interrupted") {
    const { id: runId, rescores } = session.run;
    const { retyped } = order;
    const stopped = { command, retyped, signal: end.signal, runId, store: output.store, rescores };
    return telemetry.end(reportInterrupted(stopped, io));
  }
  await (order.show ?? ((done: DoneRun) => showReport(done, io)))(end);
  await annotateGithub(end, io);
  if (output.shard != null) {
    const file = nearPath(shardFile(output, output.shard), io.cwd);
    io.note(`its cells are in ${file}: \`eval-skills report merge\` joins all shards and checks the gates`);
  }
  const { run, exitCode } = end.report;
  telemetry.end(exitCode); // the time a collector takes is not part of the run
  await sendSpans(order.otlp, { run: { ...run, exitCode }, store, version: context.version }, io);
  return exitCode;
}

/** Prints a report as the one result of a command: the document, or the lines for people. */
export async function showReport(done: DoneRun, io: CommandIo): Promise<void> {
  if (io.json) {
    const { jsonFormat } = await import("../../report/formats/json.ts");
    io.resultPieces(jsonFormat.render(done));
  } else io.resultPieces(await reportLines(done.view, io));
}

/** A report as text for this terminal. */
export async function reportLines(
  view: ReportView,
  { color, width, verbose: isVerbose }: CommandIo,
): Promise<Iterable<string>> {
  const { terminalFormat } = await import("../../report/formats/terminal.ts");
  return terminalFormat.render({ ...view, options: { ...view.options, color, width, isVerbose } });
}

/** On GitHub Actions: annotates what did not pass and writes the job summary. Does nothing elsewhere, and never fails. */
export async function annotateGithub({ view }: Pick<DoneRun, "view">, io: CommandIo): Promise<void> {
  if (!isOnGithub(io)) return;
  const { githubFormat } = await import("../../report/formats/github.ts");
  const { annotations } = await import("../../report/view/github-annotations.ts");
  const { fileOf } = view.options;
  const options: RenderOptions = { ...view.options, fileOf: (cell) => inWorkspace(fileOf?.(cell), io) };
  for (const command of annotations({ ...view, options })) io.workflow(command);
  addSummary(githubFormat.render(view), io);
}
