import { levels } from "../../levels/levels.ts";
import { unchosenRouter } from "../../levels/trigger/choose-judge.ts";
import { estimateTest, type TestEstimate } from "../../operations/test/estimate.ts";
import type { TestContext } from "../../operations/test/level-material.ts";
import { type TestOptions, testTable } from "../../operations/test/options.ts";
import { prepareTest } from "../../operations/test/prepare.ts";
import { type TestPlan, testOutput, testPlan } from "../../operations/test/request.ts";
import { testSessions } from "../../operations/test/session.ts";
import { usd } from "../../report/text/format-numbers.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { endDryRun } from "../io/end-dry-run.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { runLevelCommand } from "./level-command.ts";

/** `test`: every test of every skill in one run, from the command line to the exit code. */
export function testCommand(options: TestOptions, io: CommandIo): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "test",
      table: testTable,
      sessions: testSessions,
      plan: testPlan,
      output: testOutput,
      context: ({ configuredModels, ...facts }, { runsDir }) => ({
        ...facts,
        models: configuredModels,
        runsDir,
      }),
      dryRun: testDryRun,
      announce({ ready }, { judges }) {
        const { containment, startsNothing = false, models, trigger } = ready;
        if (!startsNothing && containment.level !== "strict" && containment.level !== "off")
          io.warn(describeContainment(containment));
        if (models.every((model) => model === "mock" || model === "none")) warnOfIdleFlags(judges, io);
        const note = trigger && unchosenRouter(trigger.subjects, "--judge-model asks a model");
        if (note !== null) io.note(note);
      },
    },
    options,
    io,
  );
}

/** `test --dry-run`: everything is found, read, checked and counted; nothing is run, and nothing is written. */
async function testDryRun(plan: TestPlan, context: TestContext, io: CommandIo): Promise<ExitCode> {
  // A dry run makes no calls, so it must not create the folder for recordings.
  const judges = { ...context.judges, record: null };
  await using ready = await prepareTest(plan, { ...context, judges, isDryRun: true });
  const estimate = await estimateTest(ready);
  return endDryRun(ready, estimate, describe(estimate), io);
}

const shownNames = 5;

function describe({ skills, untested, withoutModel, levels: rows, cells, ...costs }: TestEstimate): string {
  const named = (names: readonly string[]) => visibleText(listed(names, shownNames));
  const lines = rows.map(({ level, suites, cases, cells: count, ...cost }) => {
    const nouns = levels.find(({ name }) => name === level)?.nouns.case ?? (["case", "cases"] as const);
    return [
      level,
      pluralize(suites, "suite"),
      pluralize(cases, ...nouns),
      pluralize(count, "cell"),
      calls(cost),
    ];
  });
  return [
    ...alignedLines(lines, {}),
    "",
    ...(untested.length === 0
      ? []
      : [`${pluralize(untested.length, "skill")} without tests: ${named(untested)}`]),
    ...(withoutModel.length === 0 ? [] : [`${withoutModel.length} need a model: ${named(withoutModel)}`]),
    `${pluralize(skills, "skill")}, ${pluralize(cells, "cell")}, ${calls(costs)}`,
    "nothing was run",
  ].join("\n");
}

function calls({ modelCalls, maxUsd }: { modelCalls: number; maxUsd: number | null }): string {
  if (modelCalls === 0) return "no model";
  const cost = maxUsd === null ? "cost unknown" : `at most ${usd(maxUsd)}`;
  return `${pluralize(modelCalls, "model call")} or more, ${cost}`;
}
