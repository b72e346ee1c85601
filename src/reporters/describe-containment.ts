import type { Containment } from "../contract/containment.ts";

/** What the tested code could reach: `process, network: open, answer keys readable`. */
export function describeReach({ level, network }: Containment): string {
  const reach = typeof network === "string" ? network : network.join(" ");
  const keys = level === "strict" ? "" : ", answer keys readable";
  return `${level}, network: ${reach}${keys}`;
}

/** The same as one line by itself. */
export function describeContainment(containment: Containment): string {
  return `containment: ${describeReach(containment)}`;
}
