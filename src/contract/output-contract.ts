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
