import type { PlannedCase, Subject } from "../src/contract/cell.ts";
import type { Level, LevelFold } from "../src/contract/level.ts";
import type { CellResult, Verdict } from "../src/contract/result.ts";
import type { Json } from "../src/shared/json/json.ts";

/** How a cell of a sample ended, and why. */
export interface SampleEnd {
  status: Verdict;
  reason: string | null;
  trial: number;
}

/** What a sample of one level is made of; everything that all levels have is added to it. */
export interface LevelMaterial {
  level: Level;
  suite: string;
  /** The first of them has a case for every way to end, the others mostly pass. */
  subjects: readonly Subject[];
  casesOf(subject: Subject): readonly PlannedCase[];
  /** A new fold of the level's own figures. */
  fold?(): LevelFold;
  /** What a cell has that only its level knows. */
  own(end: SampleEnd, one: PlannedCase, subject: Subject): Pick<CellResult, "output" | "details">;
  /** The figure of every subject that a gate is on. */
  gated: string;
  settings?: Record<string, Json>;
}

/** One case for each way to end. */
export const sampleCases = ["passes", "fails", "flaky", "breaks", "stalls", "undecided", "retried"] as const;
export type SampleCase = (typeof sampleCases)[number];
export const sampleTrials = 2;

/** A case for each of these ways, but for what is given. */
export function casesNamed(prefix: string, given: (id: string) => Partial<PlannedCase>): PlannedCase[] {
  return sampleCases.map((name) => {
    const id = `${prefix}${name}`;
    return {
      ...{
        id,
        digest: `sha256:${id}`,
        title: `It ${name}`,
        input: null,
        expected: null,
        tags: ["daily"],
        weight: 1,
      },
      ...given(id),
    };
  });
}
