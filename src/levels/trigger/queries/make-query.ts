import { createHash } from "node:crypto";
import type { DiagnosticLocation } from "../../../contract/diagnostics.ts";
import type { QuerySide, TriggerQuery } from "../../../contract/triggering.ts";

export interface WrittenQuery {
  text: string;
  side: QuerySide;
  location: DiagnosticLocation;
  id?: string | number | undefined;
  tags?: string[] | undefined;
  belongsTo?: string | undefined;
}

export type MadeQuery = { ok: true; query: TriggerQuery } | { ok: false; reason: string };

const maxQueryChars = 4000;

/** Makes a query from its written form: trimmed, normalized, with an id. */
export function makeQuery({ text: written, side, location, id, tags, belongsTo }: WrittenQuery): MadeQuery {
  const text = written.trim().normalize("NFC");
  if (text === "") return { ok: false, reason: "is empty" };
  const length = text.length > maxQueryChars ? [...text].length : text.length;
  if (length > maxQueryChars)
    return { ok: false, reason: `has ${length} characters, limit ${maxQueryChars}` };
  const query = {
    id: id === undefined ? textId(text) : String(id),
    text,
    side,
    tags: tags ?? [],
    belongsTo: belongsTo ?? null,
    location,
  };
  return { ok: true, query };
}

function textId(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** A text as queries are compared: in one spelling of each character, lower case, single spaces. */
export function foldQuery(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

export interface MergedQueries {
  queries: TriggerQuery[];
  /** Duplicates on the same side: the first is used, the other dropped. */
  repeated: { first: TriggerQuery; dropped: TriggerQuery }[];
}

/** Uses each text once per side, the first of them. */
export function mergeQueries(all: readonly TriggerQuery[]): MergedQueries {
  const byText = new Map<string, TriggerQuery>();
  const repeated: MergedQueries["repeated"] = [];
  for (const query of all) {
    const key = `${query.side} ${foldQuery(query.text)}`;
    const first = byText.get(key);
    if (first === undefined) byText.set(key, query);
    else repeated.push({ first, dropped: query });
  }
  return { queries: [...byText.values()], repeated };
}
