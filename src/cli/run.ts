import type { UnitSkill } from "../contract/unit-skill.ts";
import { jsonFormat } from "../reporters/document-json.ts";
import { selectionTable } from "../reporters/selection-table.ts";
import { evalOutput } from "../run/eval-output.ts";
import { findUnitSkills } from "../run/find-unit-skills.ts";
import { outputOptions, planOptions } from "../run/request.ts";
import { runPurpose } from "../run/run-purpose.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import { carryOut } from "./carry-out.ts";
import type { DoneRun } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import { typedConfig } from "./eval-options.ts";
import { wishesOf } from "./eval-request.ts";
import type { ExitCode } from "./exit-codes.ts";
import { typedTelemetry } from "./open-run-telemetry.ts";
import { typedOtlp } from "./otlp.ts";
import type { RunFlags } from "./run-options.ts";
import { reportLines } from "./show-report.ts";
import { toldConfig } from "./told-config.ts";
import { typedStrategy } from "./typed-strategy.ts";

/** `run`: find, evaluate, choose, report. Every skill that matches is evaluated; choosing comes after. */
export async function runCommand(flags: RunFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedConfig(flags));
  const otlp = typedOtlp(flags, loaded.config, io);
  const telemetry = typedTelemetry(loaded.config, io);
  const strategy = await typedStrategy(flags, io, { minCompletionRate: 0.7, topK: 5 });
  const found = await findUnitSkills(flags.skillsDir, flags.query, io.cwd);
  const wishes = { ...wishesOf(flags), skills: found.map(({ manifest }) => manifest) };
  const output = outputOptions(wishes, loaded, io.cwd);
  const { apiKey } = loaded.config.llm;
  const context = surroundingsOf({ ...io, ...flags, output, apiKey, telemetry });
  let skills: readonly UnitSkill[] = [];
  const purpose = runPurpose(strategy, output, () => skills, io.cwd);
  // `eval --resume` goes on with the evaluation, not with the choosing, so the gate of `run` is none of its.
  const gateless = { ...wishes, exitOnFail: undefined, minCompletion: undefined, gateOn: undefined };
  const plan = () => planOptions(gateless, loaded, io.cwd);
  const minCompletion = strategy.filters.minCompletionRate ?? 0;
  const { conclude } = purpose;
  const asked = evalOutput({ ...output, minCompletion }, { command: "run", conclude });

  return carryOut(
    {
      plan,
      output: { ...asked, formats: output.formats },
      context,
      otlp,
      telemetry,
      onReady: ({ ready }) => {
        skills = ready.skills.map(({ skill }) => skill);
      },
      async show(done) {
        const selection = purpose.selection();
        const ids = found.map(({ id }) => id);
        if (io.json) io.resultPieces(documentPieces(ids, done, selection));
        else io.result({}, `${selectionTable(selection, io.color)}\n${await reportLines(done, io)}`);
        if (selection.selected.length === 0) io.warn("nothing was selected");
      },
    },
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
  yield* jsonFormat.render(report, cells);
  const chosen = { schemaVersion: 1, command: "select", ...selection };
  yield `,"selection":${JSON.stringify(chosen)},"files":${JSON.stringify(report.files)}}\n`;
}
