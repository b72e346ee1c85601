import { saidModels } from "../run/resumed-models.ts";
import { triggerOutput, triggerPlan } from "../run/triggering/trigger-request.ts";
import { triggerSessions } from "../run/triggering/trigger-session.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import { passSurroundings } from "./pass-surroundings.ts";
import { resumedFlags } from "./resumed-flags.ts";
import { toldConfig } from "./told-config.ts";
import { triggerDryRun } from "./trigger-dry-run.ts";
import type { TriggerFlags } from "./trigger-options.ts";
import { planFlags, wishesOf } from "./trigger-request.ts";
import { typedRunConfig } from "./typed-run-config.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** `trigger`: queries against a judge, from the command line to the exit code. */
export async function triggerCommand(flags: TriggerFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.resume === undefined && flags.rescore === undefined) return testTriggers(flags, io);
  const resumption = {
    planFlags,
    named: { what: "<skills...>", values: flags.skills },
    config: typedRunConfig(flags),
    toResume: triggerSessions.toResume,
  };
  return testTriggers(await resumedFlags(flags, resumption, io), io);
}

async function testTriggers(flags: TriggerFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedRunConfig(flags));
  const otlp = typedOtlp(flags, loaded.config, io);
  const telemetry = typedTelemetry(loaded.config, io);
  const wishes = wishesOf(flags);
  const output = triggerOutput(wishes, loaded, io.cwd);
  const context = { ...passSurroundings(flags, loaded, output, io), said: saidModels(loaded) };
  const plan = () => triggerPlan(wishes, loaded, io.cwd);
  if (flags.dryRun) return triggerDryRun(plan(), context, io);
  return carrySessionOut(
    {
      command: "trigger",
      sessions: triggerSessions,
      context,
      plan,
      resume: flags.resume,
      rescore: flags.rescore,
      output,
      kind: "trigger",
      telemetry,
      otlp,
      announce({ ready: { subjects } }) {
        const note = unchosenRouter(subjects, "--judge-model asks a model");
        if (note !== null) io.note(note);
        const asksModel = subjects.some(({ judge }) => judge?.kind === "model" || judge?.kind === "catalog");
        if (!asksModel) warnOfIdleFlags({ ...context.models, maxCostUsd: context.maxCostUsd }, io);
      },
    },
    io,
  );
}
