import type { ReportFile } from "../src/contract/report.ts";
import { isRecorded } from "../src/contract/unrecorded-run.ts";
import { gateReason } from "../src/reporters/describe-gate.ts";
import { runFacts } from "../src/reporters/run-facts.ts";
import { PageHeader } from "./page-header.tsx";
import { StrangerText } from "./stranger-text.tsx";
import { verdictOf } from "./verdict-of.ts";

/** What a reader of `eval` or `run` wants to know first. */
export function VerdictHeader({ report }: { report: ReportFile }) {
  const { run, passed, total } = report;
  const verdict = verdictOf(report);
  return (
    <PageHeader
      verdict={verdict}
      passed={passed}
      total={total}
      run={isRecorded(run) ? run : null}
      stamps={stamps(report)}
    >
      {report.gate.enforced && (
        <p class="gate">
          Gate: <StrangerText text={`${gateReason(report)}.`} limit={600} />
        </p>
      )}
      {verdict.why !== undefined && (
        <p class="gate">
          <StrangerText text={verdict.why} limit={600} />
        </p>
      )}
    </PageHeader>
  );
}

const stamped = [
  "Containment",
  "Not proven",
  "Stronger with",
  "Trials per task",
  "Concurrency",
  "Seed",
  "Tool",
  "Judged by",
];

/** The facts of the run that nobody should have to look for. */
function stamps(report: ReportFile): [string, string][] {
  const facts = runFacts(report);
  return stamped.flatMap((stamp) => facts.filter(([name]) => name === stamp));
}
