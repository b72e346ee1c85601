import type { AgentCatalog } from "../../contract/agent-parts.ts";

/** Stands for a catalog that could not be built. */
export const noSkills: AgentCatalog = {
  skills: [],
  find: () => null,
  indexed: {
    roots: [],
    found: 0,
    valid: 0,
    skills: [],
    preinstalled: [],
    ignored: [],
    conflicts: [],
    index_hash: null,
    duration_ms: 0,
  },
  readBody: async () => ({ ok: false, error: { code: "IOError", message: "there are no skills" } }),
  isUnchanged: () => true,
  isHidden: () => true,
};
