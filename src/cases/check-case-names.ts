import type { LoadedAgentCase } from "../contract/loaded-case.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { UserError } from "../shared/user-error.ts";
import type { CatalogRegistry } from "./catalog-registry.ts";
import { checkSkillTools } from "./files/tool-names.ts";

/** Refuses names of tools and skills that nothing in a run can bear: what is said of them would hold whatever happens. */
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
