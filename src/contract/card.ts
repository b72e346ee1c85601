/** The short public text about a skill, by which it is chosen; never its prompt or its body. */
export interface Card {
  description: string;
  triggers: string[];
  notFor: string[];
  /** What did not fit and was cut, in words; empty where all of it did. */
  cuts: string[];
}
