import type { TimelineEvent } from "../../contract/view.ts";
import { shortenWords } from "../../shared/text/visible-text.ts";
import { counted } from "../text/format-numbers.ts";

const maxEvents = 150;
/** How a run began says less than how it ended. */
const firstEvents = 50;
const maxText = 200;
/** Of all texts together, so that a report grows with its cells and not with what they did. */
const maxChars = 24_000;

/** A transcript of bounded size: the longest texts are cut first, and of very many events some in the middle are left out. */
export function fitEvents<Event extends TimelineEvent>(
  all: readonly Event[],
  gap: (left: number) => Event,
): Event[] {
  const left = all.length - maxEvents;
  const middle = firstEvents + left + 1;
  const events = left <= 0 ? all : [...all.slice(0, firstEvents), gap(left + 1), ...all.slice(middle)];
  const short = events.map((event) => ({ ...event, text: shortenWords(event.text, maxText) }));
  const room = maxChars - short.reduce((sum, { text }) => sum + text.length, 0);
  const limit = sharedLimit(
    short.flatMap(({ quote }) => (quote === undefined ? [] : [quote.length])),
    room,
  );
  return short.map((event) => {
    const { quote = "" } = event;
    if (quote.length <= limit) return event;
    const shown = shortenWords(quote, limit);
    return { ...event, quote: shown, cut: quote.length - shown.length };
  });
}

/** The length to which texts are cut so that all of them have room: short ones leave theirs to long ones. */
function sharedLimit(lengths: readonly number[], room: number): number {
  let rest = room;
  const sorted = [...lengths].sort((one, other) => one - other);
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(rest / (sorted.length - at));
    if (length > share) return share;
    rest -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** A text of one line that is short is read with its event, any other below it. */
export function eventText(words: string): Pick<TimelineEvent, "text" | "quote"> {
  return words.length <= maxText && !words.includes("\n") ? { text: words } : { text: "", quote: words };
}

const gapLabel = "…";

/** Stands for events that are left out. */
export function gapEvent(left: number): TimelineEvent {
  return { atMs: null, label: gapLabel, text: `${counted(left, "event")} left out`, tone: "muted" };
}

/** What is left out of a transcript: `3,204 characters of 2 texts`; null where nothing is. */
export function leftOutWords(events: readonly TimelineEvent[]): string | null {
  const gap = events.find(
    ({ label, line }: TimelineEvent & { line?: number }) => label === gapLabel && !line,
  );
  const cuts = events.flatMap(({ cut = 0 }) => (cut > 0 ? [cut] : []));
  const chars = cuts.reduce((sum, cut) => sum + cut, 0);
  const parts = [
    ...(gap === undefined ? [] : [gap.text.replace(/ left out$/, "")]),
    ...(cuts.length === 0 ? [] : [`${counted(chars, "character")} of ${counted(cuts.length, "text")}`]),
  ];
  return parts.length === 0 ? null : parts.join(" and ");
}
