import { dirname } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { projectFolder } from "../../config/project-rules.ts";
import { type Options, type OptionTable, typedConfig } from "../../contract/option-table.ts";
import type { commonRows } from "../../engine/common-options.ts";
import type { MergedFacts, PreparedRun } from "../../engine/prepared-run.ts";
import type { CommonOutput, RunConfig } from "../../engine/request.ts";
import { describeDemand, isStronger } from "../../engine/resumed-containment.ts";
import { type ConfiguredModels, configuredModels } from "../../engine/resumed-models.ts";
import { isContainment, onlyTyped, refuseChanges, resumedOptions } from "../../engine/resumed-options.ts";
import { makeRunContext, type RunContext } from "../../engine/run-context.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import type { Session, SessionContext, Sessions } from "../../engine/session.ts";
import { realPath } from "../../shared/files/paths.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadConfigForSkills } from "../io/load-command-config.ts";
import { typedOtlp, typedTelemetry } from "../io/open-run-telemetry.ts";
import { carrySessionOut, type SessionOrder } from "./carry-session-out.ts";

type CommonOptions = Options<typeof commonRows>;
type OptionValues = Readonly<Record<string, unknown>>;

/** What every plan holds. */
interface StoredPlanFacts {
  storedOptions: object;
  /** The folder relative paths of a run count from. */
  cwd: string;
}

/** A command that makes runs: its options, how they become a plan, and the parts that differ between levels. */
export interface LevelCommand<
  Typed extends CommonOptions,
  Plan extends StoredPlanFacts,
  Ready extends PreparedRun,
  Context extends SessionContext,
  Output extends RunOutput & CommonOutput,
> extends Pick<SessionOrder<Plan, Ready, Context>, "command" | "sessions" | "show" | "watch"> {
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

/** Runs such a command from its options to its exit code. With `merged`, every result is there and only the report is made. */
export async function runLevelCommand<
  Typed extends CommonOptions,
  Plan extends StoredPlanFacts,
  Ready extends PreparedRun,
  Context extends SessionContext,
  Output extends RunOutput & CommonOutput,
>(
  level: LevelCommand<Typed, Plan, Ready, Context, Output>,
  typed: Typed,
  io: CommandIo,
  merged?: MergedFacts,
): Promise<ExitCode> {
  const isMerge = merged !== undefined;
  const earlier = await earlierRun(level, typed, io, isMerge);
  const options = earlier?.options ?? typed;
  const loaded = await loadConfigForSkills(io, typedConfig(level.table, options));
  const { config, permissions, env } = loaded;
  const otlp = typedOtlp(options, config, io);
  const telemetry = typedTelemetry(config, io);
  const { cwd } = io;
  const output = level.output(options, loaded, cwd);
  if (options.csvRows !== undefined && !output.formats.includes("csv"))
    io.warn("--csv-rows has no effect: csv is not among the formats");
  const { record, replay, skipUngranted } = options;
  const facts = makeRunContext({ env, cwd, output, config, record, replay });
  const own = level.context({ ...facts, configuredModels: configuredModels(loaded) }, output, options);
  const context = { ...own, permissions, skipUngranted, ...(isMerge && { isDryRun: true }) };
  const plan = await level.plan(options, loaded, earlier?.cwd ?? cwd);
  if (options.dryRun) return level.dryRun(plan, context, io);
  const folders = resumableFolders(cwd, loaded.files.project, facts.storePath);
  const retyped = onlyTyped(level.table, options, { cwd, folders }).map(([, words]) => words);
  const announce = (session: Session<Plan, Ready>) => isMerge || level.announce(session, context, io);
  const order = { ...level, context, plan, output, retyped, env, telemetry, otlp, announce };
  if (merged !== undefined) return carrySessionOut({ ...order, resume: earlier?.runId, merged }, io);
  return carrySessionOut({ ...order, ...(earlier !== null && continuation(earlier, plan, io)) }, io);
}

/** The real folders that a stored run may name: the project, and the one its store is in. */
function resumableFolders(cwd: string, projectFile: string | null, storePath: string): string[] {
  return [realPath(projectFolder(cwd, projectFile)), realPath(dirname(storePath))];
}

interface EarlierRun<Typed, Plan> {
  runId: string;
  /** Whether its answers are only scored again. */
  isRescore: boolean;
  options: Typed;
  planned: Plan;
  /** The folder it was started in. */
  cwd: string;
  /** Refuses containment that was typed and is not what the run began with. */
  refuseOtherContainment(): void;
}

/** The run to go on with, and its options: it keeps its plan, and its gates unless they are typed again. */
async function earlierRun<Typed extends CommonOptions, Plan extends StoredPlanFacts>(
  {
    command,
    table,
    sessions,
  }: { command: string; table: OptionTable; sessions: Pick<Sessions<Plan, never, never>, "toResume"> },
  typed: Typed,
  io: CommandIo,
  isMerge: boolean,
): Promise<EarlierRun<Typed, Plan> | null> {
  const { resume, rescore } = typed;
  if (resume === undefined && rescore === undefined) return null;
  if (resume !== undefined && rescore !== undefined)
    throw new UserError("usage", "--rescore and --resume cannot be used together");
  const isRescore = rescore !== undefined;
  if (isRescore && typed.shard !== undefined)
    throw new UserError("usage", "--shard cannot be used with --rescore: nothing is executed");
  const flag = isRescore ? "--rescore" : "--resume";
  if (typed.dryRun)
    throw new UserError("usage", `--dry-run and ${flag} cannot be used together`, {
      hint: `omit it, or start a new run without ${flag}`,
    });
  const { config, files } = await loadConfig({ ...io, flags: typedConfig(table, typed) });
  const wanted = rescore ?? (typeof resume === "string" ? resume : null);
  const storePath = writtenPath(config.store, io.cwd);
  const { runId, planned } = await sessions.toResume(wanted, storePath);
  const { cwd, storedOptions } = planned;
  const stored = { runId, cwd, options: storedOptions as OptionValues };
  const by = {
    command: `eval-skills ${command} ${flag} ${runId}`,
    isRescore: isRescore || isMerge,
    cwd: io.cwd,
    // Merging executes nothing: files are only compared with what the shards had.
    folders: isMerge ? ["/"] : resumableFolders(io.cwd, files.project, storePath),
  };
  const options = resumedOptions(table, typed, stored, by) as Typed;
  const refuseOtherContainment = () => refuseChanges(table, typed, stored, by, isContainment);
  return { runId, isRescore, options, planned, cwd, refuseOtherContainment };
}

/** What `sessions` are told: more containment than the run began with makes a new run, since the cells could not be compared. */
function continuation<Typed, Plan extends object>(
  { runId, isRescore, planned, refuseOtherContainment }: EarlierRun<Typed, Plan>,
  now: Plan,
  io: CommandIo,
): { resume?: string; rescore?: string } {
  const stronger = isStronger(now, planned);
  if (!stronger) refuseOtherContainment();
  if (isRescore) return { rescore: runId };
  if (!stronger) return { resume: runId };
  io.note(
    `run ${runId} was started with ${describeDemand(planned)}; this one has ${describeDemand(now)}, so it is a new run`,
  );
  return {};
}
