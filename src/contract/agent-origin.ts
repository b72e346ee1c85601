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

/** Where a run comes from: our own loop (`native`), or a trace of somebody else's (`claude-code`, `openai`, `otel`). */
export const Origin = z.looseObject({
  kind: text,
  file_sha256: text.optional(),
  importer_version: z.union([text, z.number()]).optional(),
  /** Words of `evidence`. Absent in our own runs, where everything is observed. */
  observed: z.array(text).optional(),
  /** Words of `unknowns`. */
  unknown: z.array(text).optional(),
});
export type Origin = z.infer<typeof Origin>;
