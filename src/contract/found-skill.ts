import type { AdapterType } from "./adapter-type.ts";
import type { SkillKind } from "./skill-kind.ts";
import type { TokenCosts } from "./token-costs.ts";

/** What a list of skills says about one of them. */
export interface ListedSkill {
  id: string;
  /** Other names that stand for the id. */
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
  /** How well the words fit; null where none were asked for. */
  relevance: number | null;
  /** Mean over benchmarks of the newest finished run of each, at full precision; null without history. */
  completionRate: number | null;
}

/** One that is shown. */
export interface ShownSkill extends FoundSkill {
  tokens: TokenCosts | null;
}
