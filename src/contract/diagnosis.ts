/** What `doctor` checks on a machine, in the order of its report. */
export const diagnosisTopics = ["containment", "programs", "store", "project", "machine"] as const;
type DiagnosisTopic = (typeof diagnosisTopics)[number];

/** One line of `doctor` about this machine: what was checked, its state, and how to fix it. */
export interface Diagnosis {
  topic: DiagnosisTopic;
  /** Such as `python3` or `free space`. */
  name: string;
  /** `note`: nothing is broken, and it is worth knowing. */
  state: "ok" | "note" | "bad";
  /** What was found, in a line. */
  found: string;
  /** What to type or change to fix it; null where there is nothing to fix. */
  mend: string | null;
}
