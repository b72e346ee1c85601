import { eventId } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import type { Failure } from "../../contract/agent-report.ts";
import type { Json } from "../../shared/json/json.ts";
import { shortenWords, shownLines } from "../../shared/text/visible-text.ts";
import type { Fault } from "./dimension.ts";

const maxEvents = 20;
const maxQuotes = 5;
const maxQuoteLength = 300;
const maxMessageLength = 1500;
const maxValueLength = 2000;

/** A fault as a report shows it, whatever the size of the run. */
export function toFailure(dimension: Failure["dimension"], fault: Fault): Failure {
  const { code, message, expected, actual, at = [] } = fault;
  const events = [...new Map(at.map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);
  const first = events[0]?.seq;
  const last = events.at(-1)?.seq;
  return {
    dimension,
    code,
    message: shortenWords(message, maxMessageLength),
    expected: bounded(expected),
    actual: bounded(actual),
    events: events.slice(0, maxEvents).map(eventId),
    lines: first === undefined || last === undefined ? [] : [first, last],
  };
}

/** The lines that failures are about, by number, safe to print. */
export function quotesFor(run: RecordedRun, failures: readonly Failure[]): Record<string, string> {
  const quotes: Record<string, string> = {};
  for (const { events } of failures) {
    for (const id of events.slice(0, maxQuotes)) {
      const line = Number(id.slice(id.lastIndexOf("#") + 1));
      const text = run.lines[line - 1];
      if (text !== undefined) quotes[line] = shownLines(text, maxQuoteLength);
    }
  }
  return quotes;
}

/** A value, or the beginning of its text. */
function bounded(value: Json): Json {
  const text = JSON.stringify(value);
  if (text.length <= maxValueLength) return value;
  return shownLines(typeof value === "string" ? value : text, maxValueLength);
}
