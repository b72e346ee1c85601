import type { TelemetryEvent, TelemetrySource } from "../contract/telemetry.ts";

/** Who knows better comes later. */
const bySource: readonly TelemetrySource[] = ["client", "runner", "server"];

/** One event from what several sides told of it: whoever knows something adds it; who knows better wins. */
export function mergeReports(reports: readonly TelemetryEvent[]): TelemetryEvent {
  const ranked = [...reports].sort((a, b) => bySource.indexOf(a.source) - bySource.indexOf(b.source));
  const members = (name: "payload" | "extra") => ranked.flatMap((event) => Object.entries(event[name] ?? {}));
  const extra = members("extra");
  return {
    ...(Object.fromEntries(ranked.flatMap((event) => Object.entries(event))) as TelemetryEvent),
    payload: Object.fromEntries(members("payload")),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}
