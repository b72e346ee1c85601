import type { RunEvent } from "../../contract/agent-details.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { visibleLines } from "../../shared/text/visible-text.ts";
import type { RunEntry } from "./event-entries.ts";
import { eventText, fitEvents, gapEvent } from "./fit-events.ts";
import { logEntries, type ReadRun, RunEntries } from "./run-entries.ts";

/** What happened in a run, within bounds: reports cannot open its directory. */
export function runTimeline(run: ReadRun & Pick<RecordedRun, "problem" | "warnings">): RunEvent[] {
  const entries = new RunEntries(run);
  const all: RunEvent[] = [];
  for (const event of run.events)
    addEvents(all, entries.of(event), { ...event, atMs: entries.sinceStart(event) });
  addEvents(all, logEntries(run), { seq: 0, turn: 0, atMs: null });
  return fitEvents<RunEvent>(all, (left) => ({ ...gapEvent(left), line: 0 }));
}

/** What texts are that stand for themselves; others belong to the line before them. */
const ownTexts: ReadonlySet<string> = new Set(["user", "result", "answer", "fallback answer"]);

/** Adds the entries of one event of a run. */
function addEvents(
  all: RunEvent[],
  entries: readonly RunEntry[],
  { seq, turn, atMs }: Pick<AgentEvent, "seq" | "turn"> & Pick<RunEvent, "atMs">,
): void {
  let open: RunEvent | null = null;
  for (const entry of entries) {
    const { kind, label, tone } = entry;
    const words = entryWords(entry);
    if (kind === "heading") {
      if (label === "turn") all.push({ atMs, label: `turn ${turn}`, text: "", tone: "muted", line: seq });
      continue;
    }
    const isPart = kind === "quote" ? !ownTexts.has(label) : kind === "fact" || entry.isDetail === true;
    if (isPart && open !== null) {
      open.quote = open.quote === undefined ? words : `${open.quote}\n${words}`;
      continue;
    }
    if (entry.isDetail === true) continue;
    const turnEvent = label === "prompt" ? all.findLast((one) => one.label === `turn ${turn}`) : undefined;
    if (turnEvent?.text === "") {
      turnEvent.text = words;
      continue;
    }
    open = {
      ...{ atMs, label: kind === "fact" ? "setup" : label, ...eventText(words) },
      ...(tone !== undefined && { tone }),
      line: seq,
    };
    all.push(open);
    if (kind === "quote") open = null;
  }
}

/** How long something took differs between equal runs and is not part of it. */
function entryWords({ label, text, aside = "", ...entry }: RunEntry): string {
  const shown = visibleLines(text.trim());
  if (entry.kind === "fact") return label === "" ? shown : `${label}: ${shown}`;
  const words = aside === "" ? shown : `${shown} · ${visibleLines(aside)}`;
  const sign = entry.kind === "line" && entry.isDetail === true ? (entry.sign?.trim() ?? "") : "";
  return sign === "" ? words : `${sign} ${words}`;
}
