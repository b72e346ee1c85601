import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import { Usage } from "./outcome.ts";

const count = z.number().int().min(0);
const rate = z.number().nullable();

/** Why a reply was refused that looked like a call. */
const callRejections = [
  "empty",
  "array",
  "tool-calls-wrapper",
  "duplicate-keys",
  "mixed-forms",
  "arguments-missing",
  "extra-keys",
  "bad-name",
  "arguments-not-object",
  "prefixed",
  "fenced",
  "multiple-calls",
  "surrounding-text",
  "truncated",
  "not-json",
] as const;
export type CallRejection = (typeof callRejections)[number];

/** Allowed, and not how it should be written. */
const callWarnings = ["legacy-form", "string-input"] as const;
export type CallWarning = (typeof callWarnings)[number];

/** A call that was read, and what became of it. Injected text is never stored. */
export const RecordedCall = z.object({
  name: z.string(),
  /** The skill that declares it; null for a name that nobody does or several do. */
  skill: z.string().nullable(),
  form: z.enum(["call", "legacy"]),
  /** As the model sent them. */
  arguments: AnyJson,
  injected: z.array(z.object({ name: z.string(), chars: count, sha256: z.string() })),
  ok: z.boolean(),
  /** A code of the envelope; null for a result. */
  code: z.string().nullable(),
  /** The message of the envelope; null for a result. */
  message: z.string().nullable(),
  /** Null where there is none. */
  data: AnyJson,
  result_bytes: count,
  ms: z.number(),
  /** Whether the same call was made before. */
  repeat: z.boolean(),
  /** `undeclared-argument: …`, `swallowed-error: …`, `large-result: …`, `doc-text-sent: …`. */
  findings: z.array(z.string()),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

/** What a model said once, and how it was read. */
export const ConversationTurnRecord = z.object({
  turn: z.number().int().min(1),
  kind: z.enum(["call", "rejected", "final"]),
  reply: z.string(),
  rejection: z.enum(callRejections).nullable(),
  /** What a lenient reader would have called: reported, never done. */
  lenient: z.object({ name: z.string(), arguments: AnyJson }).nullable(),
  warnings: z.array(z.enum(callWarnings)),
  call: RecordedCall.nullable(),
  llm_ms: z.number(),
  first_token_ms: z.number().nullable(),
  usage: Usage.nullable(),
});
export type ConversationTurnRecord = z.infer<typeof ConversationTurnRecord>;

/** A skill whose prompt and tools a conversation was given. */
export const SelectedSkill = z.object({
  id: z.string(),
  version: z.string().nullable(),
  digest: z.string(),
  /** Its digest at the end, where it was edited meanwhile; empty: it is gone. */
  edited_to: z.string().optional(),
  priority: z.number(),
  /** Null where nobody routed. */
  score: rate,
  lex: rate,
  emb: rate,
  phrase: rate,
  text: rate,
  /** Characters of its prompt that went in, and whether it was cut. */
  injected_chars: count,
  truncated: z.boolean(),
});
export type SelectedSkill = z.infer<typeof SelectedSkill>;

/** How conversations end. `mock-…`: the script of the case is at fault; the last three give no verdict. */
const conversationEnds = [
  "final",
  "protocol-failed",
  "turn-limit",
  "mock-exhausted",
  "mock-invalid",
  "timeout",
  "model-failed",
  "cassette-miss",
  "host-failed",
] as const;
export type ConversationEnd = (typeof conversationEnds)[number];

/** Everything that happened in a conversation: graders and reports read this, and nothing else. */
export const ConversationRecord = z.object({
  host: z.string().nullable(),
  document: z.object({ name: z.string(), chars: count, sha256: z.string() }).nullable(),
  /** Whether the skills were named instead of routed. */
  forced: z.boolean(),
  /** How the router chose; null where it was not asked. */
  routing: z
    .object({
      mode: z.enum(["lexical", "vectors"]),
      catalog_sha256: z.string(),
      query_sha256: z.string(),
      excluded: z.array(z.object({ id: z.string(), reason: z.string() })),
    })
    .nullable(),
  /** In rank order. */
  selected: z.array(SelectedSkill),
  /** The lines a model saw about its tools. */
  tools: z.array(z.string()),
  turns: z.array(ConversationTurnRecord),
  end: z.enum(conversationEnds),
  /** Why it ended without a final reply; null where it has one. */
  problem: z.string().nullable(),
  final: z.string().nullable(),
  /** Replies of a script that were not used; null with a real model. */
  unused_turns: z.number().int().nullable(),
  ms: z.number(),
});
export type ConversationRecord = z.infer<typeof ConversationRecord>;
