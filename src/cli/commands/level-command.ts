import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { type Options, type OptionTable, typedConfig, typedPlanFlag } from "../../contract/option-table.ts";
import type { commonRows } from "../../engine/common-options.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import type { CommonOutput, RunConfig } from "../../engine/request.ts";
import { type ConfiguredModels, configuredModels } from "../../engine/resumed-models.ts";
import { makeRunContext, type RunContext } from "../../engine/run-context.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import type { Session, SessionContext, Sessions } from "../../engine/session.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadRunConfig } from "../io/load-command-config.ts";
import { typedOtlp, typedTelemetry } from "../io/open-run-telemetry.ts";
import { carrySessionOut, type SessionOrder } from "./carry-session-out.ts";

type CommonOptions = Options<typeof commonRows>;

/** A command that makes runs: its options, how they become a plan, and the parts that differ between levels. */
export interface LevelCommand<
  Typed extends CommonOptions,
  Plan extends { storedOptions: object },
  Ready extends PreparedRun,
  Context extends SessionContext,
  Output extends RunOutput & CommonOutput,
> extends Pick<SessionOrder<Plan, Ready, Context>, "command" | "sessions" | "show"> {
  table: OptionTable;
  plan(options: Typed, loaded: RunConfig, cwd: string): Plan | Promise<Plan>;
  output(options: Typed, loaded: RunConfig, cwd: string): Output;
  /** What a run needs and the plan does not store. */
  context(
    facts: RunContext & { configuredModels: ConfiguredModels },
    output: Output,
    options: Typed,
  ): Context;
  dryRun(plan: Plan, context: Context, io: CommandIo): Promise<ExitCode>;
  /** What a reader should know before the first cell. */
  announce(session: Session<Plan, Ready>, context: Context, io: CommandIo): void;
}

/** Runs such a command from its options to its exit code. */
export async function runLevelCommand<
  Typed extends CommonOptions,
  Plan extends { storedOptions: object },
  Ready extends PreparedRun,
  Context extends SessionContext,
  Output extends RunOutput & CommonOutput,
>(level: LevelCommand<Typed, Plan, Ready, Context, Output>, typed: Typed, io: CommandIo): Promise<ExitCode> {
  const options = await withStoredOptions(level, typed, io);
  const loaded = await loadRunConfig(io, typedConfig(level.table, options));
  const { config, permissions } = loaded;
  const otlp = typedOtlp(options, config, io);
  const telemetry = typedTelemetry(config, io);
  const { env, cwd } = io;
  const output = level.output(options, loaded, cwd);
  if (options.csvRows !== undefined && !output.formats.includes("csv"))
    io.warn("--csv-rows has no effect: csv is not among the formats");
  const { resume, rescore, record, replay, skipUngranted } = options;
  const facts = makeRunContext({ env, cwd, output, config, record, replay });
  const own = level.context({ ...facts, configuredModels: configuredModels(loaded) }, output, options);
  const context = { ...own, permissions, skipUngranted };
  const plan = () => level.plan(options, loaded, cwd);
  if (options.dryRun) return level.dryRun(await plan(), context, io);
  const announce = (session: Session<Plan, Ready>) => level.announce(session, context, io);
  return carrySessionOut({ ...level, context, plan, resume, rescore, output, telemetry, otlp, announce }, io);
}

/** Adds the stored options of an earlier run: it keeps its plan, and its gates unless they are typed again. */
async function withStoredOptions<Typed extends CommonOptions>(
  {
    table,
    sessions,
  }: { table: OptionTable; sessions: Pick<Sessions<{ storedOptions: object }, never, never>, "toResume"> },
  options: Typed,
  io: CommandIo,
): Promise<Typed> {
  const { resume, rescore } = options;
  if (resume === undefined && rescore === undefined) return options;
  if (resume !== undefined && rescore !== undefined)
    throw new UserError("usage", "--rescore and --resume cannot be used together");
  refusePlanFlags(table, options);
  const { config } = await loadConfig({ ...io, flags: typedConfig(table, options) });
  const wanted = rescore ?? (typeof resume === "string" ? resume : null);
  const { runId, storedOptions } = await sessions.toResume(wanted, resolve(io.cwd, config.store));
  return {
    ...storedOptions,
    ...options,
    ...(rescore === undefined ? { resume: runId } : { rescore: runId }),
  };
}

/** An earlier run keeps its plan, so flags that would change it are refused. */
function refusePlanFlags(table: OptionTable, options: CommonOptions): void {
  const flag = options.rescore === undefined ? "--resume" : "--rescore";
  const planFlag = typedPlanFlag(table, options);
  if (planFlag === null && !options.dryRun) return;
  const problem =
    planFlag === null
      ? `--dry-run and ${flag} cannot be used together`
      : `${planFlag} cannot be used with ${flag}: it would change the plan of the run`;
  throw new UserError("usage", problem, { hint: `omit it, or start a new run without ${flag}` });
}
