import { useMemo, useState } from "preact/hooks";
import type { ReportFile } from "../src/contract/report.ts";
import { standingOf } from "../src/reporters/describe-query.ts";
import { describeTriggerCounts, sumTriggerCounts } from "../src/reporters/describe-trigger-counts.ts";
import { toldEntries } from "../src/reporters/told-entries.ts";
import { everyQuery, type QueryChoice } from "./choose-queries.ts";
import { QueryTable } from "./query-table.tsx";
import { triggeringQueries } from "./shown-query.ts";
import { SkippedSkills } from "./skipped-skills.tsx";
import { triggeringRows } from "./trigger-row.ts";
import { TriggerSummary } from "./trigger-summary.tsx";

/** The trigger tests of an `eval` or a `run`: figures per skill, and the queries, at first those that did not pass. */
export function TriggeringSection({ report, isPrinting }: { report: ReportFile; isPrinting: boolean }) {
  const queries = useMemo(() => triggeringQueries(report), [report]);
  const rows = useMemo(() => triggeringRows(report), [report]);
  const [choice, setChoice] = useState<QueryChoice>(() => ({
    ...everyQuery,
    standings: queries.some((query) => standingOf(query) !== "passed") ? ["failed", "inconclusive"] : [],
  }));
  const told = toldEntries(report);
  if (told.length === 0) return null;

  function showSkill(skillId: string): void {
    setChoice({ ...everyQuery, skillId });
    document.getElementById("queries")?.scrollIntoView();
  }

  return (
    <section aria-labelledby="triggering-title">
      <h2 id="triggering-title">Triggering</h2>
      {rows.length > 0 && <p class="legend">{describeTriggerCounts(sumTriggerCounts(rows))}</p>}
      <TriggerSummary rows={rows} isPrinting={isPrinting} onChoose={showSkill} />
      <SkippedSkills skills={told} isPrinting={isPrinting} />
      {queries.length > 0 && (
        <div id="queries" class="inner">
          <QueryTable queries={queries} choice={choice} onChoice={setChoice} isPrinting={isPrinting} />
        </div>
      )}
    </section>
  );
}
