import type { MergedFacts } from "../../engine/prepared-run.ts";
import { levels } from "../../levels/levels.ts";
import { unchosenRouter } from "../../levels/trigger/choose-judge.ts";
import { NothingAffected } from "../../operations/test/affected.ts";
import { estimateTest, type TestEstimate } from "../../operations/test/estimate.ts";
import type { TestContext } from "../../operations/test/level-material.ts";
import { type TestOptions, testTable } from "../../operations/test/options.ts";
import { prepareTest, type ReadyTest } from "../../operations/test/prepare.ts";
import {
  lacksTests,
  type TestOutput,
  type TestPlan,
  testOutput,
  testPlan,
} from "../../operations/test/request.ts";
import { testSessions } from "../../operations/test/session.ts";
import { usd } from "../../report/text/format-numbers.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { endDryRun } from "../io/end-dry-run.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { type LevelCommand, runLevelCommand } from "./level-command.ts";

/** `test`: every test of every skill in one run, from the command line to the exit code. */
export async function testCommand(
  options: TestOptions,
  io: CommandIo,
  merged?: MergedFacts,
): Promise<ExitCode> {
  try {
    return await runLevelCommand(testLevel, options, io, merged);
  } catch (error) {
    if (error instanceof NothingAffected) return endUnaffected(error, options, io);
    throw error;
  }
}

/** What `test` is beside the other commands that make runs. */
export const testLevel = {
  command: "test",
  table: testTable,
  sessions: testSessions,
  plan: testPlan,
  output: testOutput,
  context: ({ configuredModels, ...facts }, { runsDir }) => ({ ...facts, models: configuredModels, runsDir }),
  dryRun: testDryRun,
  announce({ ready }, { judges }, io) {
    const { containment, startsNothing = false, models, trigger } = ready;
    if (!startsNothing && containment.level !== "strict" && containment.level !== "off")
      io.warn(describeContainment(containment));
    if (models.every((model) => model === "mock" || model === "none")) warnOfIdleFlags(judges, io);
    const note = trigger && unchosenRouter(trigger.subjects, "--judge-model asks a model");
    if (note !== null) io.note(note);
  },
} satisfies LevelCommand<TestOptions, TestPlan, ReadyTest, TestContext, TestOutput>;

/** Nothing changed, or only what no chosen test is about: that is no failure, unless skills must have tests. */
function endUnaffected(
  { ref, affected, skills }: NothingAffected,
  options: TestOptions,
  io: CommandIo,
): ExitCode {
  const { total, untested } = skills;
  const document = { ...(options.dryRun && { dryRun: true }), changed: { ref, affected }, untested };
  const names = listed(untested, shownNames);
  const words =
    affected.length === 0
      ? [`nothing changed since ${ref}`]
      : [
          `no tests to run for what changed since ${ref}`,
          ...(untested.length === 0
            ? []
            : [`${pluralize(untested.length, "skill")} without tests: ${names}`]),
        ];
  io.result(document, visibleText(words.join("; ")));
  return options.dryRun !== true && lacksTests(options, untested.length, total) ? 1 : 0;
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

function describe({
  changed,
  skills,
  untested,
  withoutModel,
  levels: rows,
  cells,
  ...costs
}: TestEstimate): string {
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
  const reasons = (changed?.affected ?? []).map(({ name, why }) => visibleText(`${name}: ${why}`));
  return [
    ...(reasons.length === 0 ? [] : [...reasons, ""]),
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
