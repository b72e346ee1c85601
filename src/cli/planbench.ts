import { describeContainment } from "../reporters/describe-containment.ts";
import { benchOutput, benchPlan } from "../run/planbench/bench-request.ts";
import { type BenchSession, benchSessions } from "../run/planbench/bench-session.ts";
import { saidModels } from "../run/resumed-models.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import { typedConfig } from "./eval-options.ts";
import type { ExitCode } from "./exit-codes.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import { planbenchDryRun } from "./planbench-dry-run.ts";
import type { PlanbenchFlags } from "./planbench-options.ts";
import { planFlags, wishesOf } from "./planbench-request.ts";
import { resumedFlags } from "./resumed-flags.ts";
import { toldConfig } from "./told-config.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** `planbench`: plans of a model or a service, measured, from the command line to the exit code. */
export async function planbenchCommand(flags: PlanbenchFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.resume === undefined && flags.rescore === undefined) return measurePlans(flags, io);
  const resumption = {
    planFlags,
    named: { what: "[bench]", values: flags.bench === undefined ? [] : [flags.bench] },
    config: typedConfig(flags),
    toResume: benchSessions.toResume,
  };
  return measurePlans(await resumedFlags(flags, resumption, io), io);
}

async function measurePlans(flags: PlanbenchFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedConfig(flags));
  const otlp = typedOtlp(flags, loaded.config, io);
  const telemetry = typedTelemetry(loaded.config, io);
  const wishes = wishesOf(flags);
  const { env, cwd } = io;
  const output = benchOutput(wishes, loaded, cwd);
  const { apiKey } = loaded.config.llm;
  const { record, replay } = flags;
  const facts = surroundingsOf({ env, cwd, output, apiKey, telemetry, record, replay });
  const context = {
    env,
    version: facts.version,
    models: facts.judges,
    exclude: facts.exclude,
    storePath: facts.storePath,
    concurrency: output.concurrency,
    includePlan: output.includePlan,
    said: saidModels(loaded),
  };
  const plan = () => benchPlan(wishes, loaded, cwd);
  if (flags.dryRun) return planbenchDryRun(plan(), context, io);

  return carrySessionOut(
    {
      command: "planbench",
      sessions: benchSessions,
      context,
      plan,
      resume: flags.resume,
      rescore: flags.rescore,
      output,
      kind: "planbench",
      telemetry,
      otlp,
      announce: (session) => announce(session, flags, io),
    },
    io,
  );
}

/** What a reader should know before the first sample. */
function announce({ ready }: BenchSession, flags: PlanbenchFlags, io: CommandIo): void {
  const { containment } = ready;
  if (ready.isolation !== null && containment.level !== "strict") io.warn(describeContainment(containment));
  const { record, replay } = flags;
  if (!ready.target.callsModel) warnOfIdleFlags({ record: record ?? null, replay: replay ?? null }, io);
}
