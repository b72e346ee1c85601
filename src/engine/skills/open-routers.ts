import type { VectorCache } from "../../contract/cache.ts";
import type { Config, ModelSettings } from "../../contract/config.ts";
import type { RoutableSkill, Router, RoutingFilters } from "../../contract/routing.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { openRouter } from "../../routing/open-router.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";

/** What decides how a router chooses. */
export interface RouterWishes {
  filters: RoutingFilters;
  router: Config["router"];
  /** Where embedders are asked. */
  models: ModelSettings;
  /** Whether a choice by words alone is none. */
  requireVectors: boolean;
}

export interface RouterContext {
  env: NodeJS.ProcessEnv;
  apiKey: string | null;
  cache: VectorCache;
}

/** The skills to choose among. */
interface Choices {
  skills: readonly { skill: DescribedSkill; routable: RoutableSkill }[];
}

/** The routers of one catalog, closed together. */
export interface Routers extends AsyncDisposable {
  /** Chooses by words alone. */
  lexical: Router;
  /** The one the configuration asks for, opened when it is used. */
  chosen(): Promise<Router>;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

/** Makes ready to choose among the skills of a catalog. */
export function openRouters(
  { filters, router: wish, models, requireVectors }: RouterWishes,
  catalog: Choices,
  { env, apiKey, cache }: RouterContext,
): Routers {
  refuseUnknownNames(filters, catalog);
  const settings = { cjk: wish.cjk, minScore: wish.min_score, k: wish.k };
  const skills = catalog.skills.map(({ routable }) => routable);
  const lexical = openRouter({ skills, filters, settings, embedding: null });
  if (requireVectors && wish.embedding === null)
    throw new UserError("usage", "--require-vectors needs an embedder, but none is configured", {
      hint: "set router.embedding, for example to `local`",
    });

  async function open() {
    const { openEmbedders } = await import("../../models/embedding/open-embedders.ts");
    const found = await openEmbedders(wish.embedding, models, { env, apiKey });
    const { embedders } = found;
    // A slow machine is no broken endpoint: what it answers must not depend on how busy it is.
    const patience = wish.embedding === "local" ? { timeoutMs: localTimeoutMs } : {};
    return {
      found,
      router: openRouter({ skills, filters, settings, embedding: { embedders, cache, ...patience } }),
    };
  }

  type Opened = Awaited<ReturnType<typeof open>>;
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;
  return {
    lexical,
    async chosen() {
      if (wish.embedding === null) return lexical;
      opening ??= open();
      opened = await opening;
      return opened.router;
    },
    secrets: () => opened?.found.secrets() ?? [],
    async [Symbol.asyncDispose]() {
      const last = await opening?.catch(() => null);
      await last?.found[Symbol.asyncDispose]();
    },
  };
}

/** Longer than the local embedder waits for itself. */
const localTimeoutMs = 120_000;

function refuseUnknownNames({ allow, groups }: RoutingFilters, { skills }: Choices): void {
  const ids = skills.map(({ skill }) => skill.id);
  const known = skills.flatMap(({ routable }) => routable.group ?? []);
  const id = allow.find((name) => !ids.includes(name));
  if (id !== undefined) throw unknownName("--allow", id, ids);
  const group = groups.find((name) => !known.includes(name));
  if (group !== undefined) throw unknownName("--group", group, [...new Set(known)]);
}

function unknownName(flag: string, name: string, known: readonly string[]): UserError {
  const hint = known.length === 0 ? "no skill there has one" : didYouMean(name, known);
  return new UserError("usage", `${flag} names ${name}, which is not in the catalog`, { hint });
}
