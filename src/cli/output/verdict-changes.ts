import { subjectName } from "../../contract/cell.ts";
import { type CellResult, parseCell, type Verdict, verdicts } from "../../contract/result.ts";
import { caseName } from "../../operations/test/known-verdicts.ts";

/** What became of a case, all its trials together. */
interface CaseState {
  level: string;
  name: string;
  trials: number;
  counts: Record<Verdict, number>;
  /** Why the first trial that did not pass did not. */
  reason: string | null;
}

/** The cases of a run, by name. */
export type CaseStates = ReadonlyMap<string, CaseState>;

export function readCaseStates(cells: Iterable<string>): CaseStates {
  const states = new Map<string, CaseState>();
  for (const text of cells) {
    const cell = parseCell(text);
    const key = caseName(cell);
    const state = states.get(key) ?? newState(cell);
    state.trials++;
    state.counts[cell.status]++;
    if (cell.status !== "pass") state.reason ??= cell.reason ?? cell.cause;
    states.set(key, state);
  }
  return states;
}

function newState(cell: CellResult): CaseState {
  return {
    level: cell.level,
    name: `${subjectName(cell)} ${cell.caseId}`,
    trials: 0,
    counts: { pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 },
    reason: null,
  };
}

/** A case whose verdict is not what it was. */
export interface VerdictChange {
  level: string;
  name: string;
  isPassed: boolean;
  /** `passed → failed`, `new: failed in 1 of 3 trials`. */
  words: string;
  reason: string | null;
}

/** What changed between two runs; cases that are gone are told only where `isWhole`, since nothing was left out then. */
export function verdictChanges(before: CaseStates, now: CaseStates, isWhole: boolean): VerdictChange[] {
  const changes: VerdictChange[] = [];
  for (const [key, state] of now) {
    const earlier = before.get(key);
    const [was, is] = [earlier && stateWords(earlier), stateWords(state)];
    if (was === is) continue;
    const words = was === undefined ? `new: ${is}` : `${was} → ${is}`;
    changes.push({ ...state, isPassed: isPassed(state), words });
  }
  if (isWhole)
    for (const [key, state] of before)
      if (!now.has(key))
        changes.push({ ...state, isPassed: true, words: `${stateWords(state)} → gone`, reason: null });
  return changes.sort((a, b) => Number(a.isPassed) - Number(b.isPassed));
}

export function isPassed({ counts, trials }: Pick<CaseState, "counts" | "trials">): boolean {
  return counts.pass === trials;
}

const words: Readonly<Record<Verdict, string>> = {
  pass: "passed",
  fail: "failed",
  error: "error",
  timeout: "timed out",
  invalid: "no verdict",
};

function stateWords({ counts, trials }: CaseState): string {
  const ended = verdicts.filter((verdict) => counts[verdict] > 0);
  const [only] = ended;
  if (only !== undefined && ended.length === 1) return words[only];
  return ended
    .filter((verdict) => verdict !== "pass")
    .map((verdict) => `${words[verdict]} in ${counts[verdict]} of ${trials} trials`)
    .join(", ");
}
