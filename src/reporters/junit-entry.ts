import type { Report } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { describeJudge } from "./describe-judge.ts";
import { skipWords } from "./describe-skips.ts";
import { junitQuery, junitSkipped, tallyQueries } from "./junit-queries.ts";
import { junitCounts, junitProperties, junitSecond } from "./junit-suite.ts";
import { xmlTag } from "./junit-tag.ts";
import { type JunitTally, noTally } from "./junit-tally.ts";

/** The trigger queries of one skill of `eval` as a test suite of their own. */
export function* junitEntry(entry: TriggeringEntry, { run }: Report): Generator<string> {
  const { skillId, skipped, results = [] } = entry;
  const timestamp = isRecorded(run) ? junitSecond(run.startedAt) : undefined;
  yield `  ${xmlTag("testsuite", { name: `${skillId} triggering`, ...junitCounts(tallyEntry(entry)), timestamp })}\n`;
  if (skipped !== null) yield junitSkipped(skillId, `${skipped}: ${skipWords[skipped]}`);
  else {
    yield* junitProperties({
      judge: describeJudge(entry.judge, entry),
      notes: (entry.notes ?? []).join(", "),
    });
    for (const query of results) yield junitQuery(query, skillId);
  }
  yield "  </testsuite>\n";
}

/** What the suite of an entry counts. */
export function tallyEntry({ skipped, results = [] }: TriggeringEntry): JunitTally {
  return skipped === null ? tallyQueries(results) : { ...noTally, tests: 1, skipped: 1 };
}
