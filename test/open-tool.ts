import { join } from "node:path";
import type { ToolConfig, UnitSkill } from "../src/contract/unit-skill.ts";
import type { JsonSchema } from "../src/shared/json/json.ts";
import { type Changes, openInFolder } from "./open-in-folder.ts";

export interface ToolFacts extends Changes {
  parameters?: JsonSchema | null;
  config?: Partial<ToolConfig>;
  /** Further files of the skill's folder. */
  files?: Record<string, string>;
}

/** A skill with the tool `work`, whose script this is, in a folder of its own and behind its adapter. */
export function openTool(script: string | null, facts: ToolFacts = {}) {
  const { parameters = null, config = {}, files = {}, ...changes } = facts;
  const all = { ...files, ...(script !== null && { "scripts/work.py": script }) };
  return openInFolder(all, (dir) => toolSkill(dir, { parameters, ...config }), changes);
}

function toolSkill(dir: string, changes: Partial<ToolConfig>): UnitSkill {
  const config: ToolConfig = {
    type: "tool",
    function: "work",
    script: "scripts/work.py",
    parameters: null,
    env: {},
    envKeys: [],
    ...changes,
  };
  return {
    id: `my-skill#${config.function}`,
    name: config.function,
    version: "1.0.0",
    description: "",
    tags: [],
    dir,
    manifest: join(dir, "skill.json"),
    adapter: { type: "tool", entrypoint: config.script, config },
    inputSchema: {},
    outputSchema: {},
    metadata: {},
    digest: "sha256:0",
  };
}
