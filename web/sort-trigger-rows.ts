import type { SortOrder } from "./sort-header.tsx";
import { compareKnown } from "./sort-skills.ts";
import type { TriggerRow } from "./trigger-row.ts";

const names = new Intl.Collator("en", { numeric: true });
const figures = {
  passed: ({ passed, failed, inconclusive }) => {
    const all = passed + failed + inconclusive;
    return all === 0 ? null : passed / all;
  },
  recall: ({ recall }) => recall.rate,
  precision: ({ precision }) => precision.rate,
  mcc: ({ mcc }) => mcc.rate,
  invalid: ({ invalidRate }) => invalidRate ?? null,
  cost: ({ usd }) => usd ?? null,
  p95: ({ p95Ms }) => p95Ms ?? null,
} satisfies Record<string, (row: TriggerRow) => number | null>;

export type TriggerColumn = "plan" | "skill" | keyof typeof figures;

/** Skills in the order asked for; what is not known comes last either way. */
export function sortTriggerRows(
  rows: readonly TriggerRow[],
  { by, isDescending }: SortOrder<TriggerColumn>,
): readonly TriggerRow[] {
  if (by === "plan") return rows;
  const sign = isDescending ? -1 : 1;
  if (by === "skill") return [...rows].sort((a, b) => sign * names.compare(a.skillId, b.skillId));
  const figure = figures[by];
  return [...rows].sort((a, b) => compareKnown(figure(a), figure(b), sign));
}
