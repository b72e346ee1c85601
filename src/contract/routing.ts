import type { Json } from "../shared/json/json.ts";
import type { SkillKind } from "./skill-facts.ts";

/** Everything about a skill that may decide whether a request is meant for it; never its prompt or its body. */
export interface RoutableSkill {
  id: string;
  /** Other names for the id, the one it is installed under among them. */
  aliases: readonly string[];
  name: string;
  kind: SkillKind;
  group: string | null;
  description: string;
  tags: readonly string[];
  intents: readonly string[];
  triggers: readonly string[];
  notFor: readonly string[];
  examples: readonly string[];
  /** The name of the schema its output fits, and what it says about style. */
  outputSchema: string | null;
  styleHints: string | null;
  /** As written; empty means every host. */
  hosts: readonly string[];
  priority: number;
  isEnabled: boolean;
  /** Whether there is anything to give an agent that chooses it. */
  hasPrompt: boolean;
  toolNames: readonly string[];
}

/** Who takes part at all, whatever the request says; null and empty mean everyone. */
export interface RoutingFilters {
  host: string | null;
  groups: readonly string[];
  /** Ids. */
  allow: readonly string[];
}

/** What the configuration says about choosing. */
export interface RoutingSettings {
  cjk: "bigrams" | "segment";
  minScore: number;
  k: number;
}

/** Why a skill was left out. */
const exclusions = [
  "disabled",
  "no-prompt",
  "host",
  "group",
  "not-allowed",
  "empty-query",
  "negated",
  "not-for",
  "below-threshold",
  "group-mutex",
  "beyond-k",
] as const;
export type Exclusion = (typeof exclusions)[number];

/** A phrase of a skill that the request contains. */
export interface RouteHit {
  kind: "id" | "name" | "trigger" | "tag" | "intent" | "not-for";
  phrase: string;
  /** Whether every occurrence is negated. */
  negated: boolean;
}

/** How one skill came out. Scores have six decimals; null where nothing was measured. */
export interface RoutedSkill {
  id: string;
  /** 1-based among the selected; null for the others. */
  rank: number | null;
  selected: boolean;
  score: number;
  lex: number;
  emb: number | null;
  cos: number | null;
  phrase: number;
  text: number;
  hits: RouteHit[];
  /** Terms of the request that its routing text contains, the weightiest first. */
  terms: string[];
  priority: number;
  group: string | null;
  /** Null where it was selected. */
  excluded: Exclusion | null;
}

/** What the router made of one request: enough to decide it again. */
export interface Routing {
  mode: "lexical" | "vectors";
  /** The embedder that spoke; null in lexical mode. */
  model: string | null;
  /** Why vectors were not used although requested, `no embedder` where none is; null in vector mode. */
  fallbackReason: string | null;
  /** First score minus second among the selected; null with fewer than two. */
  margin: number | null;
  closeCall: boolean;
  catalogSha256: string;
  routerVersion: string;
  /** Skills of the catalog, and how many of them took part. */
  total: number;
  eligible: number;
  minScore: number;
  /** The selected by rank, then the others that the request wants to know about, by score, priority and id. */
  skills: RoutedSkill[];
}

export interface RouteRequest {
  query: string;
  /** Helps vectors, never words. */
  documentName?: string | undefined;
  /** The newest last; helps vectors where the message is short. */
  recentTurns?: readonly string[] | undefined;
  /** An example of a skill that is the request itself: its routing text does without it. */
  without?: { skillId: string; example: string } | undefined;
  /** Ids of skills to report whether selected or not: others that are not selected are left out. Absent: all are reported. */
  about?: readonly string[] | undefined;
}

/** Chooses among skills without a model. The same catalog, store and request give the same routing on every machine. */
export interface Router {
  readonly version: string;
  /** `lexical`, or `vectors: <model>, <model>`: what reports call it by. */
  readonly mode: string;
  readonly catalogSha256: string;
  /** Everything that may change its choices. */
  readonly identity: Json;
  /** The skills that take part, by id. */
  readonly eligible: readonly RoutableSkill[];
  /** Throws only the signal's reason. */
  route(request: RouteRequest, signal: AbortSignal): Promise<Routing>;
}
