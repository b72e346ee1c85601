import type * as z from "zod";
import { zodProblem } from "../base/zod-problem.ts";
import { UserError } from "../contract/user-error.ts";

/** What a report file holds, as this schema reads it; the first thing that does not fit is told with its place. */
export function checkReport<Value>(value: unknown, schema: z.ZodType<Value>, shownPath: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const { message, jsonPath } = zodProblem(read.error, value);
  throw new UserError("report-invalid", `${shownPath}: ${message}`, { path: shownPath, jsonPath });
}
