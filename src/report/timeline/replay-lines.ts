import pc from "picocolors";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import type { Tone } from "../../contract/view.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";
import { grouped } from "../text/format-numbers.ts";
import { fitWidth, textWidth, wrappedWords } from "../text/text-width.ts";
import type { RunEntry } from "./event-entries.ts";
import { eventTimeMs, hasTimes, logEntries, RunEntries } from "./run-entries.ts";

/** One event on a terminal. Events without text have no part. */
export interface ReplayPart {
  /** The line of the log; 0 for entries about the log itself. */
  seq: number;
  turn: number;
  /** When it happened, in epoch milliseconds; null where the log does not say. */
  atMs: number | null;
  lines: readonly string[];
  /** Whether a text in it is not shown to its end. */
  isCut: boolean;
}

interface Terminal {
  color: boolean;
  /** Null: nothing has to fit. */
  width: number | null;
  /** Whether texts are shown to their ends, those that are kept beside the log too. */
  isFull?: boolean | undefined;
}

/** A run for people, event by event. Starts nothing; all text is safe to print. */
export function* replayParts(run: RecordedRun, terminal: Terminal): Generator<ReplayPart> {
  const entries = new RunEntries(run, terminal);
  const layOut = layout(terminal);
  const isTimed = hasTimes(run);
  for (const event of run.events) {
    const shown = layOut(entries.of(event));
    if (shown.lines.length > 0)
      yield { seq: event.seq, turn: event.turn, atMs: isTimed ? eventTimeMs(event) : null, ...shown };
  }
  const { lines, isCut } = layOut(logEntries(run));
  if (lines.length > 0) yield { seq: 0, turn: 0, atMs: null, lines: ["", ...lines], isCut };
}

/** The same for a live run, event by event, without the parts that need the whole run. */
export function liveLines(terminal: Terminal): (event: AgentEvent) => readonly string[] {
  // The answer is on stdout.
  const entries = new RunEntries({ events: [], final: "", read: () => null });
  const layOut = layout(terminal);
  return (event) => layOut(entries.of(event)).lines;
}

const indent = "   ";
const factWidth = 11;
const defaultWidth = 80;
/** Longer lines are hard to read, however wide a terminal is. */
const maxWidth = 110;
const maxLineLength = 2000;
const standsAlone: ReadonlySet<string> = new Set(["user", "answer", "fallback answer"]);
const signs: Record<Tone, string> = { good: "✓", bad: "✗", warn: "!", muted: "·" };

type Shown = Pick<ReplayPart, "lines" | "isCut">;

/** Lays out entries; untrusted text is made visible and fits. */
function layout({ color, width, isFull = false }: Terminal) {
  const paint = pc.createColors(color);
  const across = Math.min(Math.max(width ?? defaultWidth, 40), maxWidth);
  const tones: Record<Tone, (text: string) => string> = {
    good: paint.green,
    bad: paint.red,
    warn: paint.yellow,
    muted: paint.dim,
  };
  const wrapped = (text: string, columns: number) =>
    width === null ? [text] : wrappedWords(text, Math.max(20, columns));

  function heading(text: string, aside: string): string {
    const shown = shownText(text);
    const head = `── ${shown} `;
    const suffix = aside === "" ? "" : ` ${shownText(aside, 40)} ──`;
    const tail = textWidth(head) + textWidth(suffix) + 2 > across ? "" : suffix;
    const rule = "─".repeat(Math.max(2, across - textWidth(head) - textWidth(tail)));
    return `${paint.dim("──")} ${paint.bold(shown)} ${paint.dim(`${rule}${tail}`)}`;
  }

  function happened(entry: RunEntry & { kind: "line" }): string[] {
    const { text, aside = "", took = "", sign = signs[entry.tone ?? "muted"] } = entry;
    const isAction = sign === "▸";
    const tone = isAction
      ? (words: string) => paint.bold(paint.cyan(words))
      : entry.tone && tones[entry.tone];
    const painted = tone ?? ((words: string) => words);
    const hanging = " ".repeat(textWidth(sign) + 1);
    const columns = across - indent.length - hanging.length;
    const lines = wrapped(visibleText(text), columns);
    const small = visibleText([took, aside].filter((words) => words !== "").join(" · "));
    const fits = width === null || textWidth(lines.at(-1) ?? "") + 2 + textWidth(small) <= columns;
    const below = small === "" || fits ? [] : wrapped(small, columns);
    return [
      ...lines.map((words, at) => {
        const beside = small !== "" && fits && at === lines.length - 1 ? `  ${paint.dim(small)}` : "";
        return `${indent}${at === 0 ? `${painted(sign)} ` : hanging}${painted(words)}${beside}`;
      }),
      ...below.map((words) => `${indent}${hanging}${paint.dim(words)}`),
    ];
  }

  function quoted({ text, maxLines, rest }: RunEntry & { kind: "quote" }): Shown {
    const bar = `${indent}  ${paint.dim("│")} `;
    const columns = across - indent.length - 4;
    const max = isFull ? Number.POSITIVE_INFINITY : maxLines;
    const all = text.replace(/\n$/, "").split("\n");
    // Whoever prints nine lines of ten, and that one is left, should have printed it.
    const whole = all.length <= max + 1 ? all : all.slice(0, max);
    const isLong = !isFull && whole.some((words) => words.length > maxLineLength);
    const lines = whole.flatMap((words) =>
      wrapped(visibleText(isFull ? words : words.slice(0, maxLineLength)), columns),
    );
    const left = all.length - whole.length;
    const isCut = left > 0 || isLong || lines.length > 2 * max || rest !== undefined;
    const notes = [
      left > 0 ? `${grouped(left)} more ${left === 1 ? "line" : "lines"}` : isCut ? "cut" : "",
      rest === undefined ? "" : `complete in ${visibleText(rest)}`,
    ].filter((note) => note !== "");
    return {
      lines: [
        ...lines
          .slice(0, 2 * max)
          .map((words) => `${bar}${width === null ? words : fitWidth(words, columns)}`.trimEnd()),
        ...(notes.length > 0 ? [`${bar}${paint.dim(`… ${notes.join("; ")}`)}`] : []),
      ],
      isCut,
    };
  }

  function fact(name: string, text: string): string[] {
    const head = `${indent}${paint.dim(name.padEnd(factWidth))}`;
    const lines = wrapped(visibleText(text), across - indent.length - factWidth);
    return lines.map((words, at) => `${at === 0 ? head : `${indent}${" ".repeat(factWidth)}`}${words}`);
  }

  function shown(entry: RunEntry): Shown {
    switch (entry.kind) {
      case "heading": {
        const lines = [...(entry.label === "run" ? [] : [""]), heading(entry.text, entry.aside ?? "")];
        return { lines, isCut: false };
      }
      case "fact":
        return { lines: fact(entry.label, entry.text), isCut: false };
      case "line":
        return { lines: happened(entry), isCut: false };
      case "quote": {
        const { lines, isCut } = quoted(entry);
        const before = standsAlone.has(entry.label) ? [""] : [];
        return { lines: [...before, ...lines, ...(entry.label === "user" ? [""] : [])], isCut };
      }
      default:
        return entry satisfies never;
    }
  }

  return (entries: readonly RunEntry[]): Shown => {
    const all = entries.map(shown);
    return { lines: all.flatMap(({ lines }) => lines), isCut: all.some(({ isCut }) => isCut) };
  };
}
