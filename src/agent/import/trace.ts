import type { JsonObject } from "../../contract/json.ts";

/** What another agent did, as far as its trace tells, in whatever format that was. */
export interface Trace {
  model: { provider: string | null; name: string | null };
  /** What the user asked. */
  request: string | null;
  /** Where it worked: relative paths begin there. */
  cwd: string | null;
  /** Tools it had, and skills it could choose among; null where nobody told. */
  tools: readonly string[] | null;
  skills: readonly string[] | null;
  /** Folders of skills that the trace names. */
  skillFolders: readonly SkillFolder[];
  turns: readonly TraceTurn[];
  /** The answer, where the trace tells it apart from the last turn. */
  answer: string | null;
  /** Why it ended; null where nobody told. */
  stop: { status: "completed" | "stopped" | "failed"; reason: string; budget?: string } | null;
  usage: TraceUsage | null;
  /** Whether calls that were denied are told. */
  tellsDenials: boolean;
  /** Whether calls can be seen at all. */
  tellsCalls: boolean;
  /** What could not be read, by its place. */
  warnings: readonly string[];
}

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
  /** As the trace names it; null where it does not. */
  id: string | null;
  tool: string;
  /** Null where they are not told or cannot be read. */
  arguments: JsonObject | null;
  /** Null where none is told; a result need not tell whether it is an error. */
  result: { text: string; isError: boolean | null } | null;
  /** Why it was not allowed; null where it was, or nobody told. */
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
