import type { NotLoaded } from "../../../contract/not-loaded.ts";
import type { CountedShare, JudgeName } from "../../../contract/trigger-report.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { estimateShare } from "../../../engine/figures/rate-figure.ts";

/** A name that several skills have. */
export interface SharedName {
  name: string;
  skills: string[];
}

/** Where the requests meant for one skill go. */
export interface SelfRouting {
  skillId: string;
  /** Examples of its manifest among them. */
  queries: number;
  /** It was the first choice; null where its judge was asked about one skill at a time. */
  top1: CountedShare | null;
  /** It was among the chosen. */
  selected: CountedShare;
  /** Nobody was chosen; null where its judge was asked about one skill at a time. */
  none: CountedShare | null;
}

/** A request that went to another skill. */
interface StolenQuery {
  queryId: string;
  query: string;
  /** Why the other one was chosen; empty where the judge gave no reason. */
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
  /** Who answered; several where the files of skills ask for several. */
  judges: JudgeName[];
  /** All that were read, and those that take part whatever the request says. */
  skills: number;
  eligible: number;
  /** Requests that are meant for a skill. */
  queries: number;
  /** Queries without a usable answer. */
  unanswered: number;
  /** Skills without any request of their own: they can only be chosen for others. */
  untested: string[];
  selfRouting: SelfRouting[];
  collisions: {
    triggers: SharedName[];
    tools: SharedName[];
    /** Pairs that are found by the same words, with the weightiest of them; the most alike, where there are many. */
    terms: { skills: [string, string]; likeness: number; shared: string[] }[];
    /** How many such pairs there are. */
    alikePairs: number;
  };
  steals: Steal[];
  /** Pairs that are both chosen for requests meant for one of them. */
  coSelected: { skills: [string, string]; queries: number }[];
  /** Requests whose first two skills are nearly level. */
  closeCalls: {
    skillId: string;
    queryId: string;
    query: string;
    between: [string, string];
    margin: number;
  }[];
  /** Requests for nobody that load something all the same. */
  offTopic: CountedShare & {
    /** Who answered: a judge that sees one skill at a time leaves this to the router. */
    judge: string;
    unanswered: number;
    queries: { query: string; chosen: string }[];
  };
  /** Skills that could not be read: the others are examined all the same, and the exit code is 2. */
  notLoaded: NotLoaded[];
  /** Ids that several skills have, with all their folders; the first counts. */
  duplicates: { id: string; paths: string[] }[];
  warnings: string[];
  exitCode: 0 | 2 | 3;
}

/** How a request changed between two states of a catalog. */
export const queryChanges = ["kept", "gained", "lost", "moved", "still-wrong", "unknown"] as const;
export type QueryChange = (typeof queryChanges)[number];

/** One request before and after. */
export interface ComparedQuery {
  /** The skill whose tests contain it. */
  skillId: string;
  queryId: string;
  query: string;
  side: QuerySide;
  /** The skill that should get it; null where it should only leave `skillId` alone. */
  meantFor: string | null;
  change: QueryChange;
  /** Who was chosen; null for nobody, absent where no choice was made among skills. */
  before?: string | null;
  after?: string | null;
  /** The reason the judge gave in the new state. */
  because: string | null;
  /** Whether the new state no longer has it. */
  isDropped: boolean;
}

/** A share before and after. */
export interface ComparedShare {
  before: CountedShare;
  after: CountedShare;
}

/** One skill before and after. */
export interface ComparedSkill {
  skillId: string;
  /** Whether what decides its choice was edited. */
  isEdited: boolean;
  /** Compared queries that concern it. */
  queries: number;
  /** Of the requests that are meant for it, those that got it. */
  recall: ComparedShare;
  /** Of the requests that it should leave alone and that belong to nobody, those that it did. */
  leftAlone: ComparedShare;
  gained: number;
  /** Moved ones among them. */
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
  /** Whether what decides the choice of `to` was edited, or `to` is new. */
  isEdited: boolean;
  isAdded: boolean;
  /** "the edit of `b` took 3 of 40 queries of `a`" */
  sentence: string;
  queries: StolenQuery[];
  isInconclusive: boolean;
}

/** Two skills that are now both chosen for requests of one of them, more often than before. */
interface CloserSkills {
  skills: [string, string];
  before: number;
  after: number;
}

/** A query that only the new state has, judged there. */
export interface NewQuery {
  skillId: string;
  queryId: string;
  query: string;
  side: QuerySide;
  /** Null where it got no usable answer. */
  isRight: boolean | null;
  chosen?: string | null;
}

/** Tools of a skill that were renamed, removed or added. */
export interface ComparedTools {
  skillId: string;
  renamed: { from: string; to: string }[];
  removed: string[];
  added: string[];
}

/** What an edit of some skills did to the requests of all. */
export interface CatalogDiff {
  /** As it was named; a git ref with its commit. */
  base: string;
  judges: JudgeName[];
  counts: Record<QueryChange, number>;
  moved: MovedQueries[];
  closer: CloserSkills[];
  skills: ComparedSkill[];
  queries: ComparedQuery[];
  newQueries: NewQuery[];
  added: string[];
  removed: { skillId: string; queries: number }[];
  tools: ComparedTools[];
  /** How often the judge contradicts itself about the base; null where it cannot. */
  flipRate: CountedShare | null;
  /** Questions without a usable answer, in either state or when the base was asked once more. */
  unanswered: number;
  /** Skills of the new state that could not be read: exit code 2, whatever came of the others. */
  notLoaded: NotLoaded[];
  warnings: string[];
  exitCode: 0 | 1 | 2 | 3;
}

/** A share with what it can be, given how few were counted. */
export function countedShare(count: number, of: number): CountedShare {
  const round = (value: number) => Number(value.toFixed(4));
  const { rate, interval } = estimateShare(count, of);
  return {
    count,
    of,
    rate: rate && round(rate),
    interval: interval && { ...interval, lower: round(interval.lower), upper: round(interval.upper) },
  };
}
