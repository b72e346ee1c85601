import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Routing } from "../../contract/routing.ts";
import { openRouters, type RouterChoiceOptions } from "../../engine/skills/open-routers.ts";
import { loadCatalog } from "../../levels/trigger/load-catalog.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { UserError } from "../../shared/user-error.ts";
import { memoryCache } from "../../store/memory-cache.ts";
import { openCache } from "../../store/open-cache.ts";

export interface RouteQueryRequest extends RouterChoiceOptions {
  query: string;
  skillsDir: string;
  /** The file vectors are cached in. */
  store: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  apiKey: string | null;
  signal: AbortSignal;
}

export interface RoutedQuery {
  routing: Routing;
  warnings: string[];
}

/** Chooses among the skills of a folder for one request. Only vectors are stored; words need no store. */
export async function routeQuery(request: RouteQueryRequest): Promise<RoutedQuery> {
  const { cwd, skillsDir, query, env, apiKey, signal } = request;
  if (!existsSync(resolve(cwd, skillsDir)))
    throw new UserError("skill-not-found", `skills folder not found: ${skillsDir}`, {
      path: skillsDir,
      hint: "set the folder with --skills-dir",
    });
  const catalog = await loadCatalog({ cwd, dirs: [skillsDir], named: [] });
  const warnings = [...catalog.warnings];
  const usesVectors = request.router.embedding !== null;
  const warn = (message: string) => warnings.push(message);
  await using cache = usesVectors
    ? await openCache(writtenPath(request.store, cwd), { warn })
    : memoryCache();
  await using routers = openRouters(request, catalog, { env, apiKey, cache });
  const router = await routers.chosen();
  const routing = await router.route({ query }, signal);
  if (request.requireVectors && routing.mode === "lexical") {
    const why = routing.fallbackReason ?? "no vectors";
    throw new UserError("no-verdict", `--require-vectors: vectors were not used: ${why}`, {
      hint: "fix the embedder, or omit --require-vectors",
    });
  }
  return { routing, warnings };
}
