import type { Adapter } from "../contract/outcome.ts";
import type { Sandbox, SkillCommand } from "../contract/sandbox.ts";
import type { ToolHostMode } from "../contract/tool-host.ts";
import {
  type HttpConfig,
  type McpConfig,
  type ModuleConfig,
  type SubprocessConfig,
  type ToolConfig,
  type UnitSkill,
  wantsNoNetwork,
} from "../contract/unit-skill.ts";
import { splitCommand } from "../shared/text/command-line.ts";
import { UserError } from "../shared/user-error.ts";
import { findReachable } from "./find-reachable.ts";
import { httpTarget } from "./http-target.ts";
import { mcpTarget } from "./mcp-target.ts";
import { moduleAdapter, moduleCommand } from "./module.ts";
import { moduleEntry } from "./module-entry.ts";
import { persistentAdapter } from "./persistent.ts";
import { perCallAdapter } from "./subprocess.ts";
import { withHiddenCause } from "./unless-hidden.ts";

export interface AdapterContext {
  sandbox: Sandbox;
  env: NodeJS.ProcessEnv;
  /** Variables that every skill gets besides its own `envKeys`. */
  envKeys: readonly string[];
  maxOutputBytes: number;
  concurrency: number;
  version: string;
  /** Whether tools of skills get a process for every call; the default is yes. */
  toolHost?: ToolHostMode | undefined;
  /** Files and folders that processes of skills must be able to read besides their own. */
  reads?: readonly string[];
  /** By port of this machine, the unix socket that leads to who would listen there. */
  sockets?: ReadonlyMap<number, string>;
  /** Reports what the user should know before the first call. */
  warn?: ((warning: string) => void) | undefined;
}

/** Checks everything about reaching this skill that can be checked without calling it, and returns the way to call it. */
export async function openAdapter(skill: UnitSkill, context: AdapterContext): Promise<Adapter> {
  const { config } = skill.adapter;
  switch (config.type) {
    case "http":
      return openHttp(skill, config, context);
    case "subprocess":
      return openSubprocess(skill, config, context);
    case "langchain":
    case "custom":
      return openModule(skill, config, context);
    case "mcp":
      return openMcp(skill, config, context);
    case "tool":
      return openTool(skill, config, context);
    default:
      return config satisfies never;
  }
}

async function openHttp(skill: UnitSkill, config: HttpConfig, context: AdapterContext): Promise<Adapter> {
  const target = httpTarget(skill, config, context.env, context.version);
  const { httpAdapter } = await import("./http.ts");
  return httpAdapter({
    target,
    socketPath: context.sockets?.get(Number(new URL(target.origin).port)) ?? null,
    method: config.method,
    buildBody: (input) =>
      config.bodyMode === "input" ? input : { skillId: skill.id, version: skill.version, input },
    maxOutputBytes: context.maxOutputBytes,
    concurrency: context.concurrency,
  });
}

async function openSubprocess(
  skill: UnitSkill,
  config: SubprocessConfig,
  context: AdapterContext,
): Promise<Adapter> {
  const { sandbox, maxOutputBytes } = context;
  const argv = await findCommand(skill, config, context);
  const lifecycle = config.lifecycle ?? skill.metadata.lifecycle ?? "per-call";
  const open = lifecycle === "persistent" ? persistentAdapter : perCallAdapter;
  const command = { ...processContext(skill, context), argv };
  return withHiddenCause(open({ ...command, maxOutputBytes, sandbox }), sandbox, command);
}

async function openModule(skill: UnitSkill, config: ModuleConfig, context: AdapterContext): Promise<Adapter> {
  const { sandbox, maxOutputBytes } = context;
  const entry = moduleEntry(skill);
  const node = await findRuntime(skill, context);
  const module = moduleCommand(config.type, entry, node);
  const reads = [...(module.reads ?? []), ...(context.reads ?? [])];
  const command = { ...processContext(skill, context), ...module, reads };
  return withHiddenCause(moduleAdapter({ ...command, maxOutputBytes, sandbox }), sandbox, command);
}

