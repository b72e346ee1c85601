import { resolve } from "node:path";
import { triggerJsonReporter } from "../reporters/trigger-json.ts";
import { triggerLines } from "../reporters/trigger-lines.ts";
import { saidModels } from "../run/resumed-models.ts";
import { judgeModels, queriesIn } from "../run/telemetry/query-payload.ts";
import type { RunFacts } from "../run/telemetry/run-telemetry.ts";
import { runTrigger } from "../run/triggering/run-trigger.ts";
import { triggerReportersFor } from "../run/triggering/trigger-reporters.ts";
import { triggerOutput, triggerPlan } from "../run/triggering/trigger-request.ts";
import { type TriggerSession, triggerSessions } from "../run/triggering/trigger-session.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellGithubOfTriggers } from "./github.ts";
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
  if (flags.resume === undefined) return testTriggers(flags, io);
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
  const around = { ...passSurroundings(flags, loaded, output, io), said: saidModels(loaded) };
  const plan = () => triggerPlan(wishes, loaded, io.cwd);
  if (flags.dryRun) return triggerDryRun(plan(), around, io);

  const reporters = await triggerReportersFor(output.formats);
  return carrySessionOut(
    {
      command: "trigger",
      sessions: triggerSessions,
      context: around,
      plan,
      resume: flags.resume,
      namesBegin: "trigger-result",
      output,
      telemetry,
      otlp,
      factsOf,
      announce(session) {
        const { subjects } = session.ready;
        const note = unchosenRouter(subjects, "--judge-model asks a model");
        if (note !== null) io.note(note);
        const asksModel = subjects.some(({ judge }) => judge?.kind === "model" || judge?.kind === "catalog");
        if (!asksModel) warnOfIdleFlags({ ...around.models, maxCostUsd: around.maxCostUsd }, io);
      },
      run: (session, world) => runTrigger(session, output, { ...world, reporters }),
      tellEnd({ report, queriesOf }, { ready }) {
        if (io.json) io.resultPieces(triggerJsonReporter.render(report, queriesOf));
        else io.result({}, triggerLines(report, queriesOf, { color: io.color, width: io.width }));
        tellGithubOfTriggers(report, queriesOf, io, (skillId) => fileOf(skillId, ready.subjects));
      },
    },
    io,
  );
}

function factsOf({ ready: { subjects } }: TriggerSession): RunFacts {
  return {
    command: "trigger",
    skills: subjects.map(({ skill }) => skill.id),
    models: judgeModels(subjects),
    cellsAre: "task",
    queryOf: queriesIn(subjects),
  };
}

function fileOf(
  skillId: string,
  subjects: readonly { skill: { id: string }; found: { dir: string } }[],
): string | undefined {
  const subject = subjects.find(({ skill }) => skill.id === skillId);
  return subject === undefined ? undefined : resolve(subject.found.dir, "eval.yaml");
}
