import {
  type OwnEvent,
  type Telemetry,
  type TelemetryContext,
  type TelemetryEvent,
  telemetryVersion,
} from "../contract/telemetry.ts";
import type { Clock } from "../shared/async/clock.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { eventIds } from "./event-id.ts";
import { fileSink } from "./file-sink.ts";
import { narrowedWords } from "./open-event-database.ts";
import { remoteSink } from "./remote-sink.ts";
import type { TelemetrySettings } from "./settings.ts";
import type { SinkMaker } from "./sink-queue.ts";

export interface TelemetryEnvironment {
  clock: Clock;
  /** Called once at most, at the end: what became of events that could not be stored or sent, and which files were open to other users. */
  warn(message: string): void;
}

export type OpenTelemetry = Telemetry & AsyncDisposable;

/**
 * Where a run emits what happened. Nothing is opened, written or sent before the first event, and nothing
 * that goes wrong with it reaches the run. `sqlitePath` has to be absolute.
 */
export function openTelemetry(settings: TelemetrySettings, environment: TelemetryEnvironment): OpenTelemetry {
  const { clock } = environment;
  const idOf = eventIds();
  const makeEvent = (name: OwnEvent, payload: JsonObject, context: TelemetryContext = {}): TelemetryEvent => {
    const nowMs = clock.now();
    return {
      event_id: idOf(name, context, nowMs),
      schema_version: telemetryVersion,
      event_name: name,
      ts: nowMs / 1000,
      source: "runner",
      ...context,
      payload,
    };
  };
  const reportDropped = (count: number, since: number) => makeEvent("telemetry.dropped", { count, since });
  const narrowed: string[] = [];
  const onNarrowed = (path: string) => void narrowed.push(path);
  const sinks = makersFor(settings).map((make) => make({ ...settings, clock, reportDropped, onNarrowed }));

  return {
    emit(name, payload, context) {
      if (sinks.length === 0) return;
      try {
        const event = makeEvent(name, payload, context);
        for (const sink of sinks) sink.add(event);
      } catch {
        // an event that cannot be emitted is no reason to stop a run
      }
    },
    async [Symbol.asyncDispose]() {
      const problems = await Promise.all(
        sinks.map((sink) => sink.close().catch((error: Error) => error.message)),
      );
      const reported = problems.filter((problem) => problem !== null);
      if (narrowed.length > 0) reported.push(narrowedWords(narrowed));
      if (reported.length > 0) environment.warn(`telemetry: ${reported.join("; ")}`);
    },
  };
}

function makersFor({ mode }: TelemetrySettings): SinkMaker[] {
  switch (mode) {
    case "local":
      return [fileSink];
    case "remote":
      return [remoteSink];
    case "both":
      return [fileSink, remoteSink];
    case "off":
      return [];
    default:
      return mode satisfies never;
  }
}
