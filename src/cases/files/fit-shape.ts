import type * as z from "zod";
import { dropUnknownKeys, type KnownKeys, knownKeys, unknownKeys } from "../../shared/json/known-keys.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** A schema whose objects are closed, with the keys it knows. */
export interface Shape<Schema extends z.ZodType> {
  schema: Schema;
  known: KnownKeys;
}

export function closedShape<Schema extends z.ZodType>(schema: Schema): Shape<Schema> {
  return { schema, known: knownKeys(schema) };
}

export interface ShapeOptions {
  /** The path to the value from the root of the reporter. */
  at?: readonly PropertyKey[];
  /** What helps with a problem at these steps. */
  hintFor?: (steps: readonly PropertyKey[]) => string | undefined;
}

/** Where a key that is ignored would be one demand less. */
const decisive: readonly PropertyKey[] = ["expect", "constraints"];

/** Holds a value against a shape. A key that is close to a known one is a fault, any other that is not known a warning. */
export function fitShape<Schema extends z.ZodType>(
  value: unknown,
  { schema, known }: Shape<Schema>,
  report: ProblemReporter,
  { at = [], hintFor }: ShapeOptions = {},
): z.infer<Schema> {
  const fits = schema.safeParse(value);
  if (fits.success) return fits.data; // closed objects: nothing that is not known can be in it
  for (const { steps, meant, isUnsafe } of unknownKeys(value, known)) {
    const way = [...at, ...steps];
    if (isUnsafe) throw report.fault(way, "is not allowed");
    if (meant !== null) throw report.fault(way, "is not a known key", `did you mean ${meant}?`);
    if (way.slice(0, -1).some((step) => decisive.includes(step)))
      throw report.fault(way, "is not a known key", "remove it: nothing would check it");
    const { shown, jsonPath } = report.locate(way);
    report.warn(`${shown}: unknown key ${jsonPath} ignored`);
  }
  const read = schema.safeParse(dropUnknownKeys(value, known));
  if (read.success) return read.data;
  const { steps, reason } = zodProblem(read.error, value);
  throw report.fault([...at, ...steps], reason, hintFor?.(steps));
}
