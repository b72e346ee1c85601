import { listed } from "../../base/listed.ts";
import { shorten } from "../../base/visible-text.ts";
import type { CaseReport, Failure } from "../../contract/agent-report.ts";

const quotedAtMost = 5;
const namedAtMost = 5;
const quoteLimit = 300;

/** A line of the log, shortened. */
export interface QuotedLine {
  line: number;
  text: string;
}

/** Where in the log a failure is seen: `line 12`, `lines 12–14`; null where it is about no line. */
export function lineWords({ lines }: Pick<Failure, "lines">): string | null {
  const [first, last = first] = lines;
  if (first === undefined || last === undefined) return null;
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

/** The events that show a failure, by id, with their lines; null where there are none. */
export function eventWords(failure: Pick<Failure, "events" | "lines">): string | null {
  const lines = lineWords(failure);
  const ids = listed(failure.events, namedAtMost);
  if (ids === "") return lines;
  return lines === null ? ids : `${ids} (${lines})`;
}

/** The lines that show a failure: those of its events, as far as the report quotes them. */
export function quotedLines(
  { events, lines }: Pick<Failure, "events" | "lines">,
  quotes: CaseReport["quotes"],
): QuotedLine[] {
  const named = events.map((id) => Number(id.slice(id.lastIndexOf("#") + 1)));
  const wanted = [...new Set([...named, ...lines])].filter(Number.isSafeInteger).toSorted((a, b) => a - b);
  const quoted: QuotedLine[] = [];
  for (const line of wanted) {
    const text = Object.hasOwn(quotes, String(line)) ? quotes[String(line)] : undefined;
    if (text !== undefined) quoted.push({ line, text: shorten(briefLine(text), quoteLimit) });
    if (quoted.length === quotedAtMost) break;
  }
  return quoted;
}

// What is the same in every line of a log, or stands beside it already.
const envelope = /^\{"v":\d+,"seq":\d+,"ts":"[^"]*","run_id":"[^"]*","turn":(\d+),"type":"([^"]*)","data":/;

/** A line of a log for where there is little room: its turn, its type and what it says. */
function briefLine(text: string): string {
  const [head, turn, type] = envelope.exec(text) ?? [];
  if (head === undefined) return text;
  return `turn ${turn} ${type} ${text.slice(head.length).replace(/\}$/, "")}`;
}
