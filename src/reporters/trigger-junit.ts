import type {
  QueryReader,
  TriggerReport,
  TriggerReporter,
  TriggerResult,
} from "../contract/trigger-report.ts";
import { describeJudge } from "./describe-judge.ts";
import { skipWords } from "./describe-skips.ts";
import { junitQuery, junitSkipped, tallyQueries } from "./junit-queries.ts";
import { junitCounts, junitProperties, junitSecond } from "./junit-suite.ts";
import { xmlTag } from "./junit-tag.ts";
import { addTallies, type JunitTally, noTally } from "./junit-tally.ts";

/** The report on triggering for CI servers: a test suite per skill, a test case per query. */
export const triggerJunitReporter: TriggerReporter = { format: "junit", extension: "xml", render };

function* render(report: TriggerReport, queriesOf: QueryReader): Generator<string> {
  // Counts stand before what they count, so the queries pass by twice; none of them is kept.
  const tallies = report.results.map((result) => tallyOf(result, queriesOf));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlTag("testsuites", { name: "eval-skills trigger", ...junitCounts(tallies.reduce(addTallies, noTally)) })}\n`;
  for (const [at, result] of report.results.entries()) {
    yield* openSuite(result, tallies[at] ?? noTally, report);
    if (result.skipped !== null)
      yield junitSkipped(result.skillId, `${result.skipped}: ${skipWords[result.skipped]}`);
    else for (const query of queriesOf(result.skillId)) yield junitQuery(query, result.skillId);
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}

function tallyOf({ skipped, skillId }: TriggerResult, queriesOf: QueryReader): JunitTally {
  return skipped === null ? tallyQueries(queriesOf(skillId)) : { ...noTally, tests: 1, skipped: 1 };
}

function* openSuite(
  result: TriggerResult,
  tally: JunitTally,
  { run, tool }: TriggerReport,
): Generator<string> {
  const timestamp = junitSecond(run.startedAt);
  yield `  ${xmlTag("testsuite", { name: result.skillId, ...junitCounts(tally), timestamp })}\n`;
  yield* junitProperties({
    skillDigest: result.skillDigest,
    judge: result.skipped === null ? describeJudge(result.judge, result) : "",
    notes: result.notes.join(", "),
    runId: run.id,
    seed: String(run.seed),
    tool: `${tool.name} ${tool.version}`,
  });
}
