/** Who may answer whether a request loads a skill. */
export const judgeKinds = ["model", "catalog", "router", "agent"] as const;
export type JudgeKind = (typeof judgeKinds)[number];
