import type { Containment } from "../src/contract/containment.ts";

/** What the tested code could reach, in words for people: `process, network open, answer keys readable`. */
export function describeReach({ level, network }: Containment): string {
  const reach = typeof network === "string" ? network : `only to ${network.join(", ")}`;
  const keys = level === "strict" ? "" : ", answer keys readable";
  return `${level}, network ${reach}${keys}`;
}
