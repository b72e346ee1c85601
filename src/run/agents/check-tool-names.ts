import { didYouMean } from "../../base/nearest.ts";
import type { LoadedAgentCase } from "../../contract/agent-case.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import { UserError } from "../../contract/user-error.ts";
import type { CatalogDesk } from "./catalog-desk.ts";

/** Refuses a name that nothing in a run can bear: an expectation about it would hold whatever happens. */
export async function checkToolNames(loaded: LoadedAgentCase, catalogs: CatalogDesk): Promise<void> {
  // Most cases name nothing but what is built in, and a skill that is installed has to be unpacked first.
  if (loaded.skillTools.length === 0) return;
  await using opened = await catalogs.open(loaded, "with-skills");
  const declared = opened.catalog.skills.flatMap(({ tools }) => tools.map(({ name }) => name));
  const wrong = loaded.skillTools.find(({ name }) => !declared.includes(name));
  if (wrong === undefined) return;
  throw new UserError(
    "case-invalid",
    `${wrong.shown}: no action, tool or tool of its skills is called ${wrong.name}`,
    {
      path: loaded.file,
      jsonPath: wrong.jsonPath,
      hint: didYouMean(wrong.name, [...builtInTools, ...declared]),
    },
  );
}
