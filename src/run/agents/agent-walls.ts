import { builtInTools } from "../../contract/built-in-tools.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { Floor } from "../../sandbox/choose-level.ts";
import { beginProof, openProven } from "../open-containment.ts";
import type { ContainmentOptions } from "../request.ts";
import type { AgentSurroundings } from "./prepare-agents.ts";

export interface WallWishes {
  /** Every tool that is switched on somewhere. */
  tools: readonly string[];
  /** Whether conversations may call what their skills declare. */
  hasSkillTools?: boolean | undefined;
  floors: readonly Floor[];
  /** Paths that no script may see. */
  hidden: readonly string[];
}

/** Opens the sandbox of agents. Walls are proven only where something may run behind them, or somebody demands them. */
export async function openAgentWalls(
  demanded: ContainmentOptions,
  around: Pick<AgentSurroundings, "env" | "exclude" | "isDryRun">,
  { tools, hasSkillTools = false, floors, hidden }: WallWishes,
): Promise<Sandbox> {
  const { sandbox, floor, network, allowNetwork } = demanded;
  const isAsked = sandbox !== "auto" || floor !== null || network !== null || allowNetwork.length > 0;
  const isNeeded = isAsked || hasSkillTools || floors.length > 0 || tools.some(startsProcess);
  const options = isNeeded ? demanded : { ...demanded, sandbox: "process" as const };
  await using proof = beginProof(options, around);
  return (await openProven(options, around, proof, { floors, hidden })).sandbox;
}

/** A script, or a tool that a skill brings. */
export function startsProcess(tool: string): boolean {
  return tool === "run_script" || !(builtInTools as readonly string[]).includes(tool);
}
