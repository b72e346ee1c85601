/** What a folder is recognised as: called through an adapter, instructions for an agent, or a prompt with tools. */
export const skillKinds = ["agent-skill", "unit", "prompt-tool"] as const;
export type SkillKind = (typeof skillKinds)[number];
