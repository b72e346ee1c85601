import type { Sandbox } from "../../contract/sandbox.ts";
import type { Floor } from "../../sandbox/choose-level.ts";
import type { ContainmentOptions } from "../request.ts";
import type { RunContext } from "../run-context.ts";
import { beginProof, openProven } from "./open-containment.ts";

export interface ProcessSandboxOptions {
  /** Whether the run may start any process. */
  mayStart: boolean;
  floors: readonly Floor[];
  /** Paths that no process may see. */
  hidden: readonly string[];
}

/** Opens the sandbox of a run that may start nothing at all. Containment is proven only if a process may run, or if it is required. */
export async function openProcessSandbox(
  demanded: ContainmentOptions,
  context: Pick<RunContext, "env" | "exclude" | "isDryRun">,
  { mayStart, floors, hidden }: ProcessSandboxOptions,
): Promise<Sandbox> {
  const { sandbox, floor, network, allowNetwork } = demanded;
  const isRequested = sandbox !== "auto" || floor !== null || network !== null || allowNetwork.length > 0;
  const isNeeded = isRequested || mayStart || floors.length > 0;
  const options = isNeeded ? demanded : { ...demanded, sandbox: "process" as const };
  await using proof = beginProof(options, context);
  return (await openProven(options, context, proof, { floors, hidden })).sandbox;
}
