import type { RunEvent } from "../../contract/agent-details.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { shownLines } from "../../shared/text/visible-text.ts";
import type { RunEntry } from "./event-entries.ts";
import { logEntries, type ReadRun, RunEntries } from "./run-entries.ts";

const maxEvents = 60;
/** How a run began says less than how it ended. */
const firstEvents = 20;
const maxText = 200;

/** What happened in a run in few words, however long it was: reports cannot open its directory. */
export function runTimeline(run: ReadRun & Pick<RecordedRun, "problem" | "warnings">): RunEvent[] {
  const entries = new RunEntries(run);
  const all = run.events.flatMap((event) => {
    const atMs = entries.sinceStart(event);
    return shown(entries.of(event)).map((entry) => runEvent(entry, event.seq, atMs));
  });
  all.push(...logEntries(run).map((entry) => runEvent(entry, 0, null)));
  const left = all.length - maxEvents;
  if (left <= 0) return all;
  const gap: RunEvent = {
    atMs: null,
    label: "",
    text: `… ${left + 1} events left out`,
    tone: "muted",
    line: 0,
  };
  return [...all.slice(0, firstEvents), gap, ...all.slice(firstEvents + left + 1)];
}

function shown(entries: readonly RunEntry[]): RunEntry[] {
  return entries.filter(({ kind, isDetail }) => (kind === "line" || kind === "quote") && isDetail !== true);
}

function runEvent({ label, text, aside = "", tone }: RunEntry, line: number, atMs: number | null): RunEvent {
  const words = aside === "" ? text.trim() : `${text.trim()} · ${aside}`;
  return { atMs, label, text: shownLines(words, maxText), ...(tone !== undefined && { tone }), line };
}
