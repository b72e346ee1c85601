import { useCallback, useMemo } from "preact/hooks";
import { pluralize } from "../../src/shared/text/phrases.ts";
import { Blocks } from "./blocks.tsx";
import { CaseMatrix } from "./case-matrix.tsx";
import { CellTable } from "./cell-table.tsx";
import { PageHeader } from "./page-header.tsx";
import { type PageState, usePageState } from "./page-state.ts";
import type { Report } from "./read-report.ts";
import { groupSubjects, SubjectTable } from "./subject-table.tsx";
import { grouped, StrangerText } from "./values.tsx";

/** A report of any level. */
export function ReportPage({ report, isPrinting }: { report: Report; isPrinting: boolean }) {
  const control = usePageState();
  const { change } = control;
  const show = useCallback((chosen: Partial<PageState>) => change(chosen, { key: null }), [change]);
  const groups = useMemo(() => groupSubjects(report.subjects), [report]);
  return (
    <>
      <PageHeader report={report} isPrinting={isPrinting} onChoose={show} />
      <Contents
        parts={[
          ...groups.map(({ title }, at) => [`subjects-${at}`, title] as const),
          ...(report.cellsInAll === null ? [["matrix", "Matrix"] as const] : []),
          ...report.sections.map(({ title }, at) => [`section-${at}`, title] as const),
          ["cells", "Results"],
        ]}
      />
      <main>
        <Notices report={report} isPrinting={isPrinting} />
        {groups.map((group, at) => (
          <SubjectTable
            key={at}
            id={`subjects-${at}`}
            group={group}
            isPrinting={isPrinting}
            onChoose={show}
          />
        ))}
        {report.cellsInAll === null && (
          <CaseMatrix report={report} isPrinting={isPrinting} onChoose={change} />
        )}
        <Sections report={report} />
        <CellTable report={report} control={control} isPrinting={isPrinting} />
      </main>
      <footer>
        Made by <StrangerText text={report.run.tool} limit={120} />, run{" "}
        <StrangerText text={report.run.id} limit={120} />. The address of this page says what is chosen in it.
      </footer>
    </>
  );
}

/** Leads to the parts of the page. No links: the address says what is chosen. */
function Contents({ parts }: { parts: readonly (readonly [id: string, title: string])[] }) {
  return (
    <nav class="contents" aria-label="Parts of the page">
      {parts.map(([id, title]) => (
        <button
          key={id}
          type="button"
          class="link"
          onClick={() => document.getElementById(id)?.scrollIntoView({ block: "start" })}
        >
          <StrangerText text={title} limit={60} />
        </button>
      ))}
    </nav>
  );
}

function Sections({ report }: { report: Report }) {
  return (
    <>
      {report.sections.map(({ title, note, blocks }, at) => (
        <section key={at} class="level-section">
          <h2 id={`section-${at}`}>
            <StrangerText text={title} limit={160} />
          </h2>
          {note !== undefined && (
            <p class="section-note">
              <StrangerText text={note} />
            </p>
          )}
          <Blocks blocks={blocks} />
        </section>
      ))}
    </>
  );
}

const listedAtFirst = 5;

/** What a reader should know before the figures: that cells are missing, what the run warned of, what was skipped. */
function Notices({ report, isPrinting }: { report: Report; isPrinting: boolean }) {
  const { warnings, skipped, cellsInAll } = report;
  if (cellsInAll === null && warnings.length + skipped.length === 0) return null;
  const skips = skipped.map(({ reason, names }) => ({ reason, text: names.join(", "), count: names.length }));
  const rest = warnings.slice(listedAtFirst);
  return (
    <div class="notices">
      {cellsInAll !== null && <TooLarge total={cellsInAll} shown={report.cells.length} />}
      {warnings.length > 0 && (
        <section class="notice" aria-labelledby="warnings-title">
          <h2 id="warnings-title">{pluralize(warnings.length, "warning")}</h2>
          <Lines texts={warnings.slice(0, listedAtFirst)} />
          {rest.length > 0 && (
            <details open={isPrinting}>
              <summary>{pluralize(rest.length, "more warning")}</summary>
              <Lines texts={rest} />
            </details>
          )}
        </section>
      )}
      {skips.map(({ reason, text, count }, at) => (
        <details key={at} class="notice notice-invalid" open={isPrinting || count <= listedAtFirst}>
          <summary>
            {grouped(count)} skipped: <StrangerText text={reason} limit={300} />
          </summary>
          <StrangerText text={text} />
        </details>
      ))}
    </div>
  );
}

function TooLarge({ total, shown }: { total: number; shown: number }) {
  return (
    <div class="notice notice-invalid">
      <h2>
        {grouped(total)} results are too many for a page: it holds {grouped(shown)} of those that did not pass
      </h2>
      <p>
        All of them, one per line: <code>eval-skills report convert --input FILE --format ndjson</code>
      </p>
      <p>
        Everything that did not pass, of one subject: <code>eval-skills report show FILE --subject NAME</code>
      </p>
    </div>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text, at) => (
        <li key={at}>
          <StrangerText text={text} />
        </li>
      ))}
    </ul>
  );
}
