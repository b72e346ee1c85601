import type { GateRule } from "../../engine/gates.ts";
import { contractLevel } from "./level.ts";

/** Every contract must be kept. */
export const contractGates: readonly GateRule[] = [
  {
    level: contractLevel.name,
    scope: "run",
    metric: "failedContracts",
    on: "point",
    op: "<=",
    threshold: 0,
    enforced: true,
  },
];
