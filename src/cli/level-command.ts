import { resolve } from "node:path";
import { type Options, type OptionTable, typedConfig, typedPlanFlag } from "../contract/option-table.ts";
import { UserError } from "../contract/user-error.ts";
import type { commonRows } from "../run/common-options.ts";
import type { PreparedRun } from "../run/prepared-run.ts";
import type { CommonOutput, RunConfig } from "../run/request.ts";
import { type SaidModels, saidModels } from "../run/resumed-models.ts";
import type { RunOutput } from "../run/run-levels.ts";
import type { Session, SessionContext, Sessions } from "../run/session.ts";
import { type Surroundings, surroundingsOf } from "../run/surroundings.ts";
import { loadConfig } from "../spec/load-config.ts";
import { carrySessionOut, type SessionOrder } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import { toldConfig } from "./told-config.ts";

type CommonOptions = Options<typeof commonRows>;

/** A command that makes runs: its options, how they become a plan, and what is its own about a run. */
export interface LevelCommand<
  Typed extends CommonOptions,
  Plan extends { asked: object },
  Ready extends PreparedRun,
  Context extends SessionContext,
  Output extends RunOutput & CommonOutput,
> extends Pick<SessionOrder<Plan, Ready, Context>, "command" | "sessions" | "show"> {
  table: OptionTable;
  plan(options: Typed, loaded: RunConfig, cwd: string): Plan | Promise<Plan>;
  output(options: Typed, loaded: RunConfig, cwd: string): Output;
  /** What a run needs to know and no plan stores. */
  context(facts: Surroundings & { said: SaidModels }, output: Output, options: Typed): Context;
  dryRun(plan: Plan, context: Context, io: CommandIo): Promise<ExitCode>;
  /** What a reader should know before the first cell. */
  announce(session: Session<Plan, Ready>, context: Context, io: CommandIo): void;
}

/** Runs such a command, from what was typed to its exit code. */
export async function runLevelCommand<
  Typed extends CommonOptions,
  Plan extends { asked: object },
  Ready extends PreparedRun,
  Context extends SessionContext,
  Output extends RunOutput & CommonOutput,
>(level: LevelCommand<Typed, Plan, Ready, Context, Output>, typed: Typed, io: CommandIo): Promise<ExitCode> {
  const options = await withStoredOptions(level, typed, io);
  const loaded = await toldConfig(io, typedConfig(level.table, options));
  const { config } = loaded;
  const otlp = typedOtlp(options, config, io);
  const telemetry = typedTelemetry(config, io);
  const { env, cwd } = io;
  const output = level.output(options, loaded, cwd);
  const { resume, rescore, record, replay } = options;
  const facts = surroundingsOf({ env, cwd, output, config, record, replay });
  const context = level.context({ ...facts, said: saidModels(loaded) }, output, options);
  const plan = () => level.plan(options, loaded, cwd);
  if (options.dryRun) return level.dryRun(await plan(), context, io);
  const announce = (session: Session<Plan, Ready>) => level.announce(session, context, io);
  return carrySessionOut({ ...level, context, plan, resume, rescore, output, telemetry, otlp, announce }, io);
}

/** What was typed for a run that began before, with what was typed for it then: it keeps its plan, and its gates unless they are typed again. */
async function withStoredOptions<Typed extends CommonOptions>(
  {
    table,
    sessions,
  }: { table: OptionTable; sessions: Pick<Sessions<{ asked: object }, never, never>, "toResume"> },
  options: Typed,
  io: CommandIo,
): Promise<Typed> {
  const { resume, rescore } = options;
  if (resume === undefined && rescore === undefined) return options;
  if (resume !== undefined && rescore !== undefined)
    throw new UserError("usage", "--rescore and --resume exclude each other");
  refusePlanFlags(table, options);
  const { config } = await loadConfig({ ...io, flags: typedConfig(table, options) });
  const wanted = rescore ?? (typeof resume === "string" ? resume : null);
  const { runId, asked } = await sessions.toResume(wanted, resolve(io.cwd, config.store));
  return { ...asked, ...options, ...(rescore === undefined ? { resume: runId } : { rescore: runId }) };
}

/** An old run does what it was planned to do; a flag that says otherwise is a mistake. */
function refusePlanFlags(table: OptionTable, options: CommonOptions): void {
  const { flag, done } =
    options.rescore === undefined
      ? { flag: "--resume", done: "resumed" }
      : { flag: "--rescore", done: "rescored" };
  const planFlag = typedPlanFlag(table, options);
  if (planFlag === null && !options.dryRun) return;
  const problem =
    planFlag === null
      ? `a ${done} run has been checked already: --dry-run and ${flag} exclude each other`
      : `${planFlag} would change the plan of a run that is ${done}`;
  throw new UserError("usage", problem, { hint: `leave it out, or start a new run without ${flag}` });
}
