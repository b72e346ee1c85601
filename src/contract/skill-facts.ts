/** What a folder is recognised as: called through an adapter, instructions for an agent, or a prompt with tools. */
export const skillKinds = ["agent-skill", "unit", "prompt-tool"] as const;
export type SkillKind = (typeof skillKinds)[number];

/** How a skill can be called. Apart from skill.ts, which needs zod and `--help` does not. */
export const adapterTypes = ["http", "subprocess", "mcp", "langchain", "custom"] as const;
export type AdapterType = (typeof adapterTypes)[number];

/** What a skill costs in the context of a model, in tokens. */
export interface TokenCosts {
  /** Name and description: always there. */
  metadata: number;
  /** The instructions: there once the skill is chosen. */
  body: number;
  /** The other texts that a model may ask for, all together. */
  resources: number;
  /** Whether something was too large to be counted to its end: the numbers are the least it costs. */
  isCapped: boolean;
}

/** A body that is longer costs a model more than it is worth. */
export const advisedBodyTokens = 5000;

/** What a list of skills says about one of them. */
export interface ListedSkill {
  id: string;
  /** Other names for the id. */
  aliases: readonly string[];
  name: string;
  version: string | null;
  kind: SkillKind;
  adapterType: AdapterType | null;
  tags: readonly string[];
  description: string;
  /** The file that makes its folder a skill. */
  path: string;
  /** Its folder, absolute. */
  dir: string;
}

/** A skill that was looked for, with how well it fits and how it did. */
export interface FoundSkill extends ListedSkill {
  /** How well the words fit; null where none were given. */
  relevance: number | null;
  /** Mean over benchmarks of the newest finished run of each, at full precision; null without history. */
  completionRate: number | null;
}

/** One that is shown. */
export interface ShownSkill extends FoundSkill {
  tokens: TokenCosts | null;
}

/** What a new skill says of itself until somebody describes it; `doctor` asks to replace it. */
export function placeholderDescription(name: string): string {
  return `${name}: describe what it does and when to use it`;
}
