import type { CellReader, Report, Reporter, SkillReport } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { tasksById } from "./asked-values.ts";
import { describeReach } from "./describe-containment.ts";
import { junitCase } from "./junit-case.ts";
import { junitEntry, tallyEntry } from "./junit-entry.ts";
import { junitCounts, junitProperties, junitSecond } from "./junit-suite.ts";
import { xmlTag } from "./junit-tag.ts";
import { addTallies, type JunitTally, junitTally, noTally } from "./junit-tally.ts";
import { toldEntries } from "./told-entries.ts";

/** The report for CI servers: a test suite per skill, a test case per cell, and the same for its trigger queries. */
export const junitReporter: Reporter = { format: "junit", extension: "xml", render };

function* render(report: Report, cellsOf: CellReader): Generator<string> {
  const { reports, run } = report;
  const asked = tasksById(report);
  // Counts stand before what they count, so the cells pass by twice; none of them is kept.
  const tallies = reports.map((skill) => junitTally(cellsOf(skill.skillId, skill.benchmarkId)));
  const triggering = toldEntries(report);
  const all = [...tallies, ...triggering.map(tallyEntry)].reduce(addTallies, noTally);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `${xmlTag("testsuites", { name: "eval-skills", ...junitCounts(all) })}\n`;
  for (const [at, skill] of reports.entries()) {
    yield* openSuite(skill, tallies[at] ?? noTally, report);
    const className = `${skill.skillId}/${skill.benchmarkId}`;
    for (const cell of cellsOf(skill.skillId, skill.benchmarkId)) {
      yield junitCase(cell, { className, hasTrials: run.runs > 1, task: asked.get(cell.taskId) });
    }
    yield "  </testsuite>\n";
  }
  for (const entry of triggering) yield* junitEntry(entry, report);
  yield "</testsuites>\n";
}

function* openSuite(skill: SkillReport, tally: JunitTally, { run, tool }: Report): Generator<string> {
  const timestamp = junitSecond(isRecorded(run) ? run.startedAt : skill.timestamp);
  yield `  ${xmlTag("testsuite", { name: skill.skillId, ...junitCounts(tally), timestamp })}\n`;
  yield* junitProperties({
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
  });
}
