import type { VectorCache } from "../../contract/cache.ts";
import type { Config, ModelSettings } from "../../contract/config.ts";
import type { ConversationRecord } from "../../contract/conversation.ts";
import type { ConversationSkill } from "../../contract/conversation-parts.ts";
import type { Profile } from "../../contract/findings.ts";
import type { RoutedSkill, Routing } from "../../contract/routing.ts";
import type { Skill } from "../../contract/skill.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { routableSkill } from "../../skills/routable-skill.ts";
import { type CatalogSnapshot, openCatalog } from "../../skills/skill-catalog.ts";
import { openRouters, type Routers } from "./open-routers.ts";
import { promptedSkills } from "./prompted-skills.ts";
import { foldersIn, type SkillRoot } from "./skill-root-folders.ts";

/** A request that wants skills. */
interface PromptRequest {
  query: string;
  /** The host application; null: any. */
  host: string | null;
  documentName?: string | undefined;
  /** Ids of the skills that are given; null: the router chooses. */
  forced: readonly string[] | null;
}

/** The skills a request is given, in rank order, as their files are now. */
export interface SelectedPrompts {
  skills: readonly ConversationSkill[];
  forced: boolean;
  routing: ConversationRecord["routing"];
  /** Forced ids that no skill has. */
  missing: readonly string[];
}

/** The skills of some folders, ready to be prompts. Every request sees what was saved before it. */
export interface PromptSkills extends AsyncDisposable {
  select(request: PromptRequest, signal: AbortSignal): Promise<SelectedPrompts>;
  /** The skills that can be prompts, as they are now. */
  current(): Promise<readonly Skill[]>;
  /** The folders that are not a skill, or whose id another one has. */
  troubles(): Promise<Pick<CatalogSnapshot, "broken" | "conflicts">>;
}

export interface PromptSkillOptions {
  roots: readonly SkillRoot[];
  profile: Profile;
  cwd: string;
  /** Never part of a skill: the store, reports, run directories. */
  exclude: readonly string[];
  router: Config["router"];
  budget: Config["prompt"];
  /** The endpoints of embedders. */
  models: ModelSettings;
  env: NodeJS.ProcessEnv;
  apiKey: string | null;
  cache: VectorCache;
}

export function openPromptSkills(options: PromptSkillOptions): PromptSkills {
  const { roots, profile, cwd, exclude, budget } = options;
  const catalog = openCatalog({
    discover: async () => {
      const found = [];
      for (const [n, root] of roots.entries()) found.push(...(await foldersIn(root, n + 1, cwd)));
      return found;
    },
    profile,
    exclude,
  });
  const routers = new Map<string, { snapshot: CatalogSnapshot; routers: Routers }>();

  /** Opened anew for every host, and after every change of a skill. */
  async function routerFor(host: string | null, snapshot: CatalogSnapshot): Promise<Routers> {
    const key = host ?? "";
    const known = routers.get(key);
    if (known?.snapshot === snapshot) return known.routers;
    const skills = promptsIn(snapshot).map((skill) => ({ skill, routable: routableSkill(skill) }));
    const filters = { host, groups: [], allow: [] };
    const opened = openRouters({ ...options, filters, requireVectors: false }, { skills }, options);
    routers.set(key, { snapshot, routers: opened });
    await known?.routers[Symbol.asyncDispose]();
    return opened;
  }

  async function routed({ query, host, documentName }: PromptRequest, signal: AbortSignal) {
    const snapshot = await catalog.current();
    const chosen = await (await routerFor(host, snapshot)).chosen();
    const routing = await chosen.route({ query, documentName }, signal);
    const byId = new Map(promptsIn(snapshot).map((skill) => [skill.id, skill]));
    const entries = routing.skills
      .filter(({ selected }) => selected)
      .map((entry) => ({ skill: byId.get(entry.id) as Skill, routed: routingScores(entry) }));
    return { entries, routing: routingRecord(routing, query), missing: [] };
  }

  async function forced(ids: readonly string[]) {
    const snapshot = await catalog.current();
    const entries: { skill: Skill; routed: null }[] = [];
    const missing: string[] = [];
    for (const id of ids) {
      const skill = snapshot.find(id)?.skill;
      if (skill === undefined || !isPrompt(skill)) missing.push(id);
      else entries.push({ skill, routed: null });
    }
    return { entries, routing: null, missing };
  }

  return {
    async select(request, signal) {
      const found = request.forced === null ? await routed(request, signal) : await forced(request.forced);
      return {
        skills: await promptedSkills(found.entries, budget),
        forced: request.forced !== null,
        routing: found.routing,
        missing: found.missing,
      };
    },
    current: async () => promptsIn(await catalog.current()),
    troubles: () => catalog.current(),
    async [Symbol.asyncDispose]() {
      for (const opened of routers.values()) await opened.routers[Symbol.asyncDispose]();
    },
  };
}

function promptsIn({ skills }: CatalogSnapshot): Skill[] {
  return skills.map(({ skill }) => skill).filter(isPrompt);
}

/** A disabled skill is neither routed nor given. */
function isPrompt({ instructions, controls }: Skill): boolean {
  return instructions !== null && controls.enabled;
}

function routingScores({ score, lex, emb, phrase, text }: RoutedSkill) {
  return { score, lex, emb, phrase, text };
}

function routingRecord(
  { mode, catalogSha256, skills }: Routing,
  query: string,
): ConversationRecord["routing"] {
  return {
    mode,
    catalog_sha256: catalogSha256,
    query_sha256: sha256(canonicalJson(query)),
    excluded: skills.flatMap(({ id, excluded }) => (excluded === null ? [] : [{ id, reason: excluded }])),
  };
}
