import type { Containment } from "./containment.ts";
import type { Attempt, CellResult } from "./result.ts";

/** Which cell an event is about, in words people can read. */
export interface CellName {
  key: string;
  position: number;
  level: string;
  suite: string;
  /** Who is tested. */
  subject: string;
  caseId: string;
  trial: number;
}

/** A fact emitted during a run. Store, progress and reports are readers of the same stream. */
export type RunEvent =
  | {
      type: "run-started";
      runId: string;
      cells: number;
      alreadyDone: number;
      /** How many of those were taken over from earlier runs. */
      reused?: number | undefined;
      containment: Containment;
    }
  | { type: "attempt-started"; cell: CellName; attempt: number; at: string }
  | {
      type: "attempt-ended";
      cell: CellName;
      attempt: Attempt;
      stderrTail?: string | undefined;
      stray?: readonly string[] | undefined;
    }
  | { type: "cell-ended"; cell: CellName; result: CellResult }
  | { type: "warning"; message: string }
  | { type: "run-ended"; state: "done" | "interrupted" };

/** The event of one type. */
export type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>;

/** Receives the events of a run. A listener that fails is dropped; it never stops a run. */
export type Listener = (event: RunEvent) => void;
