import type { RunFacts } from "./report.ts";

/** Stands where nobody wrote down how results were made: a file of bare results has no run. */
export const unrecordedRun: RunFacts = {
  id: "",
  startedAt: "",
  finishedAt: "",
  runs: 1,
  concurrency: 0,
  retries: 0,
  timeoutMs: 0,
  evaluator: "",
  seed: 0,
  store: "",
  containment: { level: "off", backend: null, network: "open", unproven: [] },
};

/** Whether a report tells how its results were made. */
export function isRecorded(run: RunFacts): boolean {
  return run.id !== "";
}
