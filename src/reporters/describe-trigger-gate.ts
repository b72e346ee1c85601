import { countOf } from "../base/count-of.ts";
import { listed } from "../base/listed.ts";
import type { TriggerGateResult } from "../contract/trigger-report.ts";
import { fraction } from "./format-numbers.ts";

const gatedFigures = ["recall", "precision", "mcc"] as const;
type GatedFigure = (typeof gatedFigures)[number];
const namedAtMost = 10;

/** What came of a gate on the figures of one skill: `failed, recall 0.8 is below 0.9`; null where nothing was asked. */
export function describeSkillGate(gate: TriggerGateResult | null | undefined): string | null {
  if (gate == null) return null;
  const asked = askedOf(gate).join(", ");
  if (gate.passed) return asked === "" ? null : `passed, ${asked}`;
  const { reasons = [] } = gate;
  const why = reasons.length > 0 ? reasons.join(", ") : `${asked} was asked for`;
  return `${gate.below.length > 0 ? "failed" : "inconclusive"}, ${why}`;
}

/** What came of the gates of a whole run, in one sentence; null where nothing was asked. */
export function describeTriggerGate(gate: TriggerGateResult): string | null {
  const { passed, below, inconclusive } = gate;
  const asked = askedOf(gate);
  if (asked.length === 0 && below.length === 0 && inconclusive.length === 0) return null;
  const line = asked.length > 0 ? asked.join(", ") : "what each skill asks for";
  if (passed) return `Gate passed: ${line} for every skill.`;
  const faults = [
    below.length > 0 ? `${countOf(below.length, "skill")} below: ${listed(below, namedAtMost)}` : "",
    inconclusive.length > 0 ? `no verdict on: ${listed(inconclusive, namedAtMost)}` : "",
  ].filter((fault) => fault !== "");
  const verdict = below.length > 0 ? "failed" : "inconclusive";
  return `Gate ${verdict}: ${line}${faults.length > 0 ? `; ${faults.join("; ")}` : ""}.`;
}

function askedOf(gate: TriggerGateResult): string[] {
  return gatedFigures.flatMap((figure) => {
    const least = gate[figure];
    return least === undefined ? [] : [`${nameOf(figure, gate)} ≥ ${fraction(least)}`];
  });
}

function nameOf(figure: GatedFigure, { on }: TriggerGateResult): string {
  const name = figure === "mcc" ? "MCC" : figure;
  return on === "lower" ? `lower bound of ${name}` : name;
}
