import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AdapterSurroundings, openAdapter } from "../src/adapters/open-adapter.ts";
import type { Adapter } from "../src/contract/adapter.ts";
import { AdapterConfig, type UnitSkill } from "../src/contract/unit-skill.ts";
import { countingSandbox } from "./counting-sandbox.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface ModuleFacts
  extends Partial<Pick<AdapterSurroundings, "env" | "envKeys" | "maxOutputBytes">> {
  type?: "custom" | "langchain";
  entrypoint?: string;
  config?: Record<string, unknown>;
  /** Further files of the skill's folder. */
  files?: Record<string, string>;
}

/** A skill that is this module, in a folder of its own, behind its adapter and in a sandbox that counts. */
export async function openModule(text: string, facts: ModuleFacts = {}) {
  const { type = "custom", entrypoint = "./tool.mjs", config = {}, files = {}, ...changes } = facts;
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries({ "tool.mjs": text, ...files }))
    writeFileSync(join(folder.path, name), content);
  const sandbox = countingSandbox();
  const close = async () => {
    await sandbox[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  let adapter: Adapter;
  try {
    const surroundings = { env: process.env, envKeys: [], maxOutputBytes: 5_242_880, concurrency: 2 };
    const skill = moduleSkill(folder.path, type, entrypoint, config);
    adapter = await openAdapter(skill, { ...surroundings, version: "1.2.3", ...changes, sandbox });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    call: adapter.call,
    dir: folder.path,
    sandbox,
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await close();
    },
  };
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
