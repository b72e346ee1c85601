import type { Containment } from "../../contract/containment.ts";

/** What the tested code could reach: `process, network: open, answer keys readable`. */
export function describeReach({ level, network }: Reach): string {
  const reach = typeof network === "string" ? network : network.join(" ");
  const keys = level === "strict" ? "" : ", answer keys readable";
  return `${level}, network: ${reach}${keys}`;
}

interface Reach {
  level: string;
  network: string | readonly string[];
}

/** The same as one line by itself, with what was not proven and what would make it stronger. */
export function describeContainment(containment: Containment): string {
  const { unproven, hint } = containment;
  const open = unproven.length === 0 ? "" : `, not proven: ${unproven.join(", ")}`;
  const advice = hint === null || hint === undefined ? "" : ` (${hint})`;
  return `containment: ${describeReach(containment)}${open}${advice}`;
}
