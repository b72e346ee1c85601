import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type AdapterContext, openAdapter } from "../src/adapters/open-adapter.ts";
import type { Adapter } from "../src/contract/outcome.ts";
import type { UnitSkill } from "../src/contract/unit-skill.ts";
import { countingSandbox } from "./counting-sandbox.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Options for the context of an adapter; the default sandbox counts. */
export type Changes = Partial<Pick<AdapterContext, "env" | "envKeys" | "maxOutputBytes" | "sandbox">>;

/** A skill of these files in a folder of its own, behind its adapter. */
export async function openInFolder(
  files: Readonly<Record<string, string>>,
  skillIn: (dir: string) => UnitSkill,
  changes: Changes,
) {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
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
    const defaults = {
      env: process.env,
      envKeys: [],
      maxOutputBytes: 5_242_880,
      concurrency: 2,
      version: "1.2.3",
    };
    adapter = await openAdapter(skillIn(folder.path), { ...defaults, sandbox, ...changes });
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
