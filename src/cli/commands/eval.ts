import type { RunContext } from "../../engine/run-context.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { unchosenRouter } from "../../levels/trigger/unchosen-router.ts";
import { type EvalOptions, evalTable } from "../../levels/unit/options.ts";
import { evalOutput } from "../../operations/eval/output.ts";
import {
  type OutputOptions,
  outputOptions,
  type PlanOptions,
  planOptions,
} from "../../operations/eval/request.ts";
import { type EvalSession, evalSessions } from "../../operations/eval/session.ts";
import { describeContainment } from "../../report/view/describe-containment.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { dryRun } from "./dry-run.ts";
import { type LevelCommand, runLevelCommand } from "./level-command.ts";

/** Skills against a benchmark; `run` changes some of it. */
export const evalLevelCommand: LevelCommand<
  EvalOptions,
  PlanOptions,
  EvalSession["ready"],
  RunContext,
  OutputOptions & RunOutput
> = {
  command: "eval",
  table: evalTable,
  sessions: evalSessions,
  plan: planOptions,
  output: (options, loaded, cwd) => evalOutput(outputOptions(options, loaded, cwd)),
  context: ({ said, ...facts }) => ({ ...facts, models: said }),
  dryRun,
  announce({ ready }, { judges }, io) {
    const { containment } = ready.sandbox;
    if (containment.level !== "strict") io.warn(describeContainment(containment));
    const asksModel = ready.judges.length > 0 || ready.triggers?.subjects.some(({ judge }) => judge?.isPaid);
    if (!asksModel) warnOfIdleFlags(judges, io);
    const note =
      ready.triggers &&
      unchosenRouter(ready.triggers.subjects, "triggering.judge.model in eval.yaml names one");
    if (note !== null) io.note(note);
  },
};

/** A gate that was typed is meant to be enforced. */
function withEnforcedGate(options: EvalOptions): EvalOptions {
  return options.minCompletion === undefined ? options : { ...options, exitOnFail: true };
}

/** `eval`: skills against a benchmark, from the command line to the exit code. */
export function evalCommand(options: EvalOptions, io: CommandIo): Promise<ExitCode> {
  return runLevelCommand(evalLevelCommand, withEnforcedGate(options), io);
}
