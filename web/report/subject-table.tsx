import { useMemo, useState } from "preact/hooks";
import type { Tally, Unit } from "../../src/contract/view.ts";
import { type IntervalKey, intervalKey } from "../../src/report/view/interval-words.ts";
import { Blocks } from "./blocks.tsx";
import { compareKnown } from "./choose-cells.ts";
import { SortHeader, type SortOrder } from "./controls.tsx";
import { noFilters, type PageState } from "./page-state.ts";
import type { Subject } from "./read-report.ts";
import { type Mark, StatusMark } from "./status-mark.tsx";
import { CountBar, type CountPart } from "./subject-charts.tsx";
import { capital, FactCell, Legend, Scale } from "./subject-figures.tsx";
import { grouped, StrangerText } from "./values.tsx";

const shownAtFirst = 20;
const maxPlots = 2;

/** Subjects that are shown with the same figures. */
interface Group {
  title: string;
  subjects: readonly Subject[];
  isOneSuite: boolean;
}

export function groupSubjects(subjects: readonly Subject[]): Group[] {
  const groups = new Map<string, Subject[]>();
  for (const subject of subjects) {
    const key = JSON.stringify([subject.suite.level, subject.facts.map(({ label }) => label)]);
    groups.set(key, [...(groups.get(key) ?? []), subject]);
  }
  const levels = [...groups.values()].map(([first]) => first?.suite.level);
  return [...groups.values()].map((members) => {
    const suites = [...new Set(members.map(({ suite }) => suite))];
    const [first] = suites;
    const noun = first?.subjectNoun ?? "subject";
    const isLevel = levels.length > 1 && levels.filter((level) => level === first?.level).length === 1;
    const where = isLevel ? ` (${first?.level})` : suites.length === 1 ? ` on ${first?.id}` : "";
    return { title: `${capital(noun)}s${where}`, subjects: members, isOneSuite: suites.length === 1 };
  });
}

/** A figure of all subjects of a table; left out where it says nothing of any of them. */
interface FactColumn {
  at: number;
  label: string;
  unit: Unit;
  isPlot: boolean;
}

function factColumns(subjects: readonly Subject[]): FactColumn[] {
  let plots = 0;
  return (subjects[0]?.facts ?? []).flatMap(({ label, unit = "text" }, at) => {
    const facts = subjects.map((subject) => subject.facts[at]);
    if (facts.every((fact) => (fact?.value ?? "") === "")) return [];
    const hasBounds = facts.some((fact) => fact?.interval != null);
    const isPlot = unit === "share" && hasBounds && plots++ < maxPlots;
    return [{ at, label, unit, isPlot }];
  });
}

