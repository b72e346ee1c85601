import pc from "picocolors";
import type { StoredEvent, TelemetryGroup } from "../../contract/telemetry.ts";
import { milliseconds } from "../../report/text/format-numbers.ts";
import { type Column, leftOutHeads, textTable } from "../../report/text/text-table.ts";
import { isoTime } from "../../shared/async/clock.ts";
import type { Json } from "../../shared/json/json.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";

export interface TelemetryLayout {
  color: boolean;
  /** Columns of the terminal; null where nothing has to fit. */
  width: number | null;
}

const eventColumns: readonly Column[] = [
  { head: "Time (UTC)" },
  { head: "Event", least: 14 },
  { head: "Skill", least: 8, isExpendable: true },
  { head: "About", least: 10 },
  { head: "Payload", least: 12, isExpendable: true },
];

/** Events, one per line. Their texts are untrusted. */
export function telemetryEventLines(events: readonly StoredEvent[], layout: TelemetryLayout): string {
  if (events.length === 0) return "";
  const rows = events.map((event) => [
    formatTime(event.ts),
    shownText(event.event_name),
    shownText(event.skill_id ?? "–"),
    shownText(event.case_id ?? event.task_id ?? event.session_id ?? event.run_id ?? "–"),
    Object.entries(event.payload)
      .map(([name, value]) => `${shownText(name)}=${shownText(valueText(value))}`)
      .join(" "),
  ]);
  return renderTable(eventColumns, rows, layout);
}

/** Groups of events with their figures. */
export function telemetryGroupLines(
  groups: readonly TelemetryGroup[],
  by: readonly string[],
  layout: TelemetryLayout,
): string {
  if (groups.length === 0) return "";
  const columns: Column[] = [
    ...by.map((head) => ({ head, least: 10 })),
    ...["Events", "Errors", "P50", "P95"].map((head) => ({ head, align: "right" }) as const),
  ];
  const rows = groups.map(({ group, count, errors, p50, p95 }) => [
    ...by.map((field) => shownText(group[field] ?? "–")),
    String(count),
    String(errors),
    milliseconds(p50),
    milliseconds(p95),
  ]);
  return renderTable(columns, rows, layout);
}

function renderTable(
  columns: readonly Column[],
  rows: readonly string[][],
  { color, width }: TelemetryLayout,
): string {
  const colors = pc.createColors(color);
  const paint = (text: string, _: string, row: number) => (row === -1 ? colors.dim(text) : text);
  const lines = textTable(columns, rows, { width, paint });
  const leftOut = leftOutHeads(columns, rows, width);
  if (leftOut.length > 0) lines.push(colors.dim(`left out: ${leftOut.join(", ")}; see --json`));
  return lines.join("\n");
}

/** A received time may be outside the calendar's range. */
function formatTime(ts: number): string {
  const ms = ts * 1000;
  return Math.abs(ms) <= 8.64e15
    ? isoTime(Math.round(ms)).replace("T", " ").replace("Z", "")
    : visibleText(String(ts));
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
