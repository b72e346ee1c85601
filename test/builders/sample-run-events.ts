import type { CellName, RunEvent } from "../../src/contract/event.ts";
import type { Verdict } from "../../src/contract/result.ts";
import type { Clock } from "../../src/shared/async/clock.ts";
import { sampleResult } from "../../src/store/samples.ts";

/** A clock that only a test advances. */
export function heldClock(): Clock & { pass(ms: number): void; setWall(epochMs: number): void } {
  let monotonicMs = 1_000;
  let wallMs = 1_772_349_850_532;
  return {
    now: () => wallMs,
    monotonic: () => monotonicMs,
    sleep: async () => {},
    pass: (ms) => {
      monotonicMs += ms;
      wallMs += ms;
    },
    setWall: (epochMs) => {
      wallMs = epochMs;
    },
  };
}

/** A name for the cell at this index in the plan. */
export function cellAt(position: number, given: Partial<CellName> = {}): CellName {
  const caseId = `task_${String(position).padStart(3, "0")}`;
  return {
    key: `sha256:${position}`,
    position,
    level: "unit",
    suite: "coding-easy",
    subject: "my_calc",
    caseId,
    trial: 1,
    ...given,
  };
}

export function runStarted(cells: number, alreadyDone = 0, reused = 0): RunEvent {
  const containment = { level: "process", backend: null, network: "open", unproven: [] } as const;
  return { type: "run-started", runId: "run", cells, alreadyDone, reused, containment };
}

export function attemptStarted(cell: CellName, attempt = 1): RunEvent {
  return { type: "attempt-started", cell, attempt, at: "2026-03-01T07:24:10.532Z" };
}

export function cellEnded(cell: CellName, status: Verdict = "pass"): RunEvent {
  const { key, level, suite, subject, caseId, trial } = cell;
  const result = sampleResult({
    key,
    level,
    suite,
    skillId: subject,
    caseId,
    trial,
    status,
    latencyMs: 84.3,
  });
  return { type: "cell-ended", cell, result };
}
