import type { CaseReport } from "../../contract/document.ts";
import type { FailedCase, Failures, RetriedCell, SubjectView } from "../../contract/format.ts";
import type { CellResult, Counts, Verdict } from "../../contract/result.ts";
import { cellReason, trialWords, worstStatus } from "./cell-words.ts";

const shownRetries = 20;

/** The first cases of a subject that did not pass, all trials together. Holds no more cells than it returns. */
export function findFailures(
  { subject, level }: SubjectView,
  cells: () => Iterable<CellResult>,
  casesFor: (cells: readonly CellResult[]) => ReadonlyMap<CellResult, CaseReport>,
  maxCases: number,
): Failures {
  const verdicts = level.view?.caseVerdicts?.(subject);
  const chosen = chooseCases(maxCases, subject.trials > 1, ({ caseId }) => verdicts?.get(caseId)?.status);
  const retried: RetriedCell[] = [];
  let retriedCount = 0;
  for (const cell of cells()) {
    const { caseId, status, attempts, trial } = cell;
    if (status === "pass" && attempts.length > 1) {
      retriedCount++;
      if (retried.length < shownRetries) retried.push({ caseId, trial, attempt: attempts.length });
    }
    chosen.add(cell);
  }
  const first = chosen.cells;
  const counts = countTrials(first, cells, subject.trials);
  const cases = casesFor([...first.values()]);
  return {
    cases: [...first]
      .map(([caseId, cell]): FailedCase => {
        const one = cases.get(cell);
        const verdict = verdicts?.get(caseId);
        const counted = counts.get(caseId) ?? noCounts();
        return {
          caseId,
          title: (one && level.caseTitle?.(one)) ?? one?.title ?? null,
          one,
          status: verdict?.status ?? worstStatus(counted),
          words: verdict?.words ?? trialWords(counted),
          reason: verdict?.reason ?? cellReason(cell),
          cell,
          counts: counted,
          blocks: verdict?.blocks ?? [],
        };
      })
      .toSorted((a, b) => Number(a.status === "invalid") - Number(b.status === "invalid")),
    more: chosen.left(),
    retried,
    retriedCount,
  };
}

/** Chooses the first cases that did not pass, those without a verdict only where space is left, and the cell of each that explains it best. */
function chooseCases(
  maxCases: number,
  hasTrials: boolean,
  findVerdict: (cell: CellResult) => Verdict | undefined,
) {
  const cells = new Map<string, CellResult>();
  const unknown: string[] = [];
  const others = new Set<string>();
  let otherCells = 0;
  // A verdict over all trials may differ from that of a single one, either way.
  const effectiveStatus = (cell: CellResult) => findVerdict(cell) ?? cell.status;
  const leaveOut = (caseId: string) => {
    if (hasTrials) others.add(caseId);
    else otherCells++;
  };
  const dropUnknown = (): boolean => {
    for (let caseId = unknown.pop(); caseId !== undefined; caseId = unknown.pop()) {
      const cell = cells.get(caseId);
      if (cell === undefined || effectiveStatus(cell) !== "invalid") continue;
      cells.delete(caseId);
      leaveOut(caseId);
      return true;
    }
    return false;
  };
  return {
    cells,
    /** How many cases there are besides. */
    left: () => others.size + otherCells,
    add(cell: CellResult): void {
      const { caseId } = cell;
      const status = effectiveStatus(cell);
      if (status === "pass") return;
      const known = cells.get(caseId);
      if (known !== undefined) {
        if (rankEvidence(cell, findVerdict(cell)) > rankEvidence(known, findVerdict(known)))
          cells.set(caseId, cell);
      } else if (cells.size < maxCases || (status !== "invalid" && dropUnknown())) {
        others.delete(caseId);
        cells.set(caseId, cell);
        if (status === "invalid") unknown.push(caseId);
      } else leaveOut(caseId);
    },
  };
}

/** Ranks how well a cell explains why its case did not pass. */
function rankEvidence({ status }: CellResult, verdict: Verdict | undefined): number {
  if (status === verdict) return 3;
  return status === "pass" ? 0 : status === "invalid" ? 1 : 2;
}

/** Trials of a case are far apart in the plan, and its passes may come first, so the cells are read a second time. */
function countTrials(
  chosen: ReadonlyMap<string, CellResult>,
  cells: () => Iterable<CellResult>,
  trials: number,
): Map<string, Counts> {
  const counts = new Map([...chosen.keys()].map((caseId) => [caseId, noCounts()]));
  if (chosen.size === 0) return counts;
  for (const { caseId, status } of trials > 1 ? cells() : chosen.values()) {
    const counted = counts.get(caseId);
    if (counted === undefined) continue;
    counted[status]++;
    if (status !== "invalid") counted.total++;
  }
  return counts;
}

function noCounts(): Counts {
  return { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
}
