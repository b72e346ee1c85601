import { dirname } from "node:path";
import { describeContainment } from "../reporters/describe-containment.ts";
import { type EvalSession, evalSessions } from "../run/eval-session.ts";
import type { ReadyRun } from "../run/preflight.ts";
import type { Purpose } from "../run/purpose.ts";
import { reportersFor } from "../run/reporters.ts";
import type { OutputOptions, PlanOptions } from "../run/request.ts";
import { type RunEnd, runEval } from "../run/run-eval.ts";
import type { Surroundings } from "../run/surroundings.ts";
import { judgeModels, queriesIn } from "../run/telemetry/query-payload.ts";
import type { RunFacts } from "../run/telemetry/run-telemetry.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import type { OtlpSettings } from "../telemetry/otlp/otlp-settings.ts";
import type { TelemetrySettings } from "../telemetry/settings.ts";
import { carrySessionOut } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellGithub } from "./github.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** A run of `eval` or `run` as the command line asks for it: a new plan, or an old run to resume. */
export interface RunOrder {
  plan(): PlanOptions;
  resume?: string | true | undefined;
  output: OutputOptions;
  context: Surroundings;
  purpose: Purpose;
  /** Where the run is sent to as spans; null where it is not. */
  otlp: OtlpSettings | null;
  telemetry: TelemetrySettings;
}

type DoneRun = Extract<RunEnd, { state: "done" }>;

/** Runs `eval` or `run` from its plan to its exit code; `show` prints what came of it. */
export async function carryOut(
  { plan, resume, output, context, purpose, otlp, telemetry }: RunOrder,
  io: CommandIo,
  show: (end: DoneRun) => void,
): Promise<ExitCode> {
  const reporters = await reportersFor(output.formats);
  return carrySessionOut(
    {
      command: "eval",
      sessions: evalSessions,
      context,
      plan,
      resume,
      namesBegin: "eval-result",
      output,
      telemetry,
      otlp,
      factsOf: ({ ready }) => factsOf(purpose.command, ready),
      announce: (session) => announce(session, context, io),
      run: (session, world) => runEval(session, output, { ...world, reporters }, purpose),
      tellEnd(end, { ready }) {
        show(end);
        tellGithub(end.report, end.cellsOf, io, fileOfSkill(ready, context));
      },
    },
    io,
  );
}

/** What a reader should know before the first cell. */
function announce({ ready }: EvalSession, { judges }: Surroundings, io: CommandIo): void {
  const { containment } = ready.sandbox;
  if (containment.level !== "strict") io.warn(describeContainment(containment));
  const asksModel = ready.judges.length > 0 || ready.triggers?.subjects.some(({ judge }) => judge?.isPaid);
  if (!asksModel) warnOfIdleFlags(judges, io);
  const note =
    ready.triggers &&
    unchosenRouter(ready.triggers.subjects, "triggering.judge.model in eval.yaml names one");
  if (note !== null) io.note(note);
}

function factsOf(command: string, { skills, judges, triggers }: ReadyRun): RunFacts {
  const subjects = triggers?.subjects ?? [];
  return {
    command,
    skills: skills.map(({ skill }) => skill.id),
    models: [...new Set([...judges.map(({ model }) => model.id), ...judgeModels(subjects)])],
    cellsAre: "task",
    queryOf: queriesIn(subjects),
  };
}

/** Where an annotation belongs: at the tasks, which say what was expected; those of ours are in no repository but ours. */
function fileOfSkill({ benchmarkPath, skills }: ReadyRun, { bundledDir }: Surroundings) {
  const manifests = new Map(skills.map(({ skill }) => [skill.id, skill.manifest]));
  const isBundled = dirname(benchmarkPath) === bundledDir;
  return (skillId: string) => (isBundled ? manifests.get(skillId) : benchmarkPath);
}
