import * as z from "zod";
import type { Json } from "../shared/json/json.ts";

/** How an expectation is tried with wrong answers before anything runs. */
export interface Probing {
  /** Where it is below its case: `.expectedOutput.patterns`. */
  member: string;
  /** Whether it would pass this answer. */
  accepts(answer: Json): boolean;
  /** Whether an answer that looks wrong is the expected one. */
  isRight?(answer: Json): boolean;
  /** Wrong answers near the right one, tried instead of the usual ones; it may not pass them all. */
  near?: readonly Json[];
  /** Wrong answers that only this expectation might pass. */
  others?: readonly Json[];
  /** Whether `{"result": …}` is another answer to it than the bare value. */
  readsWrappers?: boolean;
  /** Whether hostile patterns may keep it busy, so that it needs a time limit. */
  mayTakeLong?: boolean;
  /** What a weak one lacks: `add minItems`. */
  advice: string;
}

/** The same for an expectation that is a program: many answers at once, since each process costs. */
export interface ProgramProbing {
  member: string;
  /** The same for all cases that this program scores. */
  program: string;
  /** How many cases of the program are tried. */
  maxCases: number;
  isRight(answer: Json): boolean;
  readsWrappers: boolean;
  /** Whether each answer would pass; null where the program broke. */
  ask(answers: readonly Json[]): Promise<{ passed: (boolean | null)[]; problem: string | null }>;
  advice: string;
}

/** An expectation that was allowed although wrong answers meet it. */
export const VacuousExpectation = z.object({
  suite: z.string(),
  caseId: z.string(),
  /** Where it is in its file. */
  jsonPath: z.string(),
  /** The wrong answers that it accepts. */
  accepted: z.array(z.string()),
  /** Why its author allows it; null where the user did, with --allow-vacuous. */
  why: z.string().nullable(),
});
export type VacuousExpectation = z.infer<typeof VacuousExpectation>;
