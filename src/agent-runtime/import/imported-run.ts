import type { EventData, EventType } from "../../contract/agent-event.ts";

/** A run of another agent in our words, ready to be written. */
export interface ImportedRun {
  request: string | null;
  /** What `final.md` holds; null where nobody answered. */
  final: string | null;
  /** Without what its writer knows: where the request is. */
  started: EventData<"run_started">;
  events: readonly ImportedEvent[];
  /** Without what its writer knows: where the answer is. */
  finished: EventData<"run_finished">;
  warnings: readonly string[];
}

export type ImportedEvent = {
  [Type in EventType]: { turn: number; type: Type; data: EventData<Type>; atMs: number | null };
}[EventType];

/** The formats that are read. */
export type TraceKind = "claude-code" | "openai" | "otel";
