import type { VectorCache } from "../../contract/cache.ts";
import type { Config, ModelSettings } from "../../contract/config.ts";
import type { RoutableSkill, Router, RoutingFilters } from "../../contract/routing.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { openRouter } from "../../routing/open-router.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";

export interface RouterChoiceOptions {
  filters: RoutingFilters;
  router: Config["router"];
  /** The endpoints of embedders. */
  models: ModelSettings;
  /** Whether a choice by words alone is refused. */
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
  /** The configured router, opened on first use. */
  chosen(): Promise<Router>;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

/** Opens the routers for the skills of a catalog. */
export function openRouters(
  { filters, router: options, models, requireVectors }: RouterChoiceOptions,
  catalog: Choices,
  { env, apiKey, cache }: RouterContext,
): Routers {
  refuseUnknownNames(filters, catalog);
  const settings = { cjk: options.cjk, minScore: options.min_score, k: options.k };
  const skills = catalog.skills.map(({ routable }) => routable);
  const lexical = openRouter({ skills, filters, settings, embedding: null });
  if (requireVectors && options.embedding === null)
    throw new UserError("usage", "--require-vectors needs an embedder, but none is configured", {
      hint: "set router.embedding, for example to `local`",
    });

  async function open() {
    const { openEmbedders } = await import("../../models/embedding/open-embedders.ts");
    const found = await openEmbedders(options.embedding, models, { env, apiKey });
    const { embedders } = found;
    // A slow machine is not a broken endpoint: answers must not depend on how busy it is.
    const timeout = options.embedding === "local" ? { timeoutMs: localTimeoutMs } : {};
    return {
      found,
      router: openRouter({ skills, filters, settings, embedding: { embedders, cache, ...timeout } }),
    };
  }

  type Opened = Awaited<ReturnType<typeof open>>;
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;
  return {
    lexical,
    async chosen() {
      if (options.embedding === null) return lexical;
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

/** Longer than the timeout of the local embedder itself. */
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
