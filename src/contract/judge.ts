import * as z from "zod";
import type { Json } from "../shared/json/json.ts";
import type { CanaryFigures } from "./figures.ts";
import type { JudgeKind } from "./judge-kind.ts";

/** A skill as a judge may see it. */
export interface JudgedSkill {
  id: string;
  /** Other names for the id, the one it is installed under among them. */
  aliases: readonly string[];
  card: Card;
}

/** One question to a judge. It never holds the expected side, other queries, the skill's body or its tests. */
export interface JudgeQuestion {
  /** The skill that is asked about, with the hash of its files. */
  skill: JudgedSkill & { digest: string };
  query: { id: string; text: string };
  /** Which repetition this is, from 0. */
  repeat: number;
}

/** Why no reply came. */
const judgeFaults = [
  "timeout",
  "quota",
  "transport",
  "refused",
  "budget",
  "not-recorded",
  "agent",
  /** It broke off by itself: a fault of the judge, such as one that somebody plugged in. */
  "crashed",
  /** It fails its canaries, or answers too few of them: it was not asked. */
  "unreliable",
  "unchecked",
] as const;
export type JudgeFault = (typeof judgeFaults)[number];

const tokens = z.number().int().nullable();

/** A reply that is not a verdict, stored for the record; what a lenient reader would have made of it decides nothing. */
const UnusableReply = z.object({
  why: z.string(),
  /** The first 500 characters. */
  raw: z.string(),
  rawSha256: z.string(),
  lenientDecision: z.enum(["yes", "no"]).nullable(),
});
export type UnusableReply = z.infer<typeof UnusableReply>;

/** What an answer took; null is unknown, never zero instead. */
const Effort = z.object({
  ms: z.number(),
  tokensIn: tokens,
  tokensOut: tokens,
  usd: z.number().nullable(),
  /** Whether it was answered from the store: then it cost nothing now, and these are the figures of then. */
  cached: z.boolean(),
  /** The order in which cards were shown, where that was left to chance. */
  order: z.array(z.string()).optional(),
  /** Unusable replies to the same question before this one. */
  reasked: z.array(UnusableReply).optional(),
});

// What was said comes before what it took: this is the order of a line in the log.
const Decided = z.object({
  outcome: z.enum(["yes", "no"]),
  reason: z.string(),
  /** The skill that was chosen, null for none; absent where only one was asked about. */
  chosen: z.string().nullable().optional(),
  /** Why it should not be used; only where the user wanted it all the same. */
  problem: z.string().optional(),
  /** The hash of what was replied; absent where no model spoke. */
  rawSha256: z.string().optional(),
  ...Effort.shape,
});
const Unusable = z.object({ outcome: z.literal("invalid"), ...UnusableReply.shape, ...Effort.shape });
const Failed = z.object({
  outcome: z.literal("error"),
  code: z.enum(judgeFaults),
  message: z.string(),
  ...Effort.shape,
});

/** One answer to one question. Invalid: a reply came and is not a verdict. Error: no reply came. Neither is ever read as yes or no. */
export const JudgeAnswer = z.discriminatedUnion("outcome", [Decided, Unusable, Failed]);
export type JudgeAnswer = z.infer<typeof JudgeAnswer>;

const repeat = { repeat: z.number().int().min(0) };

/** An answer as it is stored, with the repetition it belongs to. */
export const Judgment = z.discriminatedUnion("outcome", [
  z.object({ ...repeat, ...Decided.shape }),
  z.object({ ...repeat, ...Unusable.shape }),
  z.object({ ...repeat, ...Failed.shape }),
]);
export type Judgment = z.infer<typeof Judgment>;

/** Says whether a request would load a skill. Write one and every trigger test can use it. */
export interface Judge {
  readonly kind: JudgeKind;
  /** The model that speaks, or those that make a router's vectors; null where there is none. */
  readonly model: string | null;
  /** The version of its prompt, such as `trigger-card/1`, or of the router; null where neither speaks. */
  readonly prompt: string | null;
  /** What reports call it: `model`, `router (lexical)`, `router (vectors: <model>)`. */
  readonly label: string;
  /** Whether the same question always gets the same answer, so that one repetition is enough. */
  readonly isDeterministic: boolean;
  /** Whether asking costs money. */
  readonly isPaid: boolean;
  /** Everything about it that may change its answers: part of the identity of what it judges. */
  readonly identity: Json;
  /** Throws only the signal's reason, or a `UserError` that ends the run (a recording that cannot be written). */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeAnswer>;
  /** Asks it about requests of which everybody knows the answer, once; absent where nothing is to be checked. */
  check?(signal: AbortSignal): Promise<CanaryFigures>;
}

/** The short public text about a skill, by which it is chosen; never its prompt or its body. */
export interface Card {
  description: string;
  triggers: string[];
  notFor: string[];
  /** What did not fit and was cut, in words; empty where all of it did. */
  cuts: string[];
}
