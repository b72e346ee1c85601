import { splitCommand } from "../base/split-command.ts";
import type { Adapter } from "../contract/adapter.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { HttpConfig, Skill, SubprocessConfig } from "../contract/skill.ts";
import { UserError } from "../contract/user-error.ts";
import { findInterpreter } from "./find-interpreter.ts";
import { httpTarget } from "./http-target.ts";
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
    case "mcp":
    case "langchain":
    case "custom":
      throw new UserError("adapter-invalid", `skill ${skill.id}: ${config.type} comes next`);
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
  const [program, ...args] = commandLine(skill, config);
  const path = await findInterpreter(program, skill.dir, env);
  if (path === null) {
    throw new UserError(
      "adapter-invalid",
      `skill ${skill.id}: the program ${program} cannot be found or run`,
      {
        path: skill.manifest,
        jsonPath: "$.entrypoint",
        hint: "install it, or name it with its path below the skill's folder",
      },
    );
  }
  const lifecycle = config.lifecycle ?? skill.metadata.lifecycle ?? "per-call";
  const open = lifecycle === "persistent" ? persistentAdapter : perCallAdapter;
  return open({
    argv: [path, ...args],
    cwd: skill.dir,
    env: { ...config.env, ...pick(env, [...envKeys, ...config.envKeys]) },
    maxOutputBytes,
    sandbox,
  });
}

function commandLine(skill: Skill, config: SubprocessConfig): [string, ...string[]] {
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

function pick(env: NodeJS.ProcessEnv, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])));
}
