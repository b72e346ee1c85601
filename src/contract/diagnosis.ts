/** What `doctor` looks at, in the order it tells it. */
export const diagnosisTopics = ["containment", "programs", "store", "project", "machine"] as const;
type DiagnosisTopic = (typeof diagnosisTopics)[number];

/** One line of `doctor`: a thing of this machine, how it stands, and how to mend it. */
export interface Diagnosis {
  topic: DiagnosisTopic;
  /** Such as `python3` or `free space`. */
  name: string;
  /** `note`: nothing is broken, and it is worth knowing. */
  state: "ok" | "note" | "bad";
  /** What was found, in a line. */
  found: string;
  /** What to type, or to change, to mend it; null where nothing is to be mended. */
  mend: string | null;
}
