/** How much containment there can be, the most first. Apart from containment.ts, which needs zod and `--help` does not. */
export const sandboxLevels = ["strict", "reduced", "process", "off"] as const;
export type SandboxLevel = (typeof sandboxLevels)[number];

/** Levels that a file may demand. What is weaker is only ever a word on a command line. */
export const sandboxFloors = ["strict", "reduced"] as const;
export type SandboxFloor = (typeof sandboxFloors)[number];
