import type { Diagnostics } from "../../../contract/diagnostics.ts";
import { QueryEntry, type QuerySide, type TriggerQuery } from "../../../contract/triggering.ts";
import { isMap, kindOfValue } from "../../../shared/json/json-values.ts";
import { unknownKeys } from "../../../shared/json/known-keys.ts";
import { zodProblem } from "../../../shared/json/zod-problem.ts";
import { makeQuery } from "./make-query.ts";
import { type EvalFile, reportUnknownKeys } from "./read-eval-file.ts";

const entryKeys = { $: Object.keys(QueryEntry.shape) };

/** Per list; more would be too expensive to judge. */
export const maxQueries = 10_000;

/** The queries of one list or one import. */
export interface QuerySource {
  queries: TriggerQuery[];
  /** False if something could not be read, so that the number of queries means nothing. */
  isWhole: boolean;
}

/** Reads one list of queries. */
export function readQueries(side: QuerySide, evalFile: EvalFile, diagnostics: Diagnostics): QuerySource {
  const list = (evalFile.value.triggering as Record<string, unknown>)[side] ?? [];
  const steps = ["triggering", side];
  if (!Array.isArray(list)) {
    diagnostics.add("TRG03", evalFile.locate(steps), `${side}: must be a list, not ${kindOfValue(list)}`, {
      hint: "write each request on a line of its own, after a dash",
    });
    return { queries: [], isWhole: false };
  }
  if (list.length > maxQueries)
    diagnostics.add(
      "TRG03",
      evalFile.locate(steps),
      `${side}: has ${list.length} entries, limit ${maxQueries}`,
      { hint: "keep the requests that differ" },
    );
  const queries = list
    .slice(0, maxQueries)
    .flatMap((entry, index) => readEntry(entry, { side, index, evalFile, diagnostics }) ?? []);
  return { queries, isWhole: queries.length === list.length };
}

interface Where {
  side: QuerySide;
  index: number;
  evalFile: EvalFile;
  diagnostics: Diagnostics;
}

function readEntry(entry: unknown, where: Where): TriggerQuery | null {
  const { side, evalFile, index } = where;
  const location = evalFile.locate(["triggering", side, index]);
  const written = typeof entry === "string" ? { text: entry } : readObject(entry, where);
  if (written === null) return null;
  const made = makeQuery({ ...written, side, location });
  if (made.ok) return made.query;
  reportEntry(where, made.reason);
  return null;
}

function readObject(entry: unknown, where: Where) {
  if (!isMap(entry)) {
    reportEntry(where, `must be text or a map with a query, not ${kindOfValue(entry)}`, "quote it");
    return null;
  }
  const unknown = unknownKeys(entry, entryKeys);
  if (!("query" in entry) && !unknown.some(({ meant }) => meant === "query")) {
    // A request with a colon in it, unquoted, is a map to YAML.
    reportEntry(where, "is a map without a query", "quote a request that contains a colon and a space");
    return null;
  }
  reportUnknownKeys(unknown, where.evalFile, where.diagnostics, ["triggering", where.side, where.index]);
  if (!("query" in entry)) return null;
  const read = QueryEntry.safeParse(entry);
  if (!read.success) {
    const { steps, reason } = zodProblem(read.error, entry);
    reportEntry(where, `${steps.join(".")} ${reason}`);
    return null;
  }
  const { query: text, id, tags, belongs_to: belongsTo } = read.data;
  return { text, id, tags, belongsTo };
}

function reportEntry({ side, index, evalFile, diagnostics }: Where, reason: string, hint?: string): void {
  const location = evalFile.locate(["triggering", side, index]);
  diagnostics.add("TRG03", location, `${side}[${index}]: ${reason}`, { hint });
}
