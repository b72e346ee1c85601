import * as z from "zod";

const text = z.string();

/**
 * What a trace can be evidence of. A word is here only when the trace holds it; what depends on a missing one is not observed.
 * - `calls`: every call of a tool, by name. Without it nothing can be said of triggering, order or counts.
 * - `final`: the last text of the model, in the final answer and in `final.md`.
 * - `file_reads`: calls that read files, with the paths they read. Loads are complete as far as these calls show them; their
 *   hashes and lengths are null nevertheless.
 * - `approvals`: a record of what was denied; every denial is an `approval_denied`. Grants are in no trace: whether a call that
 *   ran was approved is never observed.
 * - `deltas`: the answer in the pieces it was streamed in.
 * - `usage`: tokens of at least one call.
 */
export const evidence = ["calls", "final", "file_reads", "approvals", "deltas", "usage"] as const;
export type Evidence = (typeof evidence)[number];

/** What no event of an imported run contains, by its name in `unknown`; the members themselves are null. */
const unknowns = [
  ...evidence,
  /** What the user asked. */
  "request",
  "model",
  /** The limits it ran under; tools that were allowed; containment. */
  "limits",
  "policy",
  "isolation",
  /** Which skills there were to choose among, and their content. */
  "index",
  "digests",
  /** Of loads: hashes, lengths, whether something was cut. */
  "load_reports",
  /** The content of the prompts. */
  "context",
  /** Arguments of some calls; whether some calls succeeded. */
  "arguments",
  "results",
  /** Who allowed what ran. */
  "approval_grants",
  "cost",
  /** Why it ended, in our words; whether the answer is degraded. */
  "stop_reason",
  "degraded",
  /** Times are those of the import. */
  "times",
] as const;
export type Unknown = (typeof unknowns)[number];

/** All that a command can do to files, programs and the network. */
export const commandClasses = [
  "load_resource",
  "run_script",
  "read_file",
  "list_dir",
  "grep",
  "write_file",
  "delete_file",
  "network_request",
] as const;

/** What something in a trace may have been that nobody could read: the actions and tools that cases name, and what else a run is judged by. */
export const unknownClasses = [
  "select_skills",
  ...commandClasses,
  /** A tool of any other name. */
  "other_tool",
  /** A reply of the model, of any kind; the last one. */
  "turn",
  "final_answer",
  /** How a call ended; whether somebody allowed it. */
  "result",
  "approval",
] as const;
export type UnknownClass = (typeof unknownClasses)[number];

/** A line, an item, a call or a field of a trace that became no event, or not all that it may be. Every such item is also an `error_occurred` at its place. */
export const UnknownItem = z.looseObject({
  /** The line of the file; null where it is not made of lines. */
  line: z.number().int().nullable(),
  /** Where it is, in words: `line 3, item 2`. */
  location: text,
  /** Why it is unknown: `unreadable`, `field`, `no result`; `opaque` for a call that ran and may have done more than its name says. */
  kind: text,
  sha256: text,
  /** Words of `unknownClasses`. */
  could_be: z.array(text),
});
export type UnknownItem = z.infer<typeof UnknownItem>;

/** The code of an `error_occurred` about such an item. */
export const unknownItemCode = "TraceItemUnknown";

/** Where a run comes from: our own loop (`native`), or a trace of somebody else's (`claude-code`, `openai`, `otel`). */
export const Origin = z.looseObject({
  kind: text,
  file_sha256: text.optional(),
  importer_version: z.union([text, z.number()]).optional(),
  /** Words of `evidence`. Absent in our own runs, where everything is observed. */
  observed: z.array(text).optional(),
  /** Words of `unknowns`, and what of the trace could not be read, item by item. */
  unknown: z.array(z.union([text, UnknownItem])).optional(),
  /** What is known to say nothing about what was done, by what it is and how often it was there. */
  ignored: z.record(z.string(), z.number()).optional(),
});
export type Origin = z.infer<typeof Origin>;
