import type { TelemetryEvent } from "../contract/telemetry.ts";
import type { Clock } from "../shared/async/clock.ts";
import type { TelemetrySettings } from "./settings.ts";

/** One place where events go. It never throws and never waits. */
interface Sink {
  add(event: TelemetryEvent): void;
  /** Writes what is left, within a short time; settles with what went wrong, in words, or null. */
  close(): Promise<string | null>;
}

interface SinkOptions extends TelemetrySettings {
  clock: Clock;
  reportDropped(count: number, since: number): TelemetryEvent;
}

export type SinkMaker = (options: SinkOptions) => Sink;
