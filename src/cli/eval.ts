import { evalOutput } from "../run/eval-output.ts";
import { evalSessions } from "../run/eval-session.ts";
import { outputOptions, planOptions } from "../run/request.ts";
import { saidModels } from "../run/resumed-models.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import { carryOut } from "./carry-out.ts";
import type { CommandIo } from "./command-io.ts";
import { dryRun } from "./dry-run.ts";
import { type EvalFlags, typedConfig } from "./eval-options.ts";
import { planFlags, wishesOf } from "./eval-request.ts";
import type { ExitCode } from "./exit-codes.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import { resumedFlags } from "./resumed-flags.ts";
import { toldConfig } from "./told-config.ts";

/** `eval`: skills against a benchmark, from the command line to the exit code. */
export async function evalCommand(flags: EvalFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.resume === undefined && flags.rescore === undefined) return evaluateSkills(flags, io);
  const resumption = { planFlags, config: typedConfig(flags), toResume: evalSessions.toResume };
  return evaluateSkills(await resumedFlags(flags, resumption, io), io);
}

async function evaluateSkills(flags: EvalFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedConfig(flags));
  const otlp = typedOtlp(flags, loaded.config, io);
  const telemetry = typedTelemetry(loaded.config, io);
  const wishes = wishesOf(flags);
  const output = outputOptions(wishes, loaded, io.cwd);
  const context = {
    ...surroundingsOf({ ...io, ...flags, output, apiKey: loaded.config.llm.apiKey, telemetry }),
    models: saidModels(loaded),
  };
  const plan = () => planOptions(wishes, loaded, io.cwd);
  if (flags.dryRun) return dryRun(plan(), context, io);

  const asked = { ...evalOutput(output), formats: output.formats };
  return carryOut(
    { plan, resume: flags.resume, rescore: flags.rescore, output: asked, context, otlp, telemetry },
    io,
  );
}
