import { hash } from "node:crypto";
import type { VectorCache } from "../contract/cache.ts";
import type { Embedders, ScriptClass } from "../contract/model.ts";
import type {
  RoutableSkill,
  RoutedSkill,
  RouteRequest,
  Router,
  Routing,
  RoutingFilters,
  RoutingSettings,
} from "../contract/routing.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { findExclusion } from "./eligible.ts";
import { LexicalIndex, noWords } from "./lexical-index.ts";
import { normalise, termsBy } from "./query-text.ts";
import { type RoutingText, routingText, takeChars, vectorQuery } from "./routing-text.ts";
import { byWords, scoreSkills, unscored } from "./score-skills.ts";
import { selectSkills } from "./select-skills.ts";
import { type VectorMatch, VectorSearch } from "./vector-search.ts";

export interface RouterOptions {
  /** The whole catalog, in any order. */
  skills: readonly RoutableSkill[];
  filters: RoutingFilters;
  settings: RoutingSettings;
  /** Null: routing by words alone. */
  embedding: RouterEmbedding | null;
}

export interface RouterEmbedding {
  embedders: Embedders;
  cache: VectorCache;
  /** How long one call to an embedder may take; 10 s by default. */
  timeoutMs?: number;
}

/** Makes a router over a catalog. Words are indexed here; vectors are made at the first request that needs them. */
export function openRouter({ skills, filters, settings, embedding }: RouterOptions): Router {
  const catalog = [...skills].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const catalogSha256 = catalogDigest(catalog);
  const judged = catalog.map((skill) => ({ skill, excluded: findExclusion(skill, filters) }));
  const eligible = judged.filter(({ excluded }) => excluded === null).map(({ skill }) => skill);
  const ineligible = judged.filter(({ excluded }) => excluded !== null);
  const indexById = new Map(eligible.map(({ id }, index) => [id, index]));
  const texts = eligible.map((skill) => routingText(skill));
  const written = texts.map((text) => text.written);
  const lexical = new LexicalIndex(eligible, written, termsBy(settings.cjk));
  const models = modelNames(embedding?.embedders ?? {});
  const vectors =
    embedding === null || models.length === 0
      ? null
      : new VectorSearch(
          texts.map(({ text }) => text),
          { timeoutMs: embedTimeoutMs, ...embedding },
        );

  async function scored(request: RouteRequest, signal: AbortSignal): Promise<Scored> {
    const query = takeChars(request.query, longestQuery);
    if (normalise(query) === "") {
      const match = { ok: false as const, reason: vectors === null ? noEmbedder : "empty query" };
      return { match, skills: eligible.map((skill) => unscored(skill, "empty-query")) };
    }
    const changed = changedText(request);
    const match = await (vectors?.search(
      {
        text: vectorQuery({ ...request, query }),
        script: scriptClass(query),
        changed: changed && { index: changed.index, text: changed.text.text },
      },
      signal,
    ) ?? { ok: false as const, reason: noEmbedder });
    const written = changed && { index: changed.index, text: changed.text.written };
    const { minScore, k } = settings;
    // Vectors can lift any skill, and without a threshold any may be selected.
    if (match.ok || request.about === undefined || minScore <= 0)
      return { match, skills: scoreSkills(eligible, lexical.score(query, { changed: written }), match, k) };
    const about = request.about.flatMap((id) => indexById.get(id) ?? []);
    const words = lexical.score(query, { changed: written, least: minScore, about });
    const indexes = [...new Set([...words.keys(), ...about])];
    return {
      match,
      skills: indexes.map((at) => byWords(eligible[at] as RoutableSkill, words.get(at) ?? noWords())),
    };
  }

  /** The skill whose routing text omits an example for this request; undefined if there is none. */
  function changedText({ without }: RouteRequest): { index: number; text: RoutingText } | undefined {
    const index = without && indexById.get(without.skillId);
    if (without === undefined || index === undefined) return undefined;
    const text = routingText(eligible[index] as RoutableSkill, without.example);
    return text.text === texts[index]?.text ? undefined : { index, text };
  }

  return {
    version: routerVersion,
    mode: vectors === null ? "lexical" : `vectors: ${models.join(", ")}`,
    catalogSha256,
    identity: routerIdentity({ catalogSha256, filters, settings, embedders: embedding?.embedders ?? {} }),
    eligible,
    async route(request, signal): Promise<Routing> {
      signal.throwIfAborted();
      const { match, skills: taking } = await scored(request, signal);
      const about = request.about === undefined ? null : new Set(request.about);
      const isReported = ({ id, selected }: RoutedSkill) => selected || about === null || about.has(id);
      const left = ineligible
        .filter(({ skill }) => about === null || about.has(skill.id))
        .map(({ skill, excluded }) => unscored(skill, excluded));
      const { skills, margin, closeCall } = selectSkills([...taking, ...left], settings);
      return {
        mode: match.ok ? "vectors" : "lexical",
        model: match.ok ? match.model : null,
        fallbackReason: match.ok ? null : match.reason,
        margin,
        closeCall,
        catalogSha256,
        routerVersion,
        total: catalog.length,
        eligible: eligible.length,
        minScore: settings.minScore,
        skills: skills.filter(isReported),
      };
    },
  };
}

interface Scored {
  match: VectorMatch;
  skills: RoutedSkill[];
}

const embedTimeoutMs = 10_000;
const noEmbedder = "no embedder";
/** Anything beyond this length is ignored. */
const longestQuery = 20_000;

function modelNames({ han, other }: Embedders): string[] {
  return [...new Set([han, other].flatMap((embedder) => embedder?.model ?? []))];
}

function routerIdentity({
  catalogSha256,
  filters,
  settings,
  embedders,
}: Pick<RouterOptions, "filters" | "settings"> & { catalogSha256: string; embedders: Embedders }): Json {
  const { cjk, minScore, k } = settings;
  const named = ({ han, other }: Embedders) =>
    [han, other].map((embedder) => (embedder ? { model: embedder.model, dim: embedder.dim } : null));
  const [han, other] = named(embedders);
  return {
    version: routerVersion,
    catalogSha256,
    // The dictionary of a segmenter comes with the runtime.
    settings: { cjk: cjk === "segment" ? `segment, icu ${process.versions.icu}` : cjk, minScore, k },
    filters: { host: filters.host, groups: [...filters.groups].sort(), allow: [...filters.allow].sort() },
    embedders: { han: han ?? null, other: other ?? null },
  };
}

/** One digest for all that may decide among skills, in whatever order they were found. What they are installed as decides nothing. */
function catalogDigest(skills: readonly RoutableSkill[]): string {
  const facts = skills.map(({ aliases, toolNames, ...deciding }) => canonicalJson(deciding));
  return hash("sha256", facts.sort().join("\n"), "hex");
}

/**
 * The version of everything that is not in a catalog and decides all the same: stop lists, negators, probes, numbers and
 * formulas. Whoever changes one of them changes this, and trigger tests are judged anew.
 */
export const routerVersion = "router/1";

/** Which embedder a request is for. */
export function scriptClass(query: string): ScriptClass {
  return /\p{Script=Han}/u.test(query) ? "han" : "other";
}
