import { splitCommand } from "../base/split-command.ts";
import type { Adapter } from "../contract/adapter.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { HttpConfig, McpConfig, ModuleConfig, Skill, SubprocessConfig } from "../contract/skill.ts";
import { UserError } from "../contract/user-error.ts";
import { findInterpreter } from "./find-interpreter.ts";
import { httpTarget } from "./http-target.ts";
import { mcpTarget } from "./mcp-target.ts";
import { moduleAdapter } from "./module.ts";
import { moduleEntry } from "./module-entry.ts";
import { persistentAdapter } from "./persistent.ts";
import { perCallAdapter } from "./subprocess.ts";

export interface AdapterSurroundings {
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  /** Variables that every skill gets besides its own `envKeys`. */
  envKeys: readonly string[];
  maxOutputBytes: number;
  concurrency: number;
  version: string;
}

/** Checks everything about reaching this skill that can be checked without calling it, and returns the way to call it. */
export async function openAdapter(skill: Skill, surroundings: AdapterSurroundings): Promise<Adapter> {
  const { config } = skill.adapter;
  switch (config.type) {
    case "http":
      return openHttp(skill, config, surroundings);
    case "subprocess":
      return openSubprocess(skill, config, surroundings);
    case "langchain":
    case "custom":
      return openModule(skill, config, surroundings);
    case "mcp":
      return openMcp(skill, config, surroundings);
    default:
      return config satisfies never;
  }
}

async function openHttp(
  skill: Skill,
  config: HttpConfig,
  surroundings: AdapterSurroundings,
): Promise<Adapter> {
  const target = httpTarget(skill, config, surroundings.env, surroundings.version);
  const { httpAdapter } = await import("./http.ts");
  return httpAdapter({
    target,
    bodyOf: (input) =>
      config.bodyMode === "input" ? input : { skillId: skill.id, version: skill.version, input },
    maxOutputBytes: surroundings.maxOutputBytes,
    concurrency: surroundings.concurrency,
  });
}

async function openSubprocess(
  skill: Skill,
  config: SubprocessConfig,
  { sandbox, env, envKeys, maxOutputBytes }: AdapterSurroundings,
): Promise<Adapter> {
  const argv = await findCommand(skill, config, env);
  const lifecycle = config.lifecycle ?? skill.metadata.lifecycle ?? "per-call";
  const open = lifecycle === "persistent" ? persistentAdapter : perCallAdapter;
  return open({
    argv,
    cwd: skill.dir,
    env: variablesOf(config, env, envKeys),
    maxOutputBytes,
    sandbox,
  });
}

async function openModule(
  skill: Skill,
  config: ModuleConfig,
  { sandbox, env, envKeys, maxOutputBytes }: AdapterSurroundings,
): Promise<Adapter> {
  const entry = moduleEntry(skill);
  return moduleAdapter({
    type: config.type,
    entry,
    cwd: skill.dir,
    env: variablesOf(config, env, envKeys),
    maxOutputBytes,
    sandbox,
  });
}

async function openMcp(
  skill: Skill,
  config: McpConfig,
  { sandbox, env, envKeys, maxOutputBytes, version }: AdapterSurroundings,
): Promise<Adapter> {
  const target = mcpTarget(skill, config);
  const toolName = skill.metadata.toolName ?? skill.id;
  if (target.kind === "process") {
    const argv = await findCommand(skill, config, env);
    const [{ mcpAdapter }, { processRoute }] = await Promise.all([
      import("./mcp.ts"),
      import("./mcp-process-route.ts"),
    ]);
    const command = { argv, cwd: skill.dir, env: variablesOf(config, env, envKeys) };
    const route = processRoute(sandbox, command, maxOutputBytes);
    return mcpAdapter({ route, toolName, version });
  }
  const { origin, path, headers } = httpTarget(skill, config, env, version);
  const [{ mcpAdapter }, { httpRoute }] = await Promise.all([
    import("./mcp.ts"),
    import("./mcp-http-route.ts"),
  ]);
  // What a body is and what may come back is said by the transport, message by message.
  const { "content-type": _, accept: __, ...lasting } = headers;
  const { transport } = target;
  const route = httpRoute({ url: new URL(path, origin), headers: lasting, transport, maxOutputBytes });
  return mcpAdapter({ route, toolName, version });
}

type CommandConfig = Pick<SubprocessConfig, "command" | "args">;

/** Program and arguments, with the program where it really is. */
async function findCommand(
  skill: Skill,
  config: CommandConfig,
  env: NodeJS.ProcessEnv,
): Promise<[string, ...string[]]> {
  const [program, ...args] = commandLine(skill, config);
  const path = await findInterpreter(program, skill.dir, env);
  if (path !== null) return [path, ...args];
  throw new UserError("adapter-invalid", `skill ${skill.id}: the program ${program} cannot be found or run`, {
    path: skill.manifest,
    jsonPath: "$.entrypoint",
    hint: "install it, or name it with its path below the skill's folder",
  });
}

function commandLine(skill: Skill, config: CommandConfig): [string, ...string[]] {
  if (config.command !== undefined) return [config.command, ...config.args];
  const place = { path: skill.manifest, jsonPath: "$.entrypoint" };
  try {
    const [program, ...args] = splitCommand(skill.adapter.entrypoint);
    if (program !== undefined) return [program, ...args];
  } catch (error) {
    const problem = (error as Error).message;
    throw new UserError("adapter-invalid", `skill ${skill.id}: the entrypoint ${problem}`, place);
  }
  throw new UserError("adapter-invalid", `skill ${skill.id}: the entrypoint is empty`, place);
}

/** What the process of a skill finds in its environment: what its author wrote there, and what it is handed of ours. */
function variablesOf(
  config: Pick<SubprocessConfig, "env" | "envKeys">,
  env: NodeJS.ProcessEnv,
  envKeys: readonly string[],
): Record<string, string> {
  const handed = [...envKeys, ...config.envKeys].flatMap((key) =>
    env[key] === undefined ? [] : [[key, env[key]]],
  );
  return { ...config.env, ...Object.fromEntries(handed) };
}
