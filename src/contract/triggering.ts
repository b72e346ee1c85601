import * as z from "zod";
import type { DiagnosticLocation } from "./diagnostics.ts";
import { judgeKinds } from "./judge-kind.ts";
import { maxIdCharacters } from "./limits.ts";

/** What a request should do to a skill: load it, or leave it alone. */
export const querySides = ["should_match", "should_not_match"] as const;
export type QuerySide = (typeof querySides)[number];

/** One sample request with its expected side. */
export interface TriggerQuery {
  /** As given, else made of the text, so that it stays the same wherever the query is in the list. */
  id: string;
  text: string;
  side: QuerySide;
  tags: string[];
  /** The sibling that a request on the negative side is meant for. */
  belongsTo: string | null;
  location: DiagnosticLocation;
}

/** A query as a list holds it, where it is more than its text. */
export const QueryEntry = z.object({
  query: z.string(),
  id: z
    .union(
      [z.string().trim().min(1).max(maxIdCharacters), z.int()],
      `must be text of at most ${maxIdCharacters} characters`,
    )
    .optional(),
  tags: z.array(z.string().trim().min(1)).optional(),
  belongs_to: z.string().trim().min(1).optional(),
});

/** The most answers to one query: more add cost and no information. */
export const maxRepeats = 1000;

/** How queries are judged, as written; what is left out comes from flags and configuration. */
export const JudgeSettings = z.object({
  kind: z.enum(judgeKinds).optional(),
  model: z.string().trim().min(1).optional(),
  /** Fewer than four are marked as unreplicated. */
  repeats: z.int().min(1).max(maxRepeats).optional(),
  threshold: z
    .number()
    .refine((threshold) => threshold > 0 && threshold < 1, "must be between 0 and 1")
    .meta({ exclusiveMinimum: 0, exclusiveMaximum: 1 })
    .optional(),
  /** How often an invalid reply is asked for again. */
  reask: z.int().min(0).max(2).optional(),
  /** What counts as yes from the router: any selected skill, or only the first. */
  rank: z.enum(["selected", "top1"]).optional(),
  /** Minimum agreement with gold labels for a judge to decide gates. */
  min_kappa: z.number().min(-1).max(1).optional(),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;

/** The least figures a skill's queries must reach. */
export const TriggerGate = z.object({
  recall: z.number().min(0).max(1).optional(),
  precision: z.number().min(0).max(1).optional(),
  mcc: z.number().min(-1).max(1).optional(),
});
export type TriggerGate = z.infer<typeof TriggerGate>;

/** The `triggering` block of a skill's `eval.yaml`, imports included. */
export interface Triggering {
  /** Each text once per side, in file order: the lists, then the imports. */
  queries: TriggerQuery[];
  judge: JudgeSettings;
  gate: TriggerGate;
  /** `defaults.model`: asked when neither a flag nor `judge.model` names one. */
  defaultModel: string | null;
  /** As written, relative to `eval.yaml`. */
  imports: string[];
}

/** A block that says nothing: what queries from elsewhere are added to. */
export const noTriggering: Triggering = { queries: [], judge: {}, gate: {}, defaultModel: null, imports: [] };
