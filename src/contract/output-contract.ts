import * as z from "zod";
import type { JsonSchema } from "../shared/json/json.ts";

/** What an output promises to be. All parts that are there must hold. */
export interface OutputContract {
  markers: readonly string[];
  /** In characters (code points); null: as long as it likes. */
  maxChars: number | null;
  /** The whole trimmed output is one JSON value that fits all of these. */
  schemas: readonly ContractSchema[];
}

/** A schema that an output must fit. */
export interface ContractSchema {
  name: string;
  schema: JsonSchema;
  /** What JSON Schema cannot express; run on values that fit the schema. */
  check?: ((value: unknown) => Violation[]) | undefined;
}

/** What a skill promises of its output, as data: stored with a conversation, and checked when it is graded. */
export interface PromisedOutput {
  markers: readonly string[];
  maxChars: number | null;
  schemas: readonly NamedSchema[];
  /** In the words of the skill, which only a judge can hold an output against. */
  prose: string | null;
  /** Schemas that the prose mentions: an output that says it is of such a schema must fit it. */
  offers: readonly NamedSchema[];
}

export interface NamedSchema {
  name: string;
  /** Null: the one that comes with the package. */
  schema: JsonSchema | null;
}

/** `output_schema` of a manifest: the name of a schema, or prose. Real skills write sentences and lists. */
export function readOutputSchema(written: string | readonly string[] | undefined): {
  name: string | null;
  prose: string | null;
} {
  const text = (typeof written === "string" ? written : (written ?? []).join("\n")).trim();
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return { name: text, prose: null };
  return { name: null, prose: text === "" ? null : [...text].slice(0, maxProseChars).join("") };
}

const maxProseChars = 4_000;

/** Whether words can name a schema: no folder, and so no way out of one. */
export function isSchemaName(words: string): boolean {
  return /^[\p{L}\p{N}_.-]{1,200}$/u.test(words) && words !== "." && words !== "..";
}

/** A way in which an output breaks its contract. */
export const Violation = z.object({
  /** JSON pointer into the output; empty for the whole. */
  pointer: z.string(),
  reason: z.string(),
});
export type Violation = z.infer<typeof Violation>;

/** How many of them are reported per output. */
export const maxViolations = 10;
