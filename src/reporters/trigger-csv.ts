import type { QueryLine, QueryReader, TriggerReport, TriggerReporter } from "../contract/trigger-report.ts";
import { csvLine } from "./csv-line.ts";
import { judgeLabel } from "./describe-judge.ts";

/** One row per query for spreadsheets; numbers are numbers, an unknown value is empty. */
export const triggerCsvReporter: TriggerReporter = { format: "csv", extension: "csv", render };

/** The columns in their order; readers go by it, so new ones are added at the end. */
const columns: Record<string, (query: QueryLine) => string | number | null> = {
  skillId: ({ skillId }) => skillId,
  queryId: ({ queryId }) => queryId,
  side: ({ side }) => side,
  verdict: ({ verdict }) => verdict,
  cause: ({ cause }) => cause,
  yes: ({ yes }) => yes,
  no: ({ no }) => no,
  invalid: ({ invalid }) => invalid,
  error: ({ error }) => error,
  rate: ({ rate }) => rate,
  lower: ({ interval }) => interval?.[0] ?? null,
  upper: ({ interval }) => interval?.[1] ?? null,
  flips: ({ flips }) => String(flips),
  judge: ({ judge }) => judgeLabel({ ...judge, model: null }),
  model: ({ judge }) => judge.model,
  // Nothing where one skill was asked about at a time, `NONE` where none of several was chosen: two things to tell apart.
  chosen: ({ chosen }) => (chosen === null ? "NONE" : (chosen ?? null)),
  query: ({ query }) => query,
  reason: ({ reason }) => reason,
  repeats: ({ repeats }) => repeats,
  unreplicated: ({ unreplicated }) => String(unreplicated),
  belongsTo: ({ belongsTo }) => belongsTo,
  tags: ({ tags }) => tags.join("; "),
  timestamp: ({ ts }) => ts,
};

function* render({ results }: TriggerReport, queriesOf: QueryReader): Generator<string> {
  yield csvLine(Object.keys(columns));
  for (const { skillId } of results)
    for (const query of queriesOf(skillId)) yield csvLine(Object.values(columns).map((read) => read(query)));
}
