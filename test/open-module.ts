import { join } from "node:path";
import { AdapterConfig, type UnitSkill } from "../src/contract/unit-skill.ts";
import { type Changes, openInFolder } from "./open-in-folder.ts";

export interface ModuleFacts extends Changes {
  type?: "custom" | "langchain";
  entrypoint?: string;
  config?: Record<string, unknown>;
  /** Further files of the skill's folder. */
  files?: Record<string, string>;
}

/** A skill that is this module, in a folder of its own, behind its adapter and in a sandbox that counts. */
export function openModule(text: string, facts: ModuleFacts = {}) {
  const { type = "custom", entrypoint = "./tool.mjs", config = {}, files = {}, ...changes } = facts;
  const all = { "tool.mjs": text, ...files };
  return openInFolder(all, (dir) => moduleSkill(dir, type, entrypoint, config), changes);
}

function moduleSkill(
  dir: string,
  type: "custom" | "langchain",
  entrypoint: string,
  config: object,
): UnitSkill {
  return {
    id: "my_skill",
    name: "My skill",
    version: "1.0.0",
    description: "",
    tags: [],
    dir,
    manifest: join(dir, "skill.json"),
    adapter: { type, entrypoint, config: AdapterConfig.parse({ type, ...config }) },
    inputSchema: {},
    outputSchema: {},
    metadata: {},
    digest: "sha256:0",
  };
}
