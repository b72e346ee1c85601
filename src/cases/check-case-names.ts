import type { AgentCatalog } from "../contract/agent-parts.ts";
import type { LoadedAgentCase } from "../contract/loaded-case.ts";
import { didYouMean, nearest } from "../shared/text/nearest.ts";
import { listed, pluralize } from "../shared/text/phrases.ts";
import { shownText } from "../shared/text/visible-text.ts";
import { UserError } from "../shared/user-error.ts";
import type { CatalogRegistry } from "./catalog-registry.ts";
import { checkSkillTools } from "./files/tool-names.ts";

/** Refuses names of tools and skills that nothing in a run can have: expectations about them would hold whatever happens. */
export async function checkCaseNames(loaded: LoadedAgentCase, catalogs: CatalogRegistry): Promise<void> {
  const { invoke_skills } = loaded.case.setup;
  // Most cases name nothing of their skills, and one that is installed has to be unpacked first.
  if (loaded.skillTools.length === 0 && invoke_skills.length === 0) return;
  await using opened = await catalogs.open(loaded, "with-skills");
  const { skills, find } = opened.catalog;
  checkSkillTools(
    loaded,
    skills.flatMap(({ tools }) => tools.map(({ name }) => name)),
  );
  const at = invoke_skills.findIndex((name) => find(name) === null);
  const name = invoke_skills[at];
  if (name === undefined) return;
  throw new UserError(
    "case-invalid",
    `${loaded.shown}: case ${loaded.case.id} names the skill ${name}, which does not exist`,
    {
      path: loaded.shown,
      jsonPath: `${loaded.jsonPath}.setup.invoke_skills[${at}]`,
      hint: didYouMean(
        name,
        skills.map((skill) => skill.name),
      ),
    },
  );
}

/**
 * Warns of skills that cases require and that do not exist: such a case fails, and its reasons do not say why. One that must not
 * be selected may be absent, unless its name is close to that of another: misspelt, it forbids nothing.
 */
export async function warnMissingSkills(
  cases: readonly LoadedAgentCase[],
  catalogs: CatalogRegistry,
): Promise<string[]> {
  const found = new Set<string>();
  const skillless = new Map<AgentCatalog, number>();
  for (const loaded of cases) {
    const wanted = wantedSkills(loaded);
    const { skills_none_of: forbidden = [] } = loaded.case.expect;
    // What is installed for a cell alone is not looked at here.
    if (wanted.length + forbidden.length === 0 || loaded.preinstall.length > 0) continue;
    const catalog = await catalogs.shared(loaded);
    if (catalog.skills.length === 0) {
      if (wanted.length > 0) skillless.set(catalog, (skillless.get(catalog) ?? 0) + 1);
      continue;
    }
    for (const name of wanted)
      if (catalog.find(name) === null) found.add(missing(loaded, "requires", name, catalog));
    for (const name of forbidden)
      if (catalog.find(name) === null && nearIn(catalog, name) !== null)
        found.add(missing(loaded, "forbids", name, catalog));
  }
  return [...[...skillless].map(([catalog, count]) => none(count, catalog)), ...found];
}

/** Those that must be selected; what must not be may well be absent. */
function wantedSkills({ case: { expect } }: LoadedAgentCase): string[] {
  const { skills_all_of = [], skills_any_of = [] } = expect;
  return skills_any_of.length > 1 ? skills_all_of : [...skills_all_of, ...skills_any_of];
}

function nearIn({ skills }: AgentCatalog, name: string): string | null {
  return nearest(
    name,
    skills.map((skill) => skill.name),
  );
}

function missing(
  { shown, case: { id } }: LoadedAgentCase,
  verb: "requires" | "forbids",
  name: string,
  catalog: AgentCatalog,
): string {
  const near = nearIn(catalog, name);
  const hint = near === null ? "" : `; did you mean ${near}?`;
  return `${shown}: case ${id} ${verb} the skill ${shownText(name)}, which does not exist${hint}`;
}

function none(count: number, { indexed }: AgentCatalog): string {
  const folders = indexed.roots.filter(({ source }) => source !== "builtin").map(({ path }) => path);
  return `no skill found for ${pluralize(count, "case")}: searched ${listed(folders, 5) || "no folder"}; set setup.skill_roots in the case, or skills.roots in the configuration`;
}
