import { useMemo, useState } from "preact/hooks";
import type { ReportFile } from "../src/contract/report.ts";
import { tasksById } from "../src/reporters/asked-values.ts";
import { describeInvalid } from "../src/reporters/describe-invalid.ts";
import { CellTable } from "./cell-table.tsx";
import { type CellQuery, everyCell } from "./choose-cells.ts";
import { JudgeTable } from "./judge-table.tsx";
import { Notices } from "./notices.tsx";
import { PageFooter } from "./page-footer.tsx";
import { RunFacts } from "./run-facts.tsx";
import { skillCells } from "./skill-cell.ts";
import { SkillDetails } from "./skill-details.tsx";
import { SummaryTable } from "./summary-table.tsx";
import { TriggeringSection } from "./triggering-section.tsx";
import { VerdictHeader } from "./verdict-header.tsx";

/** The whole report on one page; knows nothing of where the report comes from. */
export function ReportPage({ report, isPrinting }: { report: ReportFile; isPrinting: boolean }) {
  const [query, setQuery] = useState<CellQuery>(everyCell);
  const cells = useMemo(() => skillCells(report), [report]);

  const tasks = useMemo(() => tasksById(report), [report]);

  function showCells(given: Partial<CellQuery>): void {
    setQuery({ ...everyCell, ...given });
    document.getElementById("results")?.scrollIntoView();
  }

  // A long list of skills would stand between a reader and what failed.
  const isLong = report.reports.length > 3;
  const details = <SkillDetails report={report} isPrinting={isPrinting} onChoose={showCells} />;
  return (
    <>
      <VerdictHeader report={report} />
      <main>
        <Notices invalid={describeInvalid(report)} warnings={report.warnings} isPrinting={isPrinting} />
        <SummaryTable report={report} isPrinting={isPrinting} onChoose={showCells} />
        {!isLong && details}
        <CellTable
          cells={cells}
          tasks={tasks}
          skills={report.reports}
          hasTrials={report.run.runs > 1}
          query={query}
          onQuery={setQuery}
          isPrinting={isPrinting}
        />
        <TriggeringSection report={report} isPrinting={isPrinting} />
        {isLong && details}
        <JudgeTable judges={report.judges ?? []} />
        <RunFacts report={report} />
      </main>
      <PageFooter report={report} />
    </>
  );
}
