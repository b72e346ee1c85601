import type { JudgeName } from "./trigger-report.ts";

/** A share of things that were counted, with its 95 % Wilson interval; null where nothing was. */
export interface CountedShare {
  count: number;
  of: number;
  rate: number | null;
  interval: { lower: number; upper: number } | null;
}

/** A name that several skills have. */
export interface SharedName {
  name: string;
  skills: string[];
}

/** What becomes of the requests that are meant for one skill. */
export interface SelfRouting {
  skillId: string;
  /** Examples of its manifest among them. */
  queries: number;
  /** It was the first choice. */
  top1: CountedShare;
  /** It was among the chosen. */
  selected: CountedShare;
  /** Nobody was chosen. */
  none: CountedShare;
}

/** A request that went to another skill. */
export interface StolenQuery {
  queryId: string;
  query: string;
  /** Why the other one was chosen, as far as the judge tells. */
  because: string;
}

/** Requests for one skill that another one gets instead. */
export interface Steal {
  from: string;
  to: string;
  share: CountedShare;
  queries: StolenQuery[];
}

/** How skills that are installed together get in each other's way, worst first. */
export interface CatalogReport {
  judge: JudgeName;
  skills: number;
  queries: number;
  /** Queries without an answer. */
  unanswered: number;
  selfRouting: SelfRouting[];
  collisions: {
    triggers: SharedName[];
    tools: SharedName[];
    /** Pairs that are found by the same words, with the weightiest of them. */
    terms: { skills: [string, string]; likeness: number; shared: string[] }[];
  };
  steals: Steal[];
  /** Pairs that are both chosen for requests meant for one of them. */
  coSelected: { skills: [string, string]; queries: number }[];
  closeCalls: { skillId: string; queryId: string; query: string; margin: number }[];
  /** Requests for nobody that load something all the same. */
  offTopic: CountedShare & { queries: { query: string; chosen: string }[] };
  warnings: string[];
}

/** What became of a request between two states of a catalog. */
export const queryChanges = ["kept", "gained", "lost", "moved", "still-wrong", "unknown"] as const;
export type QueryChange = (typeof queryChanges)[number];

/** One request before and after. */
export interface ComparedQuery {
  skillId: string;
  queryId: string;
  query: string;
  side: "should_match" | "should_not_match";
  change: QueryChange;
  /** Who was chosen; null for nobody, absent where the judge was asked about one skill alone. */
  before?: string | null;
  after?: string | null;
  /** Why, as the judge told it afterwards. */
  because: string | null;
}

/** One skill before and after. */
export interface ComparedSkill {
  skillId: string;
  /** Whether what decides its choice was edited. */
  isEdited: boolean;
  queries: number;
  recall: { before: CountedShare; after: CountedShare };
  gained: number;
  lost: number;
  /** Two-sided, exact. */
  mcnemarP: number;
  /** A change that is not above what the judge changes by itself says nothing. */
  verdict: "better" | "worse" | "same" | "inconclusive";
}

/** Requests that moved from one skill to another. */
export interface MovedQueries {
  from: string;
  to: string;
  count: number;
  of: number;
  isEdited: boolean;
  /** "the edit of `b` took 3 of 40 queries of `a`" */
  sentence: string;
  queries: StolenQuery[];
  isInconclusive: boolean;
}

/** What an edit of some skills did to the requests of all. */
export interface CatalogDiff {
  base: string;
  judge: JudgeName;
  counts: Record<QueryChange, number>;
  moved: MovedQueries[];
  skills: ComparedSkill[];
  queries: ComparedQuery[];
  /** Queries that only the new state has, judged there. */
  newQueries: { skillId: string; queryId: string; query: string; isRight: boolean | null }[];
  added: string[];
  removed: { skillId: string; queries: number }[];
  tools: { skillId: string; removed: string[]; added: string[] }[];
  /** How often the judge contradicts itself about the base; null where it cannot. */
  flipRate: CountedShare | null;
  warnings: string[];
  exitCode: 0 | 1 | 3;
}
