/** How a skill can be called. Apart from skill.ts, which needs zod and `--help` does not. */
export const adapterTypes = ["http", "subprocess", "mcp", "langchain", "custom"] as const;
export type AdapterType = (typeof adapterTypes)[number];
