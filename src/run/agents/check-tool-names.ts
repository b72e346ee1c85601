import type { LoadedAgentCase } from "../../contract/agent-case.ts";
import { checkSkillTools } from "../../spec/cases/tool-names.ts";
import type { CatalogDesk } from "./catalog-desk.ts";

/** Refuses a name that nothing in a run can bear: an expectation about it would hold whatever happens. */
export async function checkToolNames(loaded: LoadedAgentCase, catalogs: CatalogDesk): Promise<void> {
  // Most cases name nothing but what is built in, and a skill that is installed has to be unpacked first.
  if (loaded.skillTools.length === 0) return;
  await using opened = await catalogs.open(loaded, "with-skills");
  checkSkillTools(
    loaded,
    opened.catalog.skills.flatMap(({ tools }) => tools.map(({ name }) => name)),
  );
}
