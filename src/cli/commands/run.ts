import type { UnitSkill } from "../../contract/unit-skill.ts";
import { evalOutput, outputOptions, planOptions } from "../../operations/eval/request.ts";
import { findUnitSkills } from "../../operations/find/find-skills.ts";
import { runSelection } from "../../operations/select/run-selection.ts";
import { jsonFormat } from "../../report/formats/json.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { selectionTable } from "../output/selection-table.ts";
import { type DoneRun, reportLines } from "./carry-session-out.ts";
import { evalLevelCommand } from "./eval.ts";
import { runLevelCommand } from "./level-command.ts";
import type { RunFlags } from "./run-options.ts";
import { typedStrategy } from "./typed-strategy.ts";

/** `run`: find, evaluate, choose, report. Every skill that matches is evaluated; choosing comes after. */
export async function runCommand(flags: RunFlags, io: CommandIo): Promise<ExitCode> {
  const strategy = await typedStrategy(flags, io, { minCompletionRate: 0.7, topK: 5 });
  const { gateOn = "point", exitOnFail = false } = flags;
  let found: Awaited<ReturnType<typeof findUnitSkills>> = [];
  let skills: readonly UnitSkill[] = [];
  const selecting = runSelection(strategy, { gateOn, exitOnFail }, () => skills, io.cwd);
  const minCompletion = strategy.filters.minCompletionRate ?? 0;
  return runLevelCommand(
    {
      ...evalLevelCommand,
      async plan(options, loaded, cwd) {
        found = await findUnitSkills(flags.skillsDir, flags.query, cwd);
        // `eval --resume` continues the evaluation only, so the gate of `run` does not apply to it.
        const gateless = { exitOnFail: undefined, minCompletion: undefined, gateOn: undefined };
        const skills = found.map(({ manifest }) => manifest);
        return planOptions({ ...options, ...gateless, skills }, loaded, cwd);
      },
      output(options, loaded, cwd) {
        const output = outputOptions(options, loaded, cwd);
        if (loaded.config.gates.length > 0)
          io.warn(
            `the gates of ${output.configured?.file} do not apply to run, which chooses among skills: its threshold is --min-completion`,
          );
        return evalOutput(
          { ...output, configured: undefined, minCompletion, exitOnFail },
          { command: "run", isInformative: false, conclude: selecting.conclude },
        );
      },
      announce(session, context) {
        skills = session.ready.skills.map(({ skill }) => skill);
        evalLevelCommand.announce(session, context, io);
      },
      async show(done) {
        const selection = selecting.selection();
        const ids = found.map(({ id }) => id);
        if (io.json) io.resultPieces(documentPieces(ids, done, selection));
        else
          io.resultPieces([
            `${selectionTable(selection, io.color)}\n`,
            ...(await reportLines(done.view, io)),
          ]);
        if (selection.selected.length === 0) io.warn("nothing was selected");
      },
    },
    flags,
    io,
  );
}

/** The one document, with the report inside it passed on piece by piece. */
function* documentPieces(
  found: readonly string[],
  { report, cells }: DoneRun,
  selection: object,
): Generator<string> {
  yield `{"schemaVersion":2,"command":"run","found":${JSON.stringify(found)},"report":`;
  yield* jsonFormat.render({ report, cells });
  const chosen = { schemaVersion: 1, command: "select", ...selection };
  yield `,"selection":${JSON.stringify(chosen)},"files":${JSON.stringify(report.files)}}\n`;
}
