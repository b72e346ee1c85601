import type { EventData, EventType } from "../../contract/agent-event.ts";
import type { UnknownClass } from "../../contract/agent-origin.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** Where something is in the file of a trace. */
export interface TracePlace {
  /** Null where the file is not made of lines. */
  line: number | null;
  /** `line 3, item 2`. */
  location: string;
}

/** What became no event, or not all that it may be. */
export interface UnknownEntry extends TracePlace {
  /** Why, in a word or two: `unreadable`, `field`. */
  kind: string;
  sha256: string;
  couldBe: readonly UnknownClass[];
}

/** What another agent did for one request, as far as its trace records it, in any format. */
export interface Trace {
  model: { provider: string | null; name: string | null };
  /** What the user asked. */
  request: string | null;
  /** Where it worked: relative paths begin there. */
  cwd: string | null;
  /** Tools it had, and skills it could choose among; null where unknown. */
  tools: readonly string[] | null;
  skills: readonly string[] | null;
  /** Folders of skills that the trace names. */
  skillFolders: readonly SkillFolder[];
  /** What happened, in order. */
  entries: readonly TraceEntry[];
  /** What is known to say nothing about what was done, by what it is and how often. */
  ignored: Readonly<Record<string, number>>;
  /** The answer, where the trace records it apart from the last turn. */
  answer: string | null;
  /** Why it ended; null where unknown. */
  stop: { status: "completed" | "stopped" | "failed"; reason: string; budget?: string } | null;
  usage: TraceUsage | null;
  /** Whether denied calls are recorded. */
  recordsDenials: boolean;
  /** Whether calls can be seen at all. */
  recordsCalls: boolean;
}

export type TraceEntry = { turn: TraceTurn } | { unknown: UnknownEntry };

/** One reply of the model with what it asked for. */
export interface TraceTurn {
  /** The id of the call that started the agent whose turn this is; null for the first agent, `?` where nobody knows. */
  parentCall: string | null;
  atMs: number | null;
  durationMs: number | null;
  usage: TraceUsage | null;
  /** What it wrote, block by block, and the pieces each came in. */
  texts: readonly { text: string; pieces: readonly string[] }[];
  calls: readonly TraceCall[];
}

export interface TraceCall {
  place: TracePlace;
  /** As the trace names it; null where it does not. */
  id: string | null;
  /** Empty where it has no name. */
  tool: string;
  /** Null where they are unknown or unreadable. */
  arguments: JsonObject | null;
  /** Null where none is recorded: nobody knows whether it ran. Whether it is an error may be unknown. */
  result: { text: string; isError: boolean | null } | null;
  /** Why it was not allowed; null where it was, or where that is unknown. */
  denied: string | null;
}

export type TraceUsage = {
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
};

/** A skill and where it lies, absolute. */
export interface SkillFolder {
  name: string;
  dir: string;
}

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
