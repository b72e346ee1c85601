import * as z from "zod";
import { Interval } from "./document.ts";
import { Judgment } from "./judge.ts";
import { judgeKinds } from "./judge-kind.ts";
import { querySides } from "./triggering.ts";

const count = z.number().int().min(0);
const rate = z.number().nullable();
const bounds = Interval.nullable();

/** The suite that the cells of trigger queries are stored under, instead of the id of a benchmark. */
export const triggeringSuite = "triggering";

/** Why a skill has no trigger tests in a run. */
const skipReasons = ["single-case", "no-block", "empty-lists", "no-model", "no-agent"] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a query has no verdict. The first three are shown as inconclusive, `no-verdict` as a failed test. */
const triggerCauses = ["undecided", "judge-error", "uncalibrated", "no-verdict"] as const;
export type TriggerCause = (typeof triggerCauses)[number];

/** Which judge spoke. */
export const JudgeName = z.object({
  kind: z.enum(judgeKinds),
  model: z.string().nullable(),
  prompt: z.string().nullable(),
  /** As people read it: `router (lexical)`. */
  label: z.string().optional(),
  /** Why this one: `no model configured`, `--judge`, `eval.yaml`. */
  why: z.string().optional(),
});
export type JudgeName = z.infer<typeof JudgeName>;

/** What came of one query, without its judgments. */
export const QuerySummary = z.object({
  queryId: z.string(),
  query: z.string(),
  side: z.enum(querySides),
  /** As stored. */
  verdict: z.enum(["pass", "fail", "invalid"]),
  cause: z.enum(triggerCauses).nullable(),
  repeats: count,
  yes: count,
  no: count,
  invalid: count,
  error: count,
  /** Yes among the valid answers, with its 95 % Wilson interval; null where no answer was valid. */
  rate,
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Whether valid answers differ. */
  flips: z.boolean(),
  /** Whether fewer than four answers were asked for, so that no interval decides. */
  unreplicated: z.boolean(),
  /** What the judge said for the side that won, or what kept it from a verdict. */
  reason: z.string().nullable(),
  /** The skill that more than half of the valid answers chose, null for none; absent where there is no such choice. */
  chosen: z.string().nullable().optional(),
  belongsTo: z.string().nullable(),
  tags: z.array(z.string()).readonly(),
});
export type QuerySummary = z.infer<typeof QuerySummary>;

/** What came of one query: an element of `queries` in a report, and with its head a line of the log. */
export const QueryLine = z.object({
  skillId: z.string(),
  ...QuerySummary.shape,
  judge: JudgeName,
  judgments: z.array(Judgment).readonly(),
  seed: z.number(),
  skillDigest: z.string(),
  cardSha256: z.string(),
  catalogSha256: z.string(),
  ts: z.string(),
});
export type QueryLine = z.infer<typeof QueryLine>;

/** How answers and expectations met. Ties are queries whose valid answers are split evenly: they are in no cell of the matrix. */
export const TriggerMetrics = z.object({
  tp: count,
  fp: count,
  tn: count,
  fn: count,
  ties: count,
  /** Queries or answers asked for, also those without an answer. */
  asked: count,
  precision: rate,
  recall: rate,
  specificity: rate,
  f1: rate,
  accuracy: rate,
  balancedAccuracy: rate,
  mcc: rate,
  coverage: rate,
  intervals: z.object({
    precision: bounds,
    recall: bounds,
    specificity: bounds,
    /** What MCC is where recall and specificity are both at their lower bounds, and where both are at their upper ones. */
    mcc: bounds.optional(),
  }),
});
export type TriggerMetrics = z.infer<typeof TriggerMetrics>;

/** Figures to beat, over the same queries. */
export const Baselines = z.object({
  alwaysYes: TriggerMetrics,
  alwaysNo: TriggerMetrics,
  /** Null where the lexical router judged itself. */
  lexical: TriggerMetrics.nullable(),
});
export type Baselines = z.infer<typeof Baselines>;

/** How often each skill was chosen for requests meant for one. */
export const ConfusionRow = z.object({
  /** The skill the requests are meant for; null for negatives that belong to nobody. */
  intended: z.string().nullable(),
  /** Chosen skill → queries. */
  chosen: z.record(z.string(), count),
  none: count,
  /** Queries without a choice that more than half of the valid answers agree on, or with too few of them. */
  undecided: count,
});
export type ConfusionRow = z.infer<typeof ConfusionRow>;

/** A share of things that were counted. */
export const CountedShare = z.object({ count, of: count, rate, interval: bounds });
export type CountedShare = z.infer<typeof CountedShare>;

/** The confusion rows of all skills of a run as one matrix, and what stands out in it. Shares leave out undecided queries. */
export const ConfusionSummary = z.object({
  rows: z.array(ConfusionRow),
  /** Requests meant for a skill that got it, of those with a choice. */
  top1: CountedShare,
  /** Requests meant for a skill that got none. */
  none: CountedShare,
  /** Requests for nobody that got a skill all the same. */
  offTopic: CountedShare,
  /** Who took most from whom, worst first. */
  worstPairs: z.array(CountedShare.extend({ intended: z.string(), chosen: z.string() })),
});
export type ConfusionSummary = z.infer<typeof ConfusionSummary>;

/** Choices of a card in one third of its list, of all choices of a card; `expected` is the share that no bias would give. */
const ThirdOfCards = CountedShare.extend({ expected: rate.optional() });

/** Where judges choose among cards: whether the position of a card decides. */
export const PositionBias = z.object({ first: ThirdOfCards, last: ThirdOfCards });
export type PositionBias = z.infer<typeof PositionBias>;

/** What is known of one skill after its queries were judged; the queries themselves are streamed. */
export const TriggerResult = z.object({
  skillId: z.string(),
  skillDigest: z.string(),
  judge: JudgeName,
  repeats: count,
  threshold: z.number(),
  passed: count,
  /** Those without verdict because the judge gave no usable answer (`no-verdict`) among them. */
  failed: count,
  inconclusive: count,
  metrics: z.object({ query: TriggerMetrics, judgment: TriggerMetrics, baselines: Baselines }),
  /** Null where the judge was asked about one skill at a time. */
  confusion: z.array(ConfusionRow).nullable(),
  positionBias: PositionBias.nullable(),
  /** Unusable replies among all replies; null where none came. */
  invalidRate: rate,
  /** What the unusable replies meant to a lenient reader. */
  lenient: z.object({ yes: count, no: count, neither: count }),
  /** What was spent on answers that were not in the store; null where a price is unknown, and where nobody is paid. */
  usd: rate,
  /** What these same answers took. */
  tokensIn: z.number().nullable(),
  tokensOut: z.number().nullable(),
  cached: count,
  /** Of every reply, cached ones as they took then. */
  latency: z.object({ p50Ms: rate, p95Ms: rate }),
  /** What a reader must know: `not calibrated`, `not better than lexical`. */
  notes: z.array(z.string()),
});
export type TriggerResult = z.infer<typeof TriggerResult>;
