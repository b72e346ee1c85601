import { type TriggerOptions, triggerTable } from "../../levels/trigger/options.ts";
import { triggerOutput, triggerPlan } from "../../levels/trigger/request.ts";
import { triggerSessions } from "../../levels/trigger/session.ts";
import { unchosenRouter } from "../../levels/trigger/unchosen-router.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { runLevelCommand } from "./level-command.ts";
import { triggerContext } from "./trigger-context.ts";
import { triggerDryRun } from "./trigger-dry-run.ts";

/** `trigger`: queries against a judge, from the command line to the exit code. */
export function triggerCommand(options: TriggerOptions, io: CommandIo): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "trigger",
      table: triggerTable,
      sessions: triggerSessions,
      plan: triggerPlan,
      output: triggerOutput,
      context: (facts, { allowInconclusive }, typed) => ({
        ...triggerContext(facts, typed, allowInconclusive),
        said: facts.said,
      }),
      dryRun: triggerDryRun,
      announce({ ready: { subjects } }, { models, maxCostUsd }) {
        const note = unchosenRouter(subjects, "--judge-model asks a model");
        if (note !== null) io.note(note);
        const asksModel = subjects.some(({ judge }) => judge?.kind === "model" || judge?.kind === "catalog");
        if (!asksModel) warnOfIdleFlags({ ...models, maxCostUsd }, io);
      },
    },
    options,
    io,
  );
}
