import * as z from "zod";
import { AnyJson, type JsonObject } from "../shared/json/json.ts";
import { type ContextField, contextFields } from "./telemetry-fields.ts";

export { type ContextField, contextFields } from "./telemetry-fields.ts";

export const telemetryVersion = "eval-skills.telemetry.v1";
/** Also taken, from others. */
export const foreignTelemetryVersion = "ah32.telemetry.v1";

/** Where events go: a file on this machine, an endpoint, both, or nowhere. */
export const telemetryModes = ["local", "remote", "both", "off"] as const;
export type TelemetryMode = (typeof telemetryModes)[number];
/** Every way to write one; the last three are off as well. */
export const telemetryModeWords = [...telemetryModes, "disabled", "false", "0"] as const;
export const minFlushIntervalMs = 50;

export const telemetrySources = ["runner", "server", "client"] as const;
export type TelemetrySource = (typeof telemetrySources)[number];

export type TelemetryContext = Partial<Record<ContextField, string>>;

const context = Object.fromEntries(contextFields.map((field) => [field, z.string().optional()])) as Record<
  ContextField,
  z.ZodOptional<z.ZodString>
>;
const object = z.record(z.string(), AnyJson) as unknown as z.ZodType<JsonObject>;

/** A fact for replaying, filtering and counting: lengths, counts, ids, hashes and times; never user text. */
export const TelemetryEvent = z.object({
  event_id: z.string().min(1).max(128),
  schema_version: z.literal(telemetryVersion),
  event_name: z.string().min(1).max(128),
  /** Unix seconds. */
  ts: z.number(),
  source: z.enum(telemetrySources),
  ...context,
  payload: object,
  extra: object.optional(),
});
export type TelemetryEvent = z.infer<typeof TelemetryEvent>;

/** The events we emit ourselves; others are taken all the same. */
export const ownEvents = [
  "chat.turn_start",
  "chat.llm_call",
  "chat.turn_done",
  "skills.selected",
  "skills.applied",
  "macro.exec_start",
  "macro.exec_done",
  "macro.error_report",
  "tool.call_start",
  "tool.call_done",
  "run.start",
  "run.done",
  "cell.start",
  "cell.done",
  "trigger.query_done",
  "planbench.sample_done",
  "telemetry.dropped",
] as const;
export type OwnEvent = (typeof ownEvents)[number];

/** Where a run emits what happened. It never throws, never waits, and never slows the run. */
export interface Telemetry {
  emit(name: OwnEvent, payload: JsonObject, context?: TelemetryContext): void;
}

/** Drops everything. */
export const noTelemetry: Telemetry = { emit: () => {} };

/** A stored event, as it is shown. */
export type StoredEvent = TelemetryEvent & {
  /** Rises with the order of arrival. */
  id: number;
  received_at: number;
  /** How many sides reported it. */
  reports: number;
};

/** Which events to read. All given conditions must hold. */
export interface TelemetryFilter {
  limit: number;
  sinceTs?: number | undefined;
  untilTs?: number | undefined;
  beforeId?: number | undefined;
  eventName?: string | undefined;
  context: TelemetryContext;
}

/** Events of one group. Times are those of the field that says how long it took; null where no event has one. */
export interface TelemetryGroup {
  group: Record<string, string | null>;
  count: number;
  errors: number;
  p50: number | null;
  p95: number | null;
}

/** The events of a machine, in a file. Times are Unix seconds; what is wrong with the file is thrown as a `UserError`. */
export interface EventFile extends Disposable {
  /** Stores new events, merges those that another side reported, and ignores those reported before. */
  add(events: readonly TelemetryEvent[], receivedAt: number): { accepted: number; duplicates: number };
  /** The newest first. */
  events(filter: TelemetryFilter): StoredEvent[];
  /** The same, one at a time: there may be millions. */
  eachEvent(filter: TelemetryFilter): Iterable<StoredEvent>;
  groups(filter: Omit<TelemetryFilter, "limit" | "beforeId">, by: readonly string[]): TelemetryGroup[];
  /** Drops what was received too long ago, the oldest first; about as many as `most` at once. */
  sweep(now: number, maxRows?: number): number;
}
