import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentGuardrails } from "../../contract/agent-limits.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill, Loaded, Loader } from "../../contract/agent-parts.ts";
import type { Profile } from "../../contract/diagnostic.ts";
import { loadBody } from "./load-body.ts";
import { loadResource } from "./load-resource.ts";

/** What loading takes. */
export interface LoaderSetup {
  catalog: AgentCatalog;
  log: Pick<RunLog, "keep">;
  guardrails: AgentGuardrails;
  profile: Profile;
}

/** The loader of a run: bodies of skills that were selected, and the files somebody asks for by name. */
export function openLoader(setup: LoaderSetup): Loader {
  /** Asked after reading: what was read is then known to be of the skill that was indexed. */
  async function unlessChanged(skill: AgentSkill, loaded: Loaded): Promise<Loaded> {
    if (!loaded.ok && loaded.error.reason === "lexical") return loaded;
    if (await setup.catalog.isUnchanged(skill)) return loaded;
    return { ok: false, error: skillChanged(skill), path: loaded.path };
  }

  return {
    body: async (skill, callId) => unlessChanged(skill, await loadBody(skill, callId, setup)),
    resource: (skill, request, callId) => unlessChanged(skill, loadResource(skill, request, callId, setup)),
  };
}

function skillChanged({ name }: AgentSkill): AgentError {
  return { code: "SkillChanged", message: `the files of ${name} have changed since the run began` };
}
