/** How much containment there can be, the most first. Apart from containment.ts, which needs zod and `--help` does not. */
export const sandboxLevels = ["strict", "reduced", "process", "off"] as const;
export type SandboxLevel = (typeof sandboxLevels)[number];
