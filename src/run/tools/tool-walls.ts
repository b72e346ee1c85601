import { openToolHosts } from "../../adapters/tool-hosts.ts";
import { redactor } from "../../base/redact.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { ToolHostMode } from "../../contract/tool-host.ts";
import { beginProof, type EarlyProof, openProven } from "../open-containment.ts";
import type { ContainmentOptions } from "../request.ts";

/** What calling tools outside of an evaluation finds around it. */
export interface ToolSurroundings {
  env: NodeJS.ProcessEnv;
  /** The store, reports, recordings: never part of a skill, and shown to none. */
  exclude: readonly string[];
  signal: AbortSignal;
}

/** Begins to prove containment while files are read. */
export function beginWalls(containment: ContainmentOptions, { env }: ToolSurroundings): EarlyProof {
  return beginProof(containment, { env });
}

/** Opens the sandbox around the tools of skills, which see nothing of each other. */
export async function openToolWalls(
  containment: ContainmentOptions,
  around: ToolSurroundings,
  proof: EarlyProof,
  skillDirs: readonly string[],
): Promise<Sandbox> {
  return (await openProven(containment, around, proof, { floors: [], hidden: skillDirs })).sandbox;
}

/** Opens hosts in a sandbox, with the variables that tools are lent. */
export function hostsIn(
  sandbox: Sandbox,
  mode: ToolHostMode,
  { envKeys, maxOutputBytes }: ContainmentOptions,
  { env }: ToolSurroundings,
  slots?: number,
) {
  return openToolHosts({ mode, sandbox, env, envKeys, maxOutputBytes, slots });
}

/** Takes the variables that tools are lent out of what they say; what was lent nothing is left as it is. */
export function withoutLent({ envKeys }: ContainmentOptions, env: NodeJS.ProcessEnv) {
  const lent = envKeys.flatMap((key) => env[key] ?? []);
  return lent.length === 0 ? <Value>(value: Value) => value : redactor(lent);
}
