import type {
  AgentMetrics,
  AgentResult,
  CaseSummary,
  ConversationRates,
} from "../../contract/agent-report.ts";
import type { MetricValue } from "../../contract/level.ts";
import { rateFigure } from "../../engine/figures/rate-figure.ts";
import { agentMetrics, shareOver } from "./agent-metrics.ts";
import { type CaseRow, emptyRow, type PlannedCase } from "./case-row.ts";
import { conversationTally } from "./conversation-rates.ts";

/** What the figures need of a cell. */
type TriedCell = Pick<
  AgentResult,
  | "suite"
  | "case_id"
  | "model"
  | "status"
  | "condition"
  | "tallies"
  | "latency_ms"
  | "scores"
  | "conversation"
  | "protocol_after_correction"
>;

/** The results of the cells of a run. */
export interface AgentSummary {
  /** Of runs with skills. */
  totals: { cells: number; pass: number; fail: number; invalid: number };
  pass_rate: MetricValue;
  /** How well skills were selected, whoever decided. 0/0 is null. */
  selection: { precision: number | null; recall: number | null };
  /** Null where no real model was run. */
  metrics: AgentMetrics | null;
  cases: CaseSummary[];
  /** Null where there was no conversation. */
  conversations: ConversationRates | null;
}

export interface AgentFold {
  add(result: TriedCell): void;
  /** Takes a case out that counts nowhere. */
  leaveOut(planned: Pick<PlannedCase, "suite" | "case_id" | "model">): void;
  summary(): AgentSummary;
}

/** Folds results into the figures of a run. They may come in any order; the figures are the same. */
export function agentFold({ cases, seed }: { cases: readonly PlannedCase[]; seed: number }): AgentFold {
  const rows = new Map(cases.map((planned) => [rowKey(planned), emptyRow(planned)]));
  const conversations = conversationTally();
  return {
    add(result) {
      rows.get(rowKey(result))?.add(result);
      conversations.add(result);
    },
    leaveOut: (planned) => void rows.delete(rowKey(planned)),
    summary() {
      const all = [...rows.values()];
      const real = all.filter(({ planned }) => planned.level === "L2");
      return {
        totals: sumTotals(all),
        pass_rate: caseRate(all),
        selection: {
          precision: shareOver(all, "selected_expected", "selected"),
          recall: shareOver(all, "hits", "required"),
        },
        metrics: real.length === 0 ? null : agentMetrics(real, seed),
        cases: all.map((row) => row.summary()),
        conversations: conversations.rates(),
      };
    },
  };
}

function sumTotals(rows: readonly CaseRow[]): AgentSummary["totals"] {
  const totals = { cells: 0, pass: 0, fail: 0, invalid: 0 };
  for (const { counts } of rows) {
    totals.pass += counts.pass;
    totals.fail += counts.fail;
    totals.invalid += counts.invalid;
  }
  totals.cells = totals.pass + totals.fail + totals.invalid;
  return totals;
}

function rowKey({ suite, case_id, model }: Pick<PlannedCase, "suite" | "case_id" | "model">): string {
  return JSON.stringify([suite, case_id, model]);
}

/** How many of the cells with a verdict passed. */
function caseRate(rows: readonly CaseRow[]): MetricValue {
  return rateFigure({
    passed: rows.map(({ counts }) => counts.pass),
    trials: rows.map(({ counts }) => counts.pass + counts.fail),
  });
}
