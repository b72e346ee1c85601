import type * as z from "zod";
import type { ErrorCode } from "./user-error.ts";

/** A file that was read and fits its schema, with what nobody will read in it. */
export interface ReadDocument<Value> {
  value: Value;
  warnings: string[];
}

/** Reads a JSON file that a person wrote; whatever is wrong with it is a UserError with this code, the file and the place. */
export type DocumentReader = <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  code: ErrorCode,
) => ReadDocument<z.infer<Schema>>;
