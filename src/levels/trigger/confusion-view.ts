import type { ConfusionRow, ConfusionSummary, PositionBias } from "../../contract/trigger-report.ts";
import type { Block, Fact, Section, Tone } from "../../contract/view.ts";
import { sumConfusions } from "./verdict/sum-confusions.ts";

interface Choices {
  confusion: readonly ConfusionRow[] | null;
  positionBias: PositionBias | null;
}

/** A wider matrix is unreadable; the most confused pairs are listed anyway. */
const maxColumns = 60;

/** Which skill was chosen for whose requests; nothing where no judge chose among skills. */
export function confusionSections(subjects: readonly Choices[]): Section[] {
  const rows = subjects.flatMap(({ confusion }) => confusion ?? []);
  if (rows.length === 0) return [];
  const summary = sumConfusions(rows);
  return [
    {
      title: "Which skill was chosen",
      note: "Rows are the skills that requests are meant for, columns those that were chosen.",
      blocks: [
        ...matrix(summary.rows),
        { kind: "facts", facts: [...shareFacts(summary), ...positionFacts(subjects)] },
        ...pairTable(summary),
      ],
    },
  ];
}

function matrix(rows: readonly ConfusionRow[]): Block[] {
  const skills = skillsIn(rows);
  if (skills.length > maxColumns) return [];
  const hasUndecided = rows.some(({ undecided }) => undecided > 0);
  return [
    {
      kind: "matrix",
      rows: rows.map(({ intended }) => intended ?? "no skill"),
      columns: [...skills, "none", ...(hasUndecided ? ["undecided"] : [])],
      cells: rows.map(({ intended, chosen, none, undecided }) => [
        ...skills.map((id) => field(chosenCount(chosen, id), id === intended ? "good" : "bad")),
        field(none, intended === null ? "good" : "warn"),
        ...(hasUndecided ? [field(undecided, "warn")] : []),
      ]),
      unit: "count",
    },
  ];
}

function skillsIn(rows: readonly ConfusionRow[]): string[] {
  return [
    ...new Set(
      rows.flatMap(({ intended, chosen }) => [
        ...(intended === null ? [] : [intended]),
        ...Object.keys(chosen),
      ]),
    ),
  ].sort();
}

function chosenCount(chosen: ConfusionRow["chosen"], id: string): number {
  return Object.hasOwn(chosen, id) ? (chosen[id] ?? 0) : 0;
}

function field(value: number, tone: Tone): { value: number; tone: Tone } {
  return { value, tone: value === 0 ? "muted" : tone };
}

function shareFacts({ top1, none, offTopic }: ConfusionSummary): Fact[] {
  const shares: [string, ConfusionSummary["top1"]][] = [
    ["Got the skill they are meant for", top1],
    ["Got no skill", none],
    ["Meant for no skill and got one", offTopic],
  ];
  return shares
    .filter(([, { of }]) => of > 0)
    .map(([label, { count, of, rate, interval }]) => ({
      label,
      value: rate,
      unit: "share",
      interval,
      note: `${count} of ${of} queries`,
    }));
}

function pairTable({ worstPairs }: ConfusionSummary): Block[] {
  if (worstPairs.length === 0) return [];
  return [
    {
      kind: "table",
      title: "Confused most often",
      columns: [
        { label: "Meant for" },
        { label: "Chosen" },
        { label: "Queries" },
        { label: "Share", unit: "share" },
      ],
      rows: worstPairs.map(({ intended, chosen, count, of, rate }) => [
        intended,
        chosen,
        `${count} of ${of}`,
        rate,
      ]),
    },
  ];
}

/** Whether the position of a skill in the list shown to a judge matters, over all skills of a run. */
function positionFacts(subjects: readonly Choices[]): Fact[] {
  const all = subjects.flatMap(({ positionBias }) => positionBias ?? []);
  return [
    ...thirdFact(
      "Chosen from the first third of the list",
      all.map(({ first }) => first),
    ),
    ...thirdFact(
      "Chosen from the last third of the list",
      all.map(({ last }) => last),
    ),
  ];
}

function thirdFact(label: string, thirds: readonly PositionBias["first"][]): Fact[] {
  const picked = thirds.reduce((sum, { count }) => sum + count, 0);
  const of = thirds.reduce((sum, third) => sum + third.of, 0);
  if (of === 0) return [];
  const fair = thirds.every(({ expected }) => expected != null)
    ? thirds.reduce((sum, third) => sum + (third.expected ?? 0) * third.of, 0) / of
    : null;
  return [
    {
      label,
      value: picked / of,
      unit: "share",
      // Of several skills only their sums are known, not the answers to each query.
      interval: thirds.length === 1 ? (thirds[0]?.interval ?? null) : null,
      ...(fair !== null && { note: `${(fair * 100).toFixed(1)}% without a bias` }),
    },
  ];
}
