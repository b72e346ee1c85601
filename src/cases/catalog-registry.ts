import type { AgentCatalog } from "../contract/agent-parts.ts";
import type { LoadedAgentCase } from "../contract/loaded-case.ts";
import { defaultSkillRoots, type SkillRoot } from "../engine/skills/skill-root-folders.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { agentCatalog, type DescribedCatalog } from "./agent-catalog.ts";
import { startsProcess } from "./files/tool-names.ts";
import { originDigest, preinstallSkills } from "./preinstall-skills.ts";
import { skillIdentity } from "./skill-identity.ts";

/** The skills of one cell; those that were installed for it are gone when it is disposed of. */
interface OpenedCatalog extends AsyncDisposable {
  catalog: AgentCatalog;
}

/** Reads the skills available to cases. Cases with the same roots share them: they are never changed. */
export interface CatalogRegistry {
  open(loaded: LoadedAgentCase, condition: "with-skills" | "no-skills"): Promise<OpenedCatalog>;
  /** What the skills of a case are, for the identity of its cells. */
  identity(loaded: LoadedAgentCase): Promise<Json>;
  /** The roots' own skills, without those that are installed for a cell. */
  shared(loaded: LoadedAgentCase): Promise<DescribedCatalog>;
}

export interface CatalogRegistryOptions {
  /** The key `skills.roots` of the configuration. */
  roots: readonly string[];
  projectRoot: string;
  cwd: string;
  exclude: readonly string[];
}

export function catalogRegistry({
  roots,
  projectRoot,
  cwd,
  exclude,
}: CatalogRegistryOptions): CatalogRegistry {
  const defaultRoots = defaultSkillRoots(roots, projectRoot);
  const known = new Map<string, Promise<DescribedCatalog>>();
  // Those of equal priority stay in the order they are listed in.
  const caseRoots = ({ skillRoots }: LoadedAgentCase): readonly SkillRoot[] =>
    skillRoots?.toSorted((a, b) => b.priority - a.priority) ?? defaultRoots;

  function shared(loaded: LoadedAgentCase): Promise<DescribedCatalog> {
    const { profile } = loaded.case.setup;
    const key = canonicalJson({ roots: caseRoots(loaded), profile });
    const catalog = known.get(key) ?? agentCatalog({ roots: caseRoots(loaded), profile, cwd, exclude });
    known.set(key, catalog);
    return catalog;
  }

  return {
    shared,
    async open(loaded, condition) {
      const { profile } = loaded.case.setup;
      if (condition === "no-skills")
        return sharedCatalog(await agentCatalog({ roots: [], profile, cwd, exclude }));
      if (loaded.preinstall.length === 0) return sharedCatalog(await shared(loaded));
      const installed = await preinstallSkills(loaded.preinstall);
      // What a case installs is what it is about: it wins over skills of the same name.
      const all = [...installed.roots, ...caseRoots(loaded)];
      const preinstalled = installed.installed;
      const catalog = await agentCatalog({ roots: all, profile, cwd, exclude, preinstalled });
      return { catalog, [Symbol.asyncDispose]: () => installed[Symbol.asyncDispose]() };
    },
    async identity(loaded) {
      const { described } = await shared(loaded);
      const installed: string[] = [];
      for (const { path } of loaded.preinstall) installed.push(await originDigest(path));
      // Hidden ones too: a pinned source loads a skill that another hides.
      const skills = described.map(skillIdentity(loaded, loaded.case.enable_tools.some(startsProcess)));
      return { skills, installed };
    },
  };
}

function sharedCatalog(catalog: AgentCatalog): OpenedCatalog {
  return { catalog, [Symbol.asyncDispose]: () => Promise.resolve() };
}
