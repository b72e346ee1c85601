import type { Cell } from "../contract/cell.ts";
import type { CellResult } from "../contract/result.ts";
import type { LogLine } from "./eval-log.ts";
import type { CellWorld } from "./run-cell.ts";

/** The cells of one suite, and what is particular about them. A run is made of one part or of several. */
export interface Part
  extends Pick<CellWorld, "execute" | "checkOutput" | "stampOf" | "keepsWholeOutput" | "retries"> {
  suiteId: string;
  /** Whose results belong to it. */
  skillIds: readonly string[];
  plan: Iterable<Cell> & { size: number };
  /** Counts a result. Unlike a listener it may not fail: a report without a cell would be wrong in silence. */
  add(result: CellResult): void;
  /** What the line log says about a result. */
  lineOf(result: CellResult): LogLine;
  /** What the line log says besides: what was skipped. */
  extraLines?: readonly LogLine[] | undefined;
}
