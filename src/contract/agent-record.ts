import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";

const count = z.number().int().min(0);
const text = z.string();
const record = z.record(z.string(), AnyJson);

/** How scripts of a run are contained. */
export const Isolation = z.looseObject({
  level: text,
  backend: text.nullable(),
  network: AnyJson,
  unproven: z.array(text),
});
export type IsolationData = z.infer<typeof Isolation>;

/** What is recorded of a file that a model was shown. Null: an importer could not know. What is missing fails a grade, not the log. */
export const LoadReport = z.looseObject({
  path: text,
  bytes: count.nullish(),
  /** Of the whole file. */
  sha256: text.nullish(),
  excerpt_sha256: text.nullish(),
  /** Of the excerpt, as UTF-8. */
  bytes_read: count.nullish(),
  chars_returned: count.nullish(),
  truncated: z.boolean().nullish(),
  strategy: z.enum(["full", "head", "section"]).nullish(),
  storage_ref: text.optional(),
  /** Of the bytes at `storage_ref`, where they are not those of the file: a body without frontmatter, redacted text. */
  storage_sha256: text.optional(),
});
export type LoadReport = z.infer<typeof LoadReport>;

export const PathAudit = z.looseObject({ requested: text, resolved: text.nullable(), inside: z.boolean() });
export type PathAudit = z.infer<typeof PathAudit>;

/** What was done, and who approved it. */
export const Audit = z.looseObject({
  tool: text,
  risk: text,
  ts_start: text,
  ts_end: text,
  params: record,
  params_sha256: text,
  path: PathAudit.optional(),
  result: z.looseObject({
    ok: z.boolean(),
    exit_code: z.number().nullable().optional(),
    timeout: z.boolean().optional(),
    stdout_ref: text.optional(),
    stderr_ref: text.optional(),
  }),
  policy: z.looseObject({
    allowed: z.boolean(),
    approved: z.boolean(),
    approval_scope: text.optional(),
    approval_id: text.optional(),
  }),
  isolation: Isolation.optional(),
  hashes: z.looseObject({ stdout_sha256: text.optional(), stderr_sha256: text.optional() }),
});
export type Audit = z.infer<typeof Audit>;

/** A call that somebody has to allow. */
export const ApprovalRequest = z.looseObject({
  approval_id: text,
  call_id: text,
  tool: text,
  risk: text,
  reason: text,
  params: record,
  params_sha256: text,
  /** A command line that runs the same request with the approval. */
  replay: text,
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

const contextKinds = [
  "rules",
  "request",
  "state",
  "index",
  "body",
  "resource",
  "observation",
  "notice",
] as const;
export const ManifestPart = z.looseObject({
  kind: z.enum(contextKinds),
  /** For bodies and resources the id of the event of the load. */
  ref: text.nullable(),
  sha256: text,
  chars: count,
});
export type ManifestPart = z.infer<typeof ManifestPart>;
