import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AdapterSurroundings, openAdapter } from "../src/adapters/open-adapter.ts";
import type { Adapter } from "../src/contract/adapter.ts";
import type { JsonSchema } from "../src/contract/json.ts";
import type { Sandbox } from "../src/contract/sandbox.ts";
import type { ToolConfig, UnitSkill } from "../src/contract/unit-skill.ts";
import { countingSandbox } from "./counting-sandbox.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface ToolFacts extends Partial<Pick<AdapterSurroundings, "env" | "envKeys" | "maxOutputBytes">> {
  parameters?: JsonSchema | null;
  config?: Partial<ToolConfig>;
  /** Further files of the skill's folder. */
  files?: Record<string, string>;
  /** Where it runs; without it in a sandbox that counts. */
  sandbox?: Sandbox;
}

/** A skill with the tool `work`, whose script this is, in a folder of its own and behind its adapter. */
export async function openTool(script: string | null, facts: ToolFacts = {}) {
  const { parameters = null, config = {}, files = {}, sandbox: given, ...changes } = facts;
  const folder = await temporaryFolder();
  const all = { ...files, ...(script !== null && { "scripts/work.py": script }) };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), content);
  }
  const sandbox = countingSandbox();
  const close = async () => {
    await sandbox[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  };
  let adapter: Adapter;
  try {
    const surroundings = { env: process.env, envKeys: [], maxOutputBytes: 5_242_880, concurrency: 2 };
    const skill = toolSkill(folder.path, { parameters, ...config });
    const all = { ...surroundings, version: "1.2.3", ...changes, sandbox: given ?? sandbox };
    adapter = await openAdapter(skill, all);
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
