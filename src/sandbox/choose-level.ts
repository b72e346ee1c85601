import type { SandboxLevel } from "../contract/sandbox-level.ts";
import { UserError } from "../contract/user-error.ts";

export interface ContainmentDemand {
  /** What the command line asked for. */
  level: "auto" | SandboxLevel;
  /** The least a configuration file accepts, and which file that is. */
  floor: "reduced" | "strict" | null;
  floorFile: string | null;
  network: "none" | "open" | null;
  allowNetwork: readonly string[];
}

/** The level a run gets, or a refusal: what was demanded and cannot be proven is never quietly weakened. */
export function chooseLevel(demand: ContainmentDemand): "process" | "off" {
  const { level, floor } = demand;
  if (floor !== null) {
    throw refusal(
      `${floor} containment is the floor set in ${demand.floorFile ?? "the configuration"} and cannot be proven here`,
      "remove `sandbox.floor` on a throw-away machine; each result is then marked with the level it ran at",
    );
  }
  if (level === "strict" || level === "reduced") {
    throw refusal(
      `${level} containment was demanded and cannot be proven here`,
      "on a throw-away machine `--sandbox auto` runs with what there is and marks each result",
    );
  }
  if (demand.network === "none" || demand.allowNetwork.length > 0) {
    const asked = demand.network === "none" ? "--network none" : "--allow-network";
    throw refusal(
      `${asked} was demanded, and the level in force cannot close the network`,
      "leave it out to run with an open network, stamped on every result",
    );
  }
  return level === "off" ? "off" : "process";
}

function refusal(what: string, hint: string): UserError {
  return new UserError("sandbox-unavailable", `E_SANDBOX_UNAVAILABLE: ${what}. Nothing was run.`, { hint });
}
