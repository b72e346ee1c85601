import { type Subject, subjectName } from "../../contract/cell.ts";
import type { GateReport } from "../../contract/document.ts";
import { isMet } from "../../contract/gate-met.ts";
import type { Level } from "../../contract/level.ts";
import type { Unit } from "../../contract/view.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { showValue } from "./show-value.ts";

const listedNames = 5;

/** Figures of whole runs, which no level has. */
const runMetrics: Readonly<Record<string, { label: string; unit: Unit }>> = {
  runCostUsd: { label: "cost of the run", unit: "usd" },
};

/** Gates in words, those on the same figure together. */
export function gateWords(gates: readonly GateReport[], levels: readonly Level[]): string[] {
  const groups = groupedBy(gates, (gate) => {
    const { level, metric, on, op, threshold, subject, familyWise } = gate;
    const rule = [level, metric, on, op, threshold, familyWise?.verdicts];
    return JSON.stringify([...rule, gateSide(gate), subject === null]);
  });
  return [...groups.values()].map((group) => groupWords(group, levels));
}

/** On which side of the threshold a gate is, enforced or not. */
export function gateSide(gate: GateReport): boolean | null {
  return gate.enforced ? gate.passed : isMet(gate);
}

function groupWords(group: readonly GateReport[], levels: readonly Level[]): string {
  const [first] = group;
  if (first === undefined) return "";
  const { metric, on, op, threshold, subject, familyWise } = first;
  const passed = gateSide(first);
  const level = levels.find(({ name }) => name === first.level);
  const known = runMetrics[metric] ?? level?.metrics.find(({ name }) => name === metric);
  const unit = known?.unit ?? (Number.isInteger(threshold) ? "count" : "score");
  const label = metricLabel(metric, level);
  const corrected = familyWise === undefined ? "" : `, corrected for ${familyWise.verdicts}`;
  const figure = on === "point" ? label : `${label} (${on} bound${corrected})`;
  const limit = unit === "share" ? percent(threshold) : showValue(threshold, unit);
  const bound =
    op === "<="
      ? `the limit of ${limit}`
      : unit === "count"
        ? `the minimum of ${limit}`
        : `the ${limit} threshold`;
  if (passed === null && subject === null) return `${figure}: unknown, ${bound} cannot be checked`;
  const [inside, outside] = op === ">=" ? ["at or above", "below"] : ["within", "above"];
  // A corrected gate may fail with its bound on the right side of the line: among so many, that can be luck.
  const side = passed ? inside : familyWise === undefined ? outside : `not surely ${inside}`;
  if (subject === null) return `${figure}: ${showBeside(first.value, threshold, unit)}, ${side} ${bound}`;
  const names = group.flatMap((gate) => {
    if (gate.subject === null) return [];
    const value = gate.value === null ? "" : ` (${gateValue(gate, unit)})`;
    return [`${shownName(gate.subject, level)}${value}`];
  });
  const count = pluralize(group.length, level?.nouns.subject ?? "subject");
  const list = listed(names, listedNames);
  return passed === null
    ? `${figure}: unknown for ${count}, ${bound} cannot be checked: ${list}`
    : `${figure}: ${count} ${side} ${bound}: ${list}`;
}

/** What decided: the figure, or the chance that it is luck. */
function gateValue({ value, threshold, familyWise }: GateReport, unit: Unit): string {
  const shown = showBeside(value, threshold, unit);
  return familyWise === undefined ? shown : `${shown}, p = ${Number(familyWise.p.toPrecision(2))}`;
}

/** What a subject is called for people. */
export function shownName(
  subject: Pick<Subject, "skillId" | "model" | "arm">,
  level: Level | undefined,
): string {
  return level?.view?.subjectName?.(subject) ?? subjectName(subject);
}

/** What a figure is called: by its level, else its name as words. */
export function metricLabel(metric: string, level: Level | undefined): string {
  const label = runMetrics[metric]?.label ?? level?.metrics.find(({ name }) => name === metric)?.label;
  return label ?? metric.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A figure as exact as it takes to tell it from its threshold: `89.999%` where rounding would say `90.0%`. */
function showBeside(value: number | null, threshold: number, unit: Unit): string {
  const shown = showValue(value, unit);
  if (
    value === null ||
    value === threshold ||
    Number.parseFloat(shown) !== Number.parseFloat(showValue(threshold, unit))
  )
    return shown;
  return unit === "share" ? `${Number((value * 100).toPrecision(12))}%` : String(value);
}

/** A threshold in words, as exact as it was typed. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
