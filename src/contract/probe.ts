/** What a probe looks at from inside a sandbox, in the order it is told. */
export const probeGroups = ["files", "environment", "network", "processes", "privileges", "limits"] as const;
export type ProbeGroup = (typeof probeGroups)[number];

/** One thing that must be blocked, or must work, and what was seen. */
export interface ProbeCheck {
  group: ProbeGroup;
  /** In words, such as `write to the home folder`. */
  name: string;
  /** `blocked`: it must not be possible. `works`: it must be. */
  expected: "blocked" | "works";
  ok: boolean;
  /** What the system said, where that helps. */
  seen: string | null;
}
