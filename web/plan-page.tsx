import { useMemo, useState } from "preact/hooks";
import type { PlanReportFile } from "../src/contract/planbench-report.ts";
import { planRunFacts } from "../src/reporters/planbench/plan-facts.ts";
import { planOverview } from "../src/reporters/planbench/plan-overview.ts";
import { scriptedNote } from "../src/reporters/planbench/sample-words.ts";
import { everySample, type SampleChoice } from "./choose-samples.ts";
import { FactList } from "./fact-list.tsx";
import { Notices } from "./notices.tsx";
import { PageFooter } from "./page-footer.tsx";
import { PlanHeader } from "./plan-header.tsx";
import { SampleTable } from "./sample-table.tsx";
import { StratumSection } from "./stratum-section.tsx";

/** A report of `planbench` on one page; knows nothing of where the report comes from. */
export function PlanPage({ report, isPrinting }: { report: PlanReportFile; isPrinting: boolean }) {
  const [choice, setChoice] = useState<SampleChoice>(everySample);
  const { results, summary, warnings } = report;
  const overviews = useMemo(() => planOverview(() => results), [results]);
  const note = scriptedNote(report);

  function show(part: Partial<SampleChoice>): void {
    setChoice({ ...everySample, ...part });
    document.getElementById("samples")?.scrollIntoView();
  }

  return (
    <>
      <PlanHeader report={report} />
      <main>
        <Notices
          invalid={note === null ? null : `${note.charAt(0).toUpperCase()}${note.slice(1)}.`}
          warnings={warnings}
          isPrinting={isPrinting}
        />
        {summary.map((table) => (
          <StratumSection
            key={table.route}
            table={table}
            overview={overviews.find(({ route }) => route === table.route)}
            report={report}
            onChoose={(reason) => show({ route: table.route, reason })}
          />
        ))}
        <section id="samples" aria-labelledby="samples-title">
          <h2 id="samples-title">Samples</h2>
          <SampleTable
            report={report}
            overviews={overviews}
            choice={choice}
            onChoice={setChoice}
            isPrinting={isPrinting}
          />
        </section>
        <section aria-labelledby="run-title">
          <h2 id="run-title">Run</h2>
          <FactList class="facts-wide" facts={planRunFacts(report)} />
        </section>
      </main>
      <PageFooter report={report} />
    </>
  );
}
