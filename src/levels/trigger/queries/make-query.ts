import { createHash } from "node:crypto";
import type { DiagnosticPlace } from "../../../contract/diagnostics.ts";
import type { QuerySide, TriggerQuery } from "../../../contract/triggering.ts";

export interface WrittenQuery {
  text: string;
  side: QuerySide;
  place: DiagnosticPlace;
  id?: string | number | undefined;
  tags?: string[] | undefined;
  belongsTo?: string | undefined;
}

export type MadeQuery = { ok: true; query: TriggerQuery } | { ok: false; reason: string };

const longestQuery = 4000;

/** Makes a query of what somebody wrote: trimmed, in one spelling, with an id. */
export function makeQuery({ text: written, side, place, id, tags, belongsTo }: WrittenQuery): MadeQuery {
  const text = written.trim().normalize("NFC");
  if (text === "") return { ok: false, reason: "is empty" };
  const length = text.length > longestQuery ? [...text].length : text.length;
  if (length > longestQuery) return { ok: false, reason: `has ${length} characters, limit ${longestQuery}` };
  const query = {
    id: id === undefined ? idOf(text) : String(id),
    text,
    side,
    tags: tags ?? [],
    belongsTo: belongsTo ?? null,
    place,
  };
  return { ok: true, query };
}

function idOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** A text as queries are compared: in one spelling of each character, lower case, single spaces. */
export function foldQuery(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

export interface MergedQueries {
  queries: TriggerQuery[];
  /** What stands on the same side twice: the one that was kept, and the one that was not. */
  repeated: { kept: TriggerQuery; dropped: TriggerQuery }[];
}

/** Keeps each text once per side: the first that says it. */
export function mergeQueries(all: readonly TriggerQuery[]): MergedQueries {
  const byText = new Map<string, TriggerQuery>();
  const repeated: MergedQueries["repeated"] = [];
  for (const query of all) {
    const key = `${query.side} ${foldQuery(query.text)}`;
    const kept = byText.get(key);
    if (kept === undefined) byText.set(key, query);
    else repeated.push({ kept, dropped: query });
  }
  return { queries: [...byText.values()], repeated };
}