async function openMcp(skill: UnitSkill, config: McpConfig, context: AdapterContext): Promise<Adapter> {
  const { sandbox, env, maxOutputBytes, version } = context;
  const target = mcpTarget(skill, config);
  const toolName = skill.metadata.toolName ?? skill.id;
  if (target.kind === "process") {
    const argv = await findCommand(skill, config, context);
    const [{ mcpAdapter }, { processRoute }] = await Promise.all([
      import("./mcp.ts"),
      import("./mcp-process-link.ts"),
    ]);
    const command = { ...processContext(skill, context), argv };
    const route = processRoute(sandbox, command, maxOutputBytes);
    return withHiddenCause(mcpAdapter({ route, toolName, version }), sandbox, command);
  }
  const { origin, path, headers } = httpTarget(skill, config, env, version);
  const [{ mcpAdapter }, { httpRoute }] = await Promise.all([
    import("./mcp.ts"),
    import("./mcp-http-link.ts"),
  ]);
  // The transport sets these two headers for each message.
  const { "content-type": _, accept: __, ...lasting } = headers;
  const { transport } = target;
  // Joined as text: resolved against the origin, a path that begins with `//` would name another host.
  const url = new URL(`${origin}${path}`);
  const route = httpRoute({ url, headers: lasting, transport, maxOutputBytes });
  return mcpAdapter({ route, toolName, version });
}

async function openTool(skill: UnitSkill, config: ToolConfig, context: AdapterContext): Promise<Adapter> {
  const { sandbox, env, envKeys, maxOutputBytes, toolHost = "fresh", warn } = context;
  const { toolAdapter } = await import("./tool.ts");
  return toolAdapter(skill, config, {
    mode: toolHost,
    ...{ sandbox, env, maxOutputBytes, warn },
    envKeys: [...envKeys, ...config.envKeys],
    variables: config.env,
  });
}

/** Folder, environment and network of the processes of a skill. */
function processContext(
  skill: UnitSkill,
  { env, envKeys, reads }: AdapterContext,
): Pick<SkillCommand, "cwd" | "folder" | "env" | "reads" | "network"> {
  return {
    cwd: skill.dir,
    folder: skill.dir,
    env: skillVariables(skill.adapter.config, env, envKeys),
    ...(reads !== undefined && { reads }),
    ...(wantsNoNetwork(skill) && { network: "none" as const }),
  };
}

type CommandConfig = Pick<SubprocessConfig, "command" | "args">;

/** Program and arguments, with the path of the program resolved. */
async function findCommand(
  skill: UnitSkill,
  config: CommandConfig,
  context: AdapterContext,
): Promise<[string, ...string[]]> {
  const [program, ...args] = commandLine(skill, config);
  return [await findReachable(program, { skill, jsonPath: "$.entrypoint" }, context), ...args];
}

/** The Node that runs us, or another one where a process in the sandbox could not reach it. */
async function findRuntime(skill: UnitSkill, context: AdapterContext): Promise<string> {
  const own = process.execPath;
  if (context.sandbox.canReach?.(own) !== false) return own;
  return findReachable("node", { skill, jsonPath: "$.entrypoint" }, context);
}

function commandLine(skill: UnitSkill, config: CommandConfig): [string, ...string[]] {
  if (config.command !== undefined) return [config.command, ...config.args];
  const location = { path: skill.manifest, jsonPath: "$.entrypoint" };
  try {
    const [program, ...args] = splitCommand(skill.adapter.entrypoint);
    if (program !== undefined) return [program, ...args];
  } catch (error) {
    const problem = (error as Error).message;
    throw new UserError("adapter-invalid", `skill ${skill.id}: the entrypoint ${problem}`, location);
  }
  throw new UserError("adapter-invalid", `skill ${skill.id}: the entrypoint is empty`, location);
}

/** The environment of a skill process: the author's own variables, and those of the runner that are passed on. */
function skillVariables(
  config: Pick<SubprocessConfig, "env" | "envKeys">,
  env: NodeJS.ProcessEnv,
  envKeys: readonly string[],
): Record<string, string> {
  const handed = [...envKeys, ...config.envKeys].flatMap((key) =>
    env[key] === undefined ? [] : [[key, env[key]]],
  );
  return { ...config.env, ...Object.fromEntries(handed) };
}
