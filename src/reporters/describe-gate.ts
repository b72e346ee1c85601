import type { GateResult } from "../contract/report.ts";
import { countOf, percent } from "./format-numbers.ts";

const namedAtMost = 10;

/** The verdict of the gate in one sentence of plain text. */
export function describeGate({ minCompletion, on, passed, below }: GateResult): string {
  const bound = on === "lower" ? "the lower bound of completion" : "completion";
  const line = `${bound} ≥ ${percent(minCompletion)}`;
  if (passed) return `Gate passed: ${line} for every skill.`;
  if (below.length === 0) return `Gate failed: ${line} was asked for.`;
  const rest = below.length - namedAtMost;
  const names = below.slice(0, namedAtMost).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `Gate failed: ${line} was asked for, ${countOf(below.length, "skill")} below: ${names}.`;
}
