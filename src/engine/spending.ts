import type { Cell, Subject } from "../contract/cell.ts";
import type { GateReport } from "../contract/document.ts";
import { isMet } from "../contract/gate-met.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Outcome, Usage } from "../contract/outcome.ts";
import type { CellResult } from "../contract/result.ts";
import type { Budget } from "../models/budget.ts";
import { usdFor } from "../models/cost.ts";

/** What a run may cost, and what it did cost: calls of our models as they are made, and what skills say that they used. */
export interface Spending {
  /** The outcome of a cell that is not begun because the money is spent. */
  refusal(): Outcome | null;
  /** Counts what a skill says that a call used. */
  addOutcome(suite: SuiteRun, cell: Cell, outcome: Outcome): void;
  /** Counts what a cell cost in an earlier session of the run. */
  addStored(suite: SuiteRun, result: CellResult): void;
}

/** Watches a budget that the models of the run share. */
export function watchSpending(budget: Budget | null): Spending {
  return {
    refusal() {
      if (budget === null || !budget.isReached) return null;
      const message = `--max-cost ${budget.maxUsd} was reached before this ran`;
      return { status: "invalid", cause: "budget", message, latencyMs: 0 };
    },
    addOutcome(suite, { subject }, { usage }) {
      if (suite.reportsUsage === true) add(usage, suite.pricingOf?.(subject));
    },
    addStored(suite, { usage, judge, ...named }) {
      const subject = suite.subjects.find((one) => isSame(one, named));
      if (suite.replaysModels !== true) add(usage, subject && suite.pricingOf?.(subject));
      add(judge?.usage, undefined);
    },
  };

  function add(usage: Usage | null | undefined, price: Parameters<typeof usdFor>[2] | undefined): void {
    if (budget === null || usage == null) return;
    budget.spend(costOf(usage, price));
  }
}

type Named = Pick<Subject, "skillId" | "model" | "arm">;

function isSame(one: Named, other: Named): boolean {
  return one.skillId === other.skillId && one.model === other.model && one.arm === other.arm;
}

/** Null where tokens were used and nobody says what they cost. */
function costOf(
  { costUsd, promptTokens, completionTokens, totalTokens }: Usage,
  price: Parameters<typeof usdFor>[2] | undefined,
): number | null {
  if (costUsd !== null) return costUsd;
  if (price !== undefined && promptTokens !== null && completionTokens !== null)
    return usdFor(promptTokens, completionTokens, price);
  return [promptTokens, completionTokens, totalTokens].every((tokens) => (tokens ?? 0) === 0) ? 0 : null;
}

/** The gate on what the whole run cost; a call of unknown cost leaves it undecided. */
export function costGate(
  { maxUsd, spentUsd, unknownCalls }: Budget,
  level: string,
  enforced: boolean,
): GateReport {
  const value = unknownCalls > 0 ? null : Number(spentUsd.toFixed(9));
  const limit = { on: "point", op: "<=", threshold: maxUsd } as const;
  const passed = enforced ? isMet({ ...limit, value }) : null;
  return { subject: null, level, metric: "runCostUsd", ...limit, value, passed, enforced };
}
