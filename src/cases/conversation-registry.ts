import type { OpenToolHosts } from "../adapters/tool-hosts.ts";
import type { Cache } from "../contract/cache.ts";
import type { Config, ModelSettings } from "../contract/config.ts";
import type { LoadedConversationCase } from "../contract/loaded-case.ts";
import type { NotLoaded } from "../contract/not-loaded.ts";
import type { Skill } from "../contract/skill.ts";
import type { ToolHostMode } from "../contract/tool-host.ts";
import { openPromptSkills, type PromptSkills } from "../engine/skills/prompt-skills.ts";
import { defaultSkillRoots, type SkillRoot } from "../engine/skills/skill-root-folders.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { skillIdentity } from "./skill-identity.ts";

/** What the conversations of a run share. */
export interface ConversationRegistry extends AsyncDisposable {
  /** The skills available to a case. Cases with the same roots share them. */
  findSkills(loaded: LoadedConversationCase): PromptSkills;
  hosts: OpenToolHosts;
  /** What its cells are made of, besides the case and the model. */
  identity(loaded: LoadedConversationCase): Promise<Json>;
  deadlineOf(loaded: LoadedConversationCase): number;
  /** Folder → why its skill cannot be loaded, for cases that are left out because of it. */
  notLoaded: ReadonlyMap<string, NotLoaded>;
  warnings: readonly string[];
}

export interface ConversationOptions {
  roots: readonly string[];
  projectRoot: string;
  cwd: string;
  router: Config["router"];
  prompt: Config["prompt"];
  settings: ModelSettings;
  toolHost: ToolHostMode;
  /** The default deadline of a conversation. */
  timeoutMs: number;
}

export interface ConversationContext {
  env: NodeJS.ProcessEnv;
  apiKey: string | null;
  exclude: readonly string[];
  cache: Cache;
  hosts: OpenToolHosts;
  notLoaded: ReadonlyMap<string, NotLoaded>;
  warnings: readonly string[];
}

export function conversationRegistry(
  options: ConversationOptions,
  context: ConversationContext,
): ConversationRegistry {
  const { cwd, router, prompt: budget, settings: models, toolHost, timeoutMs } = options;
  const { env, apiKey, exclude, cache, hosts } = context;
  const defaultRoots = defaultSkillRoots(options.roots, options.projectRoot);
  const known = new Map<string, PromptSkills>();
  /** Cells are planned at one moment: one look at the folders is enough for all cases. */
  const planned = new Map<PromptSkills, Promise<readonly Skill[]>>();

  function skillsOf({ skillRoots, case: caseFile }: LoadedConversationCase): PromptSkills {
    // Those of equal priority stay in the order they are listed in.
    const roots: readonly SkillRoot[] =
      skillRoots?.toSorted((a, b) => b.priority - a.priority) ?? defaultRoots;
    const { profile } = caseFile.setup;
    const key = canonicalJson({ roots, profile });
    const opened =
      known.get(key) ??
      openPromptSkills({ roots, profile, cwd, exclude, router, budget, models, env, apiKey, cache });
    known.set(key, opened);
    return opened;
  }

  const deadlineOf = ({ case: caseFile }: LoadedConversationCase) => caseFile.timeout_ms ?? timeoutMs;
  return {
    findSkills: skillsOf,
    hosts,
    deadlineOf,
    notLoaded: context.notLoaded,
    warnings: context.warnings,
    async identity(loaded) {
      const prompts = skillsOf(loaded);
      const current = planned.get(prompts) ?? prompts.current();
      planned.set(prompts, current);
      const skills = (await current).map(skillIdentity(loaded, false));
      return {
        ...{ skills, router: router as unknown as Json, prompt: budget },
        ...{ toolHost, timeoutMs: deadlineOf(loaded) },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const skills of known.values()) await skills[Symbol.asyncDispose]();
      await hosts[Symbol.asyncDispose]();
      await cache[Symbol.asyncDispose]();
    },
  };
}
