import { type Cell, subjectName } from "../../contract/cell.ts";
import type { SuiteRun } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import type { ChosenRun } from "../../engine/earlier-results.ts";
import { isInside } from "../../shared/files/paths.ts";

/** A case of a subject, by which it is found again in the next run. */
export function caseName(one: Pick<CellResult, "level" | "suite" | "skillId" | "model" | "arm" | "caseId">) {
  return JSON.stringify([one.level, one.suite, subjectName(one), one.caseId]);
}

interface KnownRun {
  runId: string;
  /** Skills, suites and benches that rest on something outside of them that changed since it began. */
  outdated: Set<string>;
  /** Cases that somebody wants to run again. */
  redone: Set<string>;
}

/**
 * The runs of a watched project whose verdicts still hold. What changed of a skill or a test is in the keys of its cells;
 * what else makes a verdict worthless is noted here.
 */
export class KnownVerdicts {
  #runs: KnownRun[] = [];
  readonly #all = new Set<string>();

  began(runId: string): void {
    this.#all.add(runId);
    this.#runs.unshift({ runId, outdated: new Set(), redone: new Set() });
  }

  /** These rest on something that changed. */
  outdate(paths: readonly string[]): void {
    for (const { outdated } of this.#runs) for (const path of paths) outdated.add(path);
  }

  /** These cases run again, whatever is known of them. */
  redo(cases: Iterable<string>): void {
    const names = [...cases];
    for (const { redone } of this.#runs) for (const name of names) redone.add(name);
  }

  /** A run came to its end. `isWhole`: nothing was left out of it. Returns the runs whose place it takes. */
  ended(runId: string, isWhole: boolean): string[] {
    if (!isWhole) return [];
    this.#runs = this.#runs.filter((one) => one.runId === runId);
    const replaced = [...this.#all].filter((one) => one !== runId);
    for (const one of replaced) this.#all.delete(one);
    return replaced;
  }

  /** Where the next run finds verdicts, the newest first. */
  get chosen(): ChosenRun[] {
    return this.#runs.map(({ runId, outdated, redone }) => ({
      runId,
      accepts: (cell, suite) => !redone.has(nameOfCell(cell)) && !restsOn(outdated, cell, suite),
    }));
  }
}

function nameOfCell({ level, suiteId, subject, case: { id } }: Cell): string {
  return caseName({ ...subject, level, suite: suiteId, caseId: id });
}

function restsOn(paths: ReadonlySet<string>, cell: Cell, suite: SuiteRun): boolean {
  const file = paths.size === 0 ? undefined : suite.fileOf?.(cell.subject, cell.case.id);
  return file !== undefined && [...paths].some((path) => isInside(path, file));
}
