import { useMemo, useState } from "preact/hooks";
import type { ReportFile } from "../src/contract/report.ts";
import { describeInvalid } from "../src/reporters/describe-invalid.ts";
import { CellTable } from "./cell-table.tsx";
import { type CellQuery, everyCell } from "./choose-cells.ts";
import { JudgeTable } from "./judge-table.tsx";
import { RunFacts } from "./run-facts.tsx";
import { SkillDetails } from "./skill-details.tsx";
import { StrangerText } from "./stranger-text.tsx";
import { SummaryTable } from "./summary-table.tsx";
import { VerdictHeader } from "./verdict-header.tsx";

/** The whole report on one page; knows nothing of where the report comes from. */
export function ReportPage({ report, isPrinting }: { report: ReportFile; isPrinting: boolean }) {
  const [query, setQuery] = useState<CellQuery>(everyCell);
  const cells = useMemo(() => report.reports.flatMap(({ taskResults }) => taskResults), [report]);
  const invalid = describeInvalid(report);

  function showCells(given: Partial<CellQuery>): void {
    setQuery({ ...everyCell, ...given });
    document.getElementById("results")?.scrollIntoView();
  }

  return (
    <>
      <VerdictHeader report={report} />
      <main>
        {invalid !== null && <p class="notice notice-invalid">{invalid}</p>}
        {report.warnings.length > 0 && (
          <ul class="notice" aria-label="Warnings">
            {report.warnings.map((warning) => (
              <li key={warning}>
                <StrangerText text={warning} />
              </li>
            ))}
          </ul>
        )}
        <SummaryTable report={report} isPrinting={isPrinting} onChoose={showCells} />
        <SkillDetails report={report} isPrinting={isPrinting} onChoose={showCells} />
        <CellTable
          cells={cells}
          skillIds={report.reports.map(({ skillId }) => skillId)}
          hasTrials={report.run.runs > 1}
          query={query}
          onQuery={setQuery}
          isPrinting={isPrinting}
        />
        <JudgeTable judges={report.judges ?? []} />
        <RunFacts report={report} />
      </main>
      <footer>
        Report schema {report.schemaVersion}, made by eval-skills <StrangerText text={report.tool.version} />.
        Two runs over the same inputs differ only in times, durations, run id and the paths of this machine.
      </footer>
    </>
  );
}
