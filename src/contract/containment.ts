export const sandboxLevels = ["strict", "reduced", "process", "off"] as const;
export type SandboxLevel = (typeof sandboxLevels)[number];

/** What a live probe found out about the walls around a skill. Stamped on every run and its reports. */
export interface Containment {
  level: SandboxLevel;
  /** The program that does the containing, or null where nothing does. */
  backend: string | null;
  network: "open" | "none" | readonly string[];
  /** Checks the level would want and this machine did not pass, by name. */
  unproven: readonly string[];
}

/** One line for people: `containment: process, network: open, answer keys readable`. */
export function describeContainment({ level, network }: Containment): string {
  const reach = typeof network === "string" ? network : network.join(" ");
  const keys = level === "strict" ? "" : ", answer keys readable";
  return `containment: ${level}, network: ${reach}${keys}`;
}
