import type { PlanReportFile } from "../src/contract/planbench-report.ts";
import { describePlanGate, describeUnanswered } from "../src/reporters/planbench/plan-gate-words.ts";
import { PageHeader } from "./page-header.tsx";
import { planVerdictOf } from "./plan-verdict-of.ts";
import { StrangerText } from "./stranger-text.tsx";

/** What a reader of `planbench` wants to know first: the verdict, what it rests on, whose plans were measured and how. */
export function PlanHeader({ report }: { report: PlanReportFile }) {
  const { run, tool, gate, summary } = report;
  const verdict = planVerdictOf(report);
  const unanswered = describeUnanswered(report);
  const others = run.answeredBy.filter((id) => id !== run.model);
  return (
    <PageHeader
      verdict={verdict}
      passed={report.passed}
      total={report.total}
      did="samples ok"
      run={run}
      stamps={[
        ["Bench", run.bench],
        ["Model", run.model],
        ...(others.length === 0 ? [] : [["Answered by", others.join(", ")] as const]),
        ["Schema", run.schema.name],
        ["Samples per case", String(run.samples)],
        ["Repairs at most", String(run.maxRepairs)],
        ["Seed", String(run.seed)],
        ["Tool", `${tool.name} ${tool.version}`],
      ]}
    >
      <p class="gate">{verdict.why}</p>
      {[
        ...gate.checks.map((check) => describePlanGate(check, summary)),
        ...(unanswered === null ? [] : [unanswered]),
      ].map((words, place) => (
        <p key={place} class="gate">
          <StrangerText text={words} limit={600} />
        </p>
      ))}
    </PageHeader>
  );
}
