import { openToolHosts } from "../../adapters/tool-hosts.ts";
import type { ConversationSkill } from "../../contract/conversation-parts.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { ToolHostMode } from "../../contract/tool-host.ts";
import { beginProof, type EarlyProof, openProvenSandbox } from "../../engine/containment/open-containment.ts";
import type { GrantContext } from "../../engine/granted.ts";
import type { ContainmentOptions } from "../../engine/request.ts";
import { hostedTool } from "../../engine/skills/prompted-skills.ts";
import { redactor } from "../../shared/text/redact.ts";
import { digestFolder } from "../../skills/folder/digest.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";
import type { ToolTargets } from "../../skills/targets/tool-targets.ts";

/** Prepares the tools of a skill: with the current digest of its files and the deadlines it sets. */
export async function readyTools(
  { skill, tools }: ToolTargets,
  { exclude, timeoutMs }: { exclude: readonly string[]; timeoutMs: number | null },
): Promise<ConversationSkill["tools"]> {
  const { digest } = await digestFolder(skill.dir, { ignore: [], exclude });
  const deadlines = await toolDeadlines(skill.dir);
  return tools.map((tool) => hostedTool({ ...skill, digest }, tool, timeoutMs ?? deadlines(tool.name)));
}

export interface ToolContext extends Pick<GrantContext, "permissions"> {
  env: NodeJS.ProcessEnv;
  /** The store, reports, recordings: never part of a skill, and shown to none. */
  exclude: readonly string[];
  signal: AbortSignal;
}

/** Begins to prove containment while files are read. */
export function beginContainment(containment: ContainmentOptions, { env }: ToolContext): EarlyProof {
  return beginProof(containment, { env });
}

/** Opens the sandbox for the tools of skills, which cannot see each other. */
export async function openToolSandbox(
  containment: ContainmentOptions,
  context: ToolContext,
  proof: EarlyProof,
  skillDirs: readonly string[],
): Promise<Sandbox> {
  return (await openProvenSandbox(containment, context, proof, { floors: [], hidden: skillDirs })).sandbox;
}

/** Opens hosts in a sandbox, with the variables passed through to tools. */
export function hostsIn(
  sandbox: Sandbox,
  mode: ToolHostMode,
  { envKeys, maxOutputBytes }: ContainmentOptions,
  { env }: ToolContext,
  slots?: number,
) {
  return openToolHosts({ mode, sandbox, env, envKeys, maxOutputBytes, slots });
}

/** Redacts the variables passed through to tools from their output. */
export function redactPassthrough({ envKeys }: ContainmentOptions, env: NodeJS.ProcessEnv) {
  const passedThrough = envKeys.flatMap((key) => env[key] ?? []);
  return passedThrough.length === 0 ? <Value>(value: Value) => value : redactor(passedThrough);
}
