import type { Calibration } from "../../contract/cache.ts";
import type { JudgeName } from "../../contract/trigger-report.ts";

/** A label of a person beside the answer of a judge. */
export interface JudgedLabel {
  skill: string;
  query: string;
  label: "yes" | "no";
  /** Null where it gave no usable one. */
  answer: "yes" | "no" | null;
  why: string;
}

/** How far a judge agrees with people, and where it does not. */
export interface JudgeCalibration {
  judge: JudgeName;
  calibration: Calibration;
  /** Whether later runs go by it; where too little was answered, what was known before stays. */
  isKept: boolean;
  disagreements: readonly JudgedLabel[];
  /** Below this a judge informs but cannot gate, unless a skill's file says otherwise. */
  minKappa: number;
}
