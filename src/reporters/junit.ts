import {
  type CellReader,
  parseCell,
  type Report,
  type Reporter,
  type SkillReport,
} from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { tasksById } from "./asked-values.ts";
import { describeReach } from "./describe-containment.ts";
import { junitCase } from "./junit-case.ts";
import { xmlTag } from "./junit-tag.ts";
import { addTallies, type JunitTally, junitTally } from "./junit-tally.ts";

/** The report for CI servers: a test suite per skill, a test case per cell. */
export const junitReporter: Reporter = { format: "junit", extension: "xml", render };

function* render(report: Report, cellsOf: CellReader): Generator<string> {
  const { reports, run } = report;
  const asked = tasksById(report);
  // Counts stand before what they count, so the cells pass by twice; none of them is kept.
  const tallies = reports.map((skill) => junitTally(cellsOf(skill.skillId, skill.benchmarkId)));
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlTag("testsuites", { name: "eval-skills", ...countsOf(tallies.reduce(addTallies, noTally)) })}\n`;
  for (const [at, skill] of reports.entries()) {
    yield* openSuite(skill, tallies[at] ?? noTally, report);
    const className = `${skill.skillId}/${skill.benchmarkId}`;
    for (const text of cellsOf(skill.skillId, skill.benchmarkId)) {
      const cell = parseCell(text);
      yield junitCase(cell, { className, hasTrials: run.runs > 1, task: asked.get(cell.taskId) });
    }
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}

const noTally: JunitTally = { tests: 0, failures: 0, errors: 0, skipped: 0, totalMs: 0 };

function* openSuite(skill: SkillReport, tally: JunitTally, { run, tool }: Report): Generator<string> {
  const timestamp = secondOf(isRecorded(run) ? run.startedAt : skill.timestamp);
  yield `  ${xmlTag("testsuite", { name: skill.skillId, ...countsOf(tally), timestamp })}\n`;
  yield "    <properties>\n";
  const properties = {
    skillVersion: skill.skillVersion,
    skillDigest: skill.skillDigest,
    benchmarkId: skill.benchmarkId,
    benchmarkVersion: skill.benchmarkVersion,
    ...(isRecorded(run) && {
      runId: run.id,
      seed: String(run.seed),
      containment: describeReach(run.containment),
      tool: `${tool.name} ${tool.version}`,
    }),
  };
  for (const [name, value] of Object.entries(properties))
    if (value !== "") yield `      ${xmlTag("property", { name, value }, "empty")}\n`;
  yield "    </properties>\n";
}

function countsOf({ tests, failures, errors, skipped, totalMs }: JunitTally) {
  return { tests, failures, errors, skipped, time: (totalMs / 1000).toFixed(3) };
}

/** A time as the format wants it, without fraction and zone; absent where there is none. */
function secondOf(time: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(time)?.[0];
}
