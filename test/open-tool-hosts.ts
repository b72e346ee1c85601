import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openToolHosts } from "../src/adapters/tool-hosts.ts";
import type { Sandbox } from "../src/contract/sandbox.ts";
import type { HostedTool, OpenDocument, ToolHostMode, ToolOutcome } from "../src/contract/tool-host.ts";
import type { Json, JsonSchema } from "../src/shared/json/json.ts";
import { digestFolder } from "../src/skills/folder/digest.ts";
import { countingSandbox } from "./counting-sandbox.ts";
import { within } from "./open-skill.ts";
import { temporaryFolder } from "./temporary-folder.ts";

interface Options {
  sandbox?: Sandbox;
  slots?: number;
  env?: NodeJS.ProcessEnv;
  envKeys?: string[];
}

interface Call {
  parameters?: JsonSchema | null;
  document?: OpenDocument | null;
  deadlineMs?: number;
  signal?: AbortSignal;
}

/** Hosts of one skill, whose files these are: each `scripts/<name>.py` is a tool of it. */
export async function openHostedSkill(
  mode: ToolHostMode,
  files: Readonly<Record<string, string>>,
  { sandbox, ...options }: Options = {},
) {
  const folder = await temporaryFolder();
  const counting = countingSandbox();
  const context = { env: process.env, envKeys: [], maxOutputBytes: 5_242_880, ...options };
  const hosts = openToolHosts({ mode, sandbox: sandbox ?? counting, ...context });
  let known: Promise<{ digest: string }> | null = null;
  const write = (name: string, content: string) => {
    known = null;
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const patience = within(20_000);
  const tool = (name: string, digest: string): HostedTool => ({
    skill: { id: "my-skill", dir: folder.path, digest },
    name,
    script: `scripts/${name}.py`,
    parameters: null,
    timeoutMs: null,
  });

  return {
    dir: folder.path,
    hosts,
    sandbox: counting,
    write,
    tool,
    /** Calls a tool of the files as they are now. */
    async call(name: string, input: Json = {}, call: Call = {}): Promise<ToolOutcome> {
      const { document = null, parameters = null, ...limits } = call;
      known ??= digestFolder(folder.path, { ignore: [], exclude: [] });
      const { digest } = await known;
      const declared = { ...tool(name, digest), parameters };
      return hosts.call({ tool: declared, arguments: input, document }, { ...patience, ...limits });
    },
    async [Symbol.asyncDispose]() {
      await hosts[Symbol.asyncDispose]();
      await counting[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
