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
