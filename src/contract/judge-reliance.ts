/** How far verdicts of models that judge are relied on: after a check by canaries, whatever it shows, or without one. */
export type JudgeReliance = "checked" | "trusted" | "unchecked";
