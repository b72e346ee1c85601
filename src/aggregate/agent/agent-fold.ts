import type {
  AgentGate,
  AgentMetrics,
  AgentReport,
  AgentResult,
  CaseSummary,
  ConversationRates,
  GateResult,
} from "../../contract/agent-report.ts";
import { agentMetrics } from "./agent-metrics.ts";
import { caseRate } from "./case-rate.ts";
import { type CaseRow, type PlannedCase, rowOf } from "./case-row.ts";
import { conversationTally } from "./conversation-rates.ts";

/** What the cells of a run came to. */
export interface AgentSummary {
  /** Of runs with skills. */
  totals: Pick<AgentReport["totals"], "cells" | "pass" | "fail" | "invalid">;
  pass_rate: AgentReport["pass_rate"];
  /** Null where no real model was asked. */
  metrics: AgentMetrics | null;
  gates: GateResult[];
  cases: CaseSummary[];
  /** Null where there was no conversation. */
  conversations: ConversationRates | null;
  /** Cells of the baseline without a verdict: they are in no total, and nobody may take them for one. */
  unknown_baseline: number;
}

export interface AgentFold {
  add(result: AgentResult): void;
  summary(asked: { gates: Partial<Record<AgentGate, number>>; gateOn: "point" | "lower" }): AgentSummary;
}

/** Folds results into the figures of a run. They may come in any order; the figures are the same. */
export function agentFold({ cases, seed }: { cases: readonly PlannedCase[]; seed: number }): AgentFold {
  const rows = new Map(cases.map((planned) => [nameOf(planned), rowOf(planned)]));
  const conversations = conversationTally();
  return {
    add(result) {
      rows.get(nameOf(result))?.add(result);
      conversations.add(result);
    },
    summary({ gates, gateOn }) {
      const all = [...rows.values()];
      const real = all.filter(({ planned }) => planned.level === "L2");
      const rate = caseRate(all, seed);
      const metrics = real.length === 0 ? null : agentMetrics(real, seed);
      const figures: Record<AgentGate, Figure> = {
        min_pass_rate: { value: rate.value, lower: rate.interval?.lower ?? null },
        min_trigger_precision: figureOf(metrics?.trigger_precision),
        min_trigger_recall: figureOf(metrics?.trigger_recall),
        min_final_json: figureOf(metrics?.final_json),
      };
      return {
        totals: totalsOf(all),
        pass_rate: rate,
        metrics,
        gates: Object.entries(gates).map(([gate, asked]) =>
          gateResult(gate as AgentGate, asked, figures[gate as AgentGate], gateOn),
        ),
        cases: all.map((row) => row.summary()),
        conversations: conversations.rates(seed),
        unknown_baseline: all.reduce((sum, row) => sum + row.baseline.invalid, 0),
      };
    },
  };
}

interface Figure {
  value: number | null;
  lower: number | null;
}

function figureOf(metric: { value: number | null; interval: { lower: number } | null } | undefined): Figure {
  return { value: metric?.value ?? null, lower: metric?.interval?.lower ?? null };
}

/** A figure that does not exist is neither above nor below a line. */
function gateResult(gate: AgentGate, asked: number, figure: Figure, on: "point" | "lower"): GateResult {
  const actual = on === "point" ? figure.value : figure.lower;
  return { gate, on, asked, actual, passed: actual === null ? null : actual >= asked };
}

function totalsOf(rows: readonly CaseRow[]): AgentSummary["totals"] {
  const totals = { cells: 0, pass: 0, fail: 0, invalid: 0 };
  for (const { counts } of rows) {
    totals.pass += counts.pass;
    totals.fail += counts.fail;
    totals.invalid += counts.invalid;
  }
  totals.cells = totals.pass + totals.fail + totals.invalid;
  return totals;
}

function nameOf({ suite, case_id, model }: Pick<PlannedCase, "suite" | "case_id" | "model">): string {
  return JSON.stringify([suite, case_id, model]);
}