/** The subjects of one kind: the figures to compare them by, rates drawn on one axis. */
export function SubjectTable(props: {
  id: string;
  group: Group;
  isPrinting: boolean;
  onChoose: (change: Partial<PageState>) => void;
}) {
  const { id, group, isPrinting, onChoose } = props;
  const [order, setOrder] = useState<SortOrder<string>>({ by: "state", isDescending: false });
  const [isWhole, setWhole] = useState(false);
  const columns = useMemo(() => factColumns(group.subjects), [group]);
  const sorted = useMemo(() => sortSubjects(group.subjects, order), [group, order]);
  const shown = isWhole || isPrinting ? sorted : sorted.slice(0, shownAtFirst);
  const key = useMemo(() => intervalKey(group.subjects.flatMap(({ facts }) => facts)), [group]);
  const header = { order, onOrder: setOrder };
  const isLimited = group.subjects.some(({ facts }) => facts.some(({ limit }) => limit !== undefined));
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <StrangerText text={group.title} limit={120} />
      </h2>
      {key.words !== null && (
        <Legend words={key.words} isPlotted={columns.some(({ isPlot }) => isPlot)} isLimited={isLimited} />
      )}
      <table class="summary">
        <caption class="unseen">
          <StrangerText text={group.title} limit={120} />
        </caption>
        <thead>
          <tr>
            <SortHeader column="name" {...header}>
              Name
            </SortHeader>
            <SortHeader column="state" {...header}>
              Results
            </SortHeader>
            {columns.map(({ at, label, unit, isPlot }) => (
              <SortHeader
                key={at}
                column={String(at)}
                class={isPlot || unit === "text" ? "" : "number"}
                largestFirst={unit !== "text"}
                {...header}
                under={isPlot ? <Scale /> : null}
              >
                <StrangerText text={capital(label)} />
              </SortHeader>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((subject) => (
            <SubjectRow
              key={subject.index}
              subject={subject}
              name={group.isOneSuite ? subject.shortName : subject.name}
              columns={columns}
              intervals={key}
              isPrinting={isPrinting && group.subjects.length <= shownAtFirst}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      </table>
      {shown.length < sorted.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {grouped(sorted.length)}
        </button>
      )}
    </section>
  );
}

function sortSubjects(subjects: readonly Subject[], { by, isDescending }: SortOrder<string>): Subject[] {
  const sign = isDescending ? -1 : 1;
  if (by === "state") return subjects.toSorted((a, b) => sign * (a.index - b.index));
  const value = ({ name, facts }: Subject) => (by === "name" ? name : (facts[Number(by)]?.value ?? null));
  return subjects.toSorted((a, b) => compareKnown(value(a), value(b), sign) || a.index - b.index);
}

const stateMarks: Record<Subject["state"], Mark> = {
  failed: "fail",
  unknown: "invalid",
  passed: "pass",
  reference: "none",
};
const stateWords = { failed: "failed", unknown: "no verdict", passed: "passed", reference: "for comparison" };

function SubjectRow(props: {
  subject: Subject;
  name: string;
  columns: readonly FactColumn[];
  intervals: IntervalKey;
  isPrinting: boolean;
  onChoose: (change: Partial<PageState>) => void;
}) {
  const { subject, name, columns, intervals, isPrinting, onChoose } = props;
  const [isOpened, setOpen] = useState(false);
  const isOpen = isOpened || (isPrinting && subject.blocks.length > 0);
  const { state, blocks, facts } = subject;
  const detailsId = `subject-${subject.index}`;
  return (
    <>
      <tr class={isOpen ? "open" : ""}>
        <th scope="row" class="name">
          <div>
            <StatusMark status={stateMarks[state]} size={15} />
            <span class="unseen">{stateWords[state]}</span>
            <button
              type="button"
              class="link"
              aria-expanded={isOpen}
              aria-controls={detailsId}
              onClick={() => setOpen(!isOpened)}
            >
              <StrangerText text={name} limit={160} />
            </button>
          </div>
          {state === "reference" && <span class="under">{stateWords[state]}</span>}
        </th>
        <td class="results" data-label="Results">
          <CountBar parts={countParts(subject)} />
        </td>
        {columns.map(({ at, label, unit, isPlot }) => (
          <FactCell
            key={at}
            fact={facts[at]}
            label={label}
            unit={unit}
            isPlot={isPlot}
            intervals={intervals}
          />
        ))}
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={2 + columns.length}>
            <div class="details details-subject">
              <Blocks blocks={blocks} />
              <p>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => onChoose({ ...noFilters, subject: subject.name, page: 0, open: [] })}
                >
                  Show its results
                </button>
              </p>
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** How its cells ended; where something else is counted, how those did. */
function countParts({ tally, counts }: Subject): CountPart[] {
  if (tally.noun !== undefined) return tallyParts(tally);
  return [
    { mark: "pass", word: "passed", count: counts.pass },
    { mark: "fail", word: "failed", count: counts.fail },
    { mark: "error", word: "errors", count: counts.error },
    { mark: "timeout", word: "timed out", count: counts.timeout },
    { mark: "invalid", word: "without a verdict", count: counts.invalid },
  ];
}

function tallyParts({ passed, failed, unknown }: Tally): CountPart[] {
  return [
    { mark: "pass", word: "passed", count: passed },
    { mark: "fail", word: "failed", count: failed },
    { mark: "invalid", word: "without a verdict", count: unknown },
  ];
}
