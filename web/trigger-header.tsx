import type { JudgeName, TriggerReportFile } from "../src/contract/trigger-report.ts";
import { describeJudge } from "../src/reporters/describe-judge.ts";
import { notPassedWords, sumTriggerCounts } from "../src/reporters/describe-trigger-counts.ts";
import { describeTriggerGate } from "../src/reporters/describe-trigger-gate.ts";
import { PageHeader } from "./page-header.tsx";
import type { ShownQuery } from "./shown-query.ts";
import { StrangerText } from "./stranger-text.tsx";
import { triggerVerdictOf } from "./trigger-verdict-of.ts";

/** What a reader of `trigger` wants to know first: the verdict, what it rests on, and who judged. */
export function TriggerHeader(props: { report: TriggerReportFile; queries: readonly ShownQuery[] }) {
  const { report, queries } = props;
  const { run, passed, total, results, tool } = report;
  const verdict = triggerVerdictOf(report, queries);
  const others = notPassedWords(sumTriggerCounts(results));
  const gate = describeTriggerGate(report.gate);
  return (
    <PageHeader
      verdict={verdict}
      passed={passed}
      total={total}
      rest={others.map((words) => `, ${words}`).join("")}
      run={run}
      stamps={[
        ...judgesOf(results),
        ["Repeats", String(run.repeats)],
        ["Threshold", String(run.threshold)],
        ["Concurrency", String(run.concurrency)],
        ["Seed", String(run.seed)],
        ["Tool", `${tool.name} ${tool.version}`],
      ]}
    >
      <p class="gate">{verdict.why}</p>
      {gate !== null && (
        <p class="gate">
          <StrangerText text={gate} limit={600} />
        </p>
      )}
    </PageHeader>
  );
}

/** Who judged, each once, with the skills it judged where there are several. */
function judgesOf(results: TriggerReportFile["results"]): [string, string][] {
  const judges = new Map<string, { judge: JudgeName; skills: number }>();
  for (const { judge, skipped } of results) {
    if (skipped !== null) continue;
    const words = describeJudge(judge);
    const known = judges.get(words) ?? { judge, skills: 0 };
    judges.set(words, { judge, skills: known.skills + 1 });
  }
  const all = [...judges];
  if (all.length < 2) return all.map(([words]) => ["Judge", words]);
  return all.map(([words, { skills }], place) => [
    `Judge ${place + 1}, of ${skills === 1 ? "1 skill" : `${skills} skills`}`,
    words,
  ]);
}
