import { useMemo, useState } from "preact/hooks";
import type { TriggerReportFile } from "../src/contract/trigger-report.ts";
import { describePositionBias } from "../src/reporters/position-bias.ts";
import { triggerRunFacts } from "../src/reporters/trigger-run-facts.ts";
import { everyQuery, type QueryChoice } from "./choose-queries.ts";
import { ConfusionSection } from "./confusion-section.tsx";
import { FactList } from "./fact-list.tsx";
import { Notices } from "./notices.tsx";
import { PageFooter } from "./page-footer.tsx";
import { QueryTable } from "./query-table.tsx";
import { triggerQueries } from "./shown-query.ts";
import { SkippedSkills } from "./skipped-skills.tsx";
import { textsOfField } from "./texts-of-field.ts";
import { TriggerHeader } from "./trigger-header.tsx";
import { triggerRows } from "./trigger-row.ts";
import { TriggerSkillDetails } from "./trigger-skill-details.tsx";
import { TriggerSummary } from "./trigger-summary.tsx";

/** A report of `trigger` on one page; knows nothing of where the report comes from. */
export function TriggerPage({ report, isPrinting }: { report: TriggerReportFile; isPrinting: boolean }) {
  const [choice, setChoice] = useState<QueryChoice>(everyQuery);
  const { results } = report;
  const queries = useMemo(() => triggerQueries(report), [report]);
  const rows = useMemo(() => triggerRows(report), [report]);
  const textsOf = useMemo(() => textsOfField(queries), [queries]);

  function showSkill(skillId: string): void {
    setChoice({ ...everyQuery, skillId });
    document.getElementById("queries")?.scrollIntoView();
  }

  // A long list of skills would stand between a reader and what failed.
  const isLong = rows.length > 3;
  const details = <TriggerSkillDetails results={results} isPrinting={isPrinting} />;
  return (
    <>
      <TriggerHeader report={report} queries={queries} />
      <main>
        <Notices invalid={null} warnings={report.warnings} isPrinting={isPrinting} />
        <section aria-labelledby="summary-title">
          <h2 id="summary-title">Skills</h2>
          <TriggerSummary rows={rows} isPrinting={isPrinting} onChoose={showSkill} />
          <SkippedSkills skills={results} isPrinting={isPrinting} />
        </section>
        {!isLong && details}
        {report.confusion != null && (
          <ConfusionSection
            confusion={report.confusion}
            textsOf={textsOf}
            note={describePositionBias(results)}
          />
        )}
        {queries.length > 0 && (
          <section id="queries" aria-labelledby="queries-title">
            <h2 id="queries-title">Queries</h2>
            <QueryTable queries={queries} choice={choice} onChoice={setChoice} isPrinting={isPrinting} />
          </section>
        )}
        {isLong && details}
        <section aria-labelledby="run-title">
          <h2 id="run-title">Run</h2>
          <FactList class="facts-wide" facts={triggerRunFacts(report)} />
        </section>
      </main>
      <PageFooter report={report} />
    </>
  );
}
