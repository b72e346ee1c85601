import { systemClock } from "../base/clock.ts";
import type { Listener } from "../contract/event.ts";
import type { Telemetry } from "../contract/telemetry.ts";
import { prepareEvalLog } from "../run/eval-log.ts";
import type { SpannedRun } from "../run/otlp/run-tree.ts";
import type { Session, SessionContext, Sessions } from "../run/session.ts";
import type { PlannedBy } from "../run/stored-plan.ts";
import type { RunFacts } from "../run/telemetry/run-telemetry.ts";
import { prepareOutputFolder } from "../run/write-reports.ts";
import type { OtlpSettings } from "../telemetry/otlp/otlp-settings.ts";
import type { TelemetrySettings } from "../telemetry/settings.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { openRunTelemetry } from "./open-run-telemetry.ts";
import { sendSpans } from "./otlp.ts";
import { showProgress } from "./show-progress.ts";
import { tellInterrupted } from "./tell-interrupted.ts";

/** What a run gets from the command line. */
interface SessionWorld {
  clock: typeof systemClock;
  random: () => number;
  signal: AbortSignal;
  listeners: readonly Listener[];
  version: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  telemetry: Telemetry;
}

/** A run that ended in a report. */
interface Reported extends Disposable {
  state: "done";
  report: { run: Omit<SpannedRun, "command" | "exitCode">; command: string; exitCode: ExitCode };
}

/** A session of one command, and what is its own about it. */
interface SessionOrder<
  Plan extends { asked: object },
  Ready,
  Context extends SessionContext,
  Done extends Reported,
> {
  command: PlannedBy;
  sessions: Sessions<Plan, Ready, Context>;
  context: Context;
  /** Of a new run. */
  plan(): Plan;
  /** The run that goes on; a new one where it is no id. */
  resume: string | true | undefined;
  /** How the names of the reports begin. */
  namesBegin: Parameters<typeof prepareOutputFolder>[1];
  output: { outputDir: string; evalLog: string | null; store: string };
  telemetry: TelemetrySettings;
  otlp: OtlpSettings | null;
  factsOf(session: Session<Plan, Ready>): RunFacts;
  /** What a reader should know before the first cell. */
  announce(session: Session<Plan, Ready>): void;
  run(
    session: Session<Plan, Ready>,
    world: SessionWorld,
  ): Promise<Done | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" }>;
  tellEnd(done: Done, session: Session<Plan, Ready>): void;
}

/** Carries out a session before the eyes of the user: progress, telemetry, what came of it, and how it goes on where it was stopped. */
export async function carrySessionOut<
  Plan extends { asked: object },
  Ready,
  Context extends SessionContext,
  Done extends Reported,
>(order: SessionOrder<Plan, Ready, Context, Done>, io: CommandIo): Promise<ExitCode> {
  const { command, sessions, context, resume, output } = order;
  using interrupt = listenForInterrupt();
  const lastCheck = () => {
    prepareOutputFolder(output.outputDir, order.namesBegin);
    prepareEvalLog(output.evalLog);
  };
  await using session =
    typeof resume === "string"
      ? await sessions.resume(resume, context, lastCheck)
      : await sessions.begin(order.plan(), context, lastCheck);
  order.announce(session);
  await using told = openRunTelemetry(order.telemetry, order.factsOf(session), io);
  using progress = showProgress(io);
  const end = await order.run(session, {
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: [progress.hear, told.hear],
    version: context.version,
    cwd: io.cwd,
    env: io.env,
    telemetry: told,
  });
  progress[Symbol.dispose]();
  if (end.state === "interrupted") {
    const { id: runId } = session.run;
    return told.end(tellInterrupted({ command, signal: end.signal, runId, store: output.store }, io));
  }
  using _ = end;
  order.tellEnd(end, session);
  const { run, command: named, exitCode } = end.report;
  told.end(exitCode); // how long a collector takes is no time of the run
  const sent = { run: { ...run, command: named, exitCode }, store: session.store, version: context.version };
  await sendSpans(order.otlp, sent, io);
  return exitCode;
}
