import type { Counts, Verdict } from "../../src/contract/result.ts";
import { milliseconds } from "../../src/report/text/format-numbers.ts";
import { endWords } from "../../src/report/view/cell-words.ts";
import { pluralize } from "../../src/shared/text/phrases.ts";
import { ThemeToggle } from "./controls.tsx";
import { noFilters, type PageState, statusOrder } from "./page-state.ts";
import { isRetried, type Report } from "./read-report.ts";
import { type Mark, StatusMark } from "./status-mark.tsx";
import { Facts, grouped, StrangerText } from "./values.tsx";

/** What a reader wants to know first: the verdict in words, why, how many ended how, and how the run was made. */
export function PageHeader(props: {
  report: Report;
  isPrinting: boolean;
  onChoose: (change: Partial<PageState>) => void;
}) {
  const { report, isPrinting, onChoose } = props;
  const { verdict, run, facts, gates } = report;
  return (
    <header class="verdict">
      <div class="eyebrow">
        <span>
          eval-skills {run.command === "" ? "" : <StrangerText text={`${run.command} `} limit={60} />}report
        </span>
        <ThemeToggle />
      </div>
      <h1>
        <StatusMark status={runMark(report)} size={34} />
        <StrangerText text={capital(verdict.words)} />
      </h1>
      {verdict.reasons.map((reason, at) => (
        <p key={at} class="reason">
          <StrangerText text={capital(reason)} />
        </p>
      ))}
      <p class="when">
        <When run={run} />
      </p>
      <Counted report={report} onChoose={onChoose} />
      {gates.length > 0 && (
        <details class="fold" open={isPrinting}>
          <summary>{gateTitle(gates)}</summary>
          <ul class="gates">
            {gates.map(({ words, passed, enforced }, at) => (
              <li key={at}>
                <StatusMark status={passed === null ? "invalid" : passed ? "pass" : "fail"} size={13} />{" "}
                <StrangerText text={words} />
                {!enforced && <span class="under"> (not enforced)</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
      <details class="fold" open={isPrinting}>
        <summary>How it was run</summary>
        <Facts facts={facts} class="facts-wide" />
      </details>
    </header>
  );
}

/** A run that no gate fails may still have failures, so it gets no green tick. */
function runMark({ verdict, subjects }: Report): Mark {
  if (verdict.state === "failed") return "fail";
  if (verdict.state === "unknown") return "invalid";
  return subjects.some(({ state }) => state === "failed") ? "repaired" : "pass";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A gate that is not enforced decides nothing, so it has not passed either. */
function gateTitle(gates: Report["gates"]): string {
  const enforced = gates.filter((gate) => gate.enforced);
  if (enforced.length === 0) return `${pluralize(gates.length, "gate")}, not enforced`;
  const passed = enforced.filter((gate) => gate.passed === true).length;
  const words =
    enforced.length === 1 ? (passed === 1 ? "" : "not ") : `${passed === enforced.length ? "all" : passed} `;
  const others = gates.length - enforced.length;
  return `${pluralize(enforced.length, "gate")}, ${words}passed${others === 0 ? "" : `, ${others} not enforced`}`;
}

function When({ run }: { run: Report["run"] }) {
  const took = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  return (
    <>
      <StrangerText text={dayAndTime(run.startedAt)} />
      {Number.isFinite(took) && `, took ${milliseconds(Math.max(0, took))}`}
    </>
  );
}

/** A moment as people read it, `1 March 2026, 07:24 UTC`; unchanged where it is not a time. */
function dayAndTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return `${time.toLocaleDateString("en-GB", day)}, ${time.toISOString().slice(11, 16)} UTC`;
}

/** How many cells ended how; each leads to them. */
function Counted({ report, onChoose }: { report: Report; onChoose: (change: Partial<PageState>) => void }) {
  const counted = report.subjects.filter(({ state }) => state !== "reference");
  const count = (status: keyof Counts) => counted.reduce((sum, { counts }) => sum + counts[status], 0);
  const retried = report.cells.filter(isRetried).length;
  const statuses: readonly Verdict[] = ["pass", ...statusOrder.filter((status) => status !== "pass")];
  const tallied = counted.reduce((sum, { tally }) => sum + tally.passed + tally.failed + tally.unknown, 0);
  const trials = counted.reduce((sum, { counts }) => sum + counts.total + counts.invalid, 0);
  const show = (status: Verdict) => onChoose({ ...noFilters, statuses: [status], page: 0, open: [] });
  return (
    <p class="chips">
      {tallied !== trials && <span class="under">{grouped(trials)} trials:</span>}
      {statuses.map((status) =>
        count(status) === 0 ? null : (
          <button key={status} type="button" class={`chip status-${status}`} onClick={() => show(status)}>
            <StatusMark status={status} size={13} /> {grouped(count(status))} {endWords[status]}
          </button>
        ),
      )}
      {retried > 0 && (
        <button type="button" class="chip status-repaired" onClick={() => show("pass")}>
          <StatusMark status="repaired" size={13} /> {grouped(retried)} passed on a retry
        </button>
      )}
    </p>
  );
}
