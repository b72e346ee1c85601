import type { EventFile, TelemetryMode } from "../../contract/telemetry.ts";
import type { Clock } from "../../shared/async/clock.ts";
import type { ReceivedIds } from "../intake/received-ids.ts";
import type { TelemetryPage } from "./telemetry-page.ts";
import type { Turns } from "./turns.ts";
import type { Turnstile } from "./turnstile.ts";

/** What the routes answer from. */
export interface Served {
  /** Null: telemetry is off, and nothing is kept. */
  file: EventFile | null;
  mode: TelemetryMode;
  retentionDays: number;
  /** Null: there are no dev routes. */
  page: TelemetryPage | null;
  clock: Clock;
  ids: ReceivedIds;
  posts: Turnstile;
  turns: Turns;
  /** Told of what is our own fault. */
  warn: (message: string) => void;
}
