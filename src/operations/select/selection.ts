import type { TokenCost } from "../../contract/figures.ts";
import type { Strategy } from "../../contract/strategy.ts";

/** The figures a skill is selected by, over all its benchmarks. */
export interface SelectionMetrics {
  completionRate: number | null;
  errorRate: number | null;
  latencyP95Ms: number | null;
  compositeScore: number | null;
  tokenCost: TokenCost | null;
}

/** A skill that was chosen, and by which figures. */
export interface SelectedSkill {
  /** From 1. */
  rank: number;
  skillId: string;
  skillVersion: string;
  /** Its `skill.json`, relative to the current directory where it lies inside it. */
  path: string;
  /** The figure it was ranked by; null where it is not known. */
  sortValue: number | null;
  /** Whether the skill has changed since it was evaluated. */
  stale: boolean;
  metrics: SelectionMetrics;
}

interface RejectedSkill {
  skillId: string;
  reasons: string[];
}

/** The applied strategy, the selected skills in order, and why the others were rejected. */
export interface Selection {
  /** With the order that was used; `topK` is null where all were taken. */
  strategy: Omit<Strategy, "order" | "topK"> & { order: "asc" | "desc"; topK: number | null };
  selected: SelectedSkill[];
  rejected: RejectedSkill[];
}
