import { describeContainment } from "../reporters/describe-containment.ts";
import { planJsonReporter } from "../reporters/planbench/plan-json.ts";
import { planLines } from "../reporters/planbench/plan-lines.ts";
import { benchOutput, benchPlan } from "../run/planbench/bench-request.ts";
import { type BenchSession, benchSessions } from "../run/planbench/bench-session.ts";
import { planReportersFor } from "../run/planbench/plan-reporters.ts";
import { runPlanbench } from "../run/planbench/run-planbench.ts";
import { saidModels } from "../run/resumed-models.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import type { RunFacts } from "../run/telemetry/run-telemetry.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import { typedConfig } from "./eval-options.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellGithubOfPlans } from "./github.ts";
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
  if (flags.resume === undefined) return measurePlans(flags, io);
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
  const around = {
    env,
    version: facts.version,
    models: facts.judges,
    exclude: facts.exclude,
    storePath: facts.storePath,
    concurrency: output.concurrency,
    said: saidModels(loaded),
  };
  const plan = () => benchPlan(wishes, loaded, cwd);
  if (flags.dryRun) return planbenchDryRun(plan(), around, io);

  const reporters = await planReportersFor(output.formats);
  return carrySessionOut(
    {
      command: "planbench",
      sessions: benchSessions,
      context: around,
      plan,
      resume: flags.resume,
      namesBegin: "planbench-result",
      output,
      telemetry,
      otlp,
      factsOf,
      announce: (session) => announce(session, flags, io),
      run: (session, world) => runPlanbench(session, output, { ...world, reporters }),
      tellEnd({ report, results }, { ready }) {
        if (io.json) io.resultPieces(planJsonReporter.render(report, results));
        else io.result({}, planLines(report, results, { color: io.color, width: io.width }));
        tellGithubOfPlans(report, results, io, ready.bench.path);
      },
    },
    io,
  );
}

function factsOf({ ready: { jobs, target } }: BenchSession): RunFacts {
  return {
    command: "planbench",
    skills: [...new Set(jobs.flatMap(({ chosen }) => Object.keys(chosen.skills)))].sort(),
    models: [target.id],
    cellsAre: "case",
  };
}

/** What a reader should know before the first sample. */
function announce({ ready }: BenchSession, flags: PlanbenchFlags, io: CommandIo): void {
  const { containment } = ready.sandbox;
  if (ready.isolation !== null && containment.level !== "strict") io.warn(describeContainment(containment));
  const { record, replay } = flags;
  if (!ready.target.callsModel) warnOfIdleFlags({ record: record ?? null, replay: replay ?? null }, io);
}
