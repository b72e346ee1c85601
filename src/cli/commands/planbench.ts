import { type PlanbenchOptions, planbenchTable } from "../../levels/planbench/options.ts";
import { benchOutput, benchPlan } from "../../levels/planbench/request.ts";
import { benchSessions } from "../../levels/planbench/session.ts";
import { describeContainment } from "../../report/view/describe-containment.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { runLevelCommand } from "./level-command.ts";
import { planbenchDryRun } from "./planbench-dry-run.ts";

/** `planbench`: plans of a model or a service, measured, from the command line to the exit code. */
export function planbenchCommand(options: PlanbenchOptions, io: CommandIo): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "planbench",
      table: planbenchTable,
      sessions: benchSessions,
      plan: benchPlan,
      output: benchOutput,
      context: ({ env, version, judges, exclude, storePath, concurrency, said }, { includePlan }) => ({
        env,
        version,
        models: judges,
        exclude,
        storePath,
        concurrency,
        includePlan,
        said,
      }),
      dryRun: planbenchDryRun,
      announce({ ready: { containment, isolation, target } }, { models }) {
        if (isolation !== null && containment.level !== "strict") io.warn(describeContainment(containment));
        if (!target.callsModel) warnOfIdleFlags(models, io);
      },
    },
    options,
    io,
  );
}
