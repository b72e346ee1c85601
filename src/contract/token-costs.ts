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
