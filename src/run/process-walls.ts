import type { Sandbox } from "../contract/sandbox.ts";
import type { Floor } from "../sandbox/choose-level.ts";
import { beginProof, openProven } from "./open-containment.ts";
import type { ContainmentOptions } from "./request.ts";
import type { Surroundings } from "./surroundings.ts";

export interface WallWishes {
  /** Whether anything may be started behind them. */
  mayStart: boolean;
  floors: readonly Floor[];
  /** Paths that no process may see. */
  hidden: readonly string[];
}

/** Opens the sandbox of a run that may start nothing at all. Walls are proven only where something may run behind them, or somebody demands them. */
export async function openProcessWalls(
  demanded: ContainmentOptions,
  around: Pick<Surroundings, "env" | "exclude" | "isDryRun">,
  { mayStart, floors, hidden }: WallWishes,
): Promise<Sandbox> {
  const { sandbox, floor, network, allowNetwork } = demanded;
  const isAsked = sandbox !== "auto" || floor !== null || network !== null || allowNetwork.length > 0;
  const isNeeded = isAsked || mayStart || floors.length > 0;
  const options = isNeeded ? demanded : { ...demanded, sandbox: "process" as const };
  await using proof = beginProof(options, around);
  return (await openProven(options, around, proof, { floors, hidden })).sandbox;
}
