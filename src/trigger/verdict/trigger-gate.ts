import type { TriggerGateResult, TriggerMetrics, TriggerResult } from "../../contract/trigger-report.ts";
import type { TriggerGate } from "../../contract/triggering.ts";

/** What is asked of the figures of a skill, and which of them is held against it. */
export interface GateRule {
  lines: TriggerGate;
  on: TriggerGateResult["on"];
}

/** Figures over a smaller share of the queries say too little to gate on. */
export const minGateCoverage = 0.9;

/** What can be asked of a skill. */
export const gatedFigures = ["recall", "precision", "mcc"] as const;

/** The lines of a skill's own file, each replaced by the flag of its name where there is one. */
export function mergeGates(written: TriggerGate, flags: TriggerGate): TriggerGate {
  const lines: TriggerGate = {};
  for (const figure of gatedFigures) {
    const line = flags[figure] ?? written[figure];
    if (line !== undefined) lines[figure] = line;
  }
  return lines;
}

/** Holds the figures of one skill against its lines; null where nothing was asked. */
export function gateSkill(
  skillId: string,
  metrics: TriggerMetrics,
  { lines, on }: GateRule,
): TriggerGateResult | null {
  const asked = gatedFigures.flatMap((figure) => {
    const line = lines[figure];
    return line === undefined ? [] : [{ figure, line, value: figureOf(metrics, figure, on) }];
  });
  if (asked.length === 0) return null;
  const { coverage } = metrics;
  const isCovered = coverage !== null && coverage >= minGateCoverage;
  const unknown = isCovered
    ? asked.flatMap(({ figure, value }) => (value === null ? [`${wordFor(figure)} is undefined`] : []))
    : [`coverage ${shown(coverage, minGateCoverage)} is below ${minGateCoverage}`];
  const missed = isCovered
    ? asked.flatMap(({ figure, line, value }) =>
        value !== null && value < line
          ? [`${wordFor(figure, on)} ${shown(value, line)} is below ${line}`]
          : [],
      )
    : [];
  return {
    ...lines,
    on,
    passed: unknown.length === 0 && missed.length === 0,
    below: missed.length === 0 ? [] : [skillId],
    inconclusive: unknown.length === 0 ? [] : [skillId],
    reasons: [...missed, ...unknown],
  };
}

/** The gates of all skills as one. A line is named where every gated skill has the same. */
export function applyTriggerGate(
  results: readonly Pick<TriggerResult, "gate">[],
  { lines, on }: GateRule,
): TriggerGateResult {
  const gates = results.flatMap(({ gate }) => (gate === null ? [] : [gate]));
  return {
    ...(gates.length === 0 ? lines : commonLines(gates)),
    on,
    passed: gates.every(({ passed }) => passed),
    below: gates.flatMap(({ below }) => below),
    inconclusive: gates.flatMap(({ inconclusive }) => inconclusive),
  };
}

function commonLines(gates: readonly TriggerGate[]): TriggerGate {
  const lines: TriggerGate = {};
  for (const figure of gatedFigures) {
    const line = gates[0]?.[figure];
    if (line !== undefined && gates.every((gate) => gate[figure] === line)) lines[figure] = line;
  }
  return lines;
}

function figureOf(metrics: TriggerMetrics, figure: (typeof gatedFigures)[number], on: GateRule["on"]) {
  switch (on) {
    case "point":
      return metrics[figure];
    case "lower":
      return metrics.intervals[figure]?.lower ?? null;
    default:
      return on satisfies never;
  }
}

function wordFor(figure: (typeof gatedFigures)[number], on: GateRule["on"] = "point"): string {
  const word = figure === "mcc" ? "MCC" : figure;
  return on === "lower" ? `the lower bound of ${word}` : word;
}

/** Four decimals, unless rounding would lift it to the line. */
function shown(value: number | null, line: number): string {
  if (value === null) return "undefined";
  const short = Number(value.toFixed(4));
  return String(short < line ? short : value);
}
