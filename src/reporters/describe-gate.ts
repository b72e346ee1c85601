import type { Report } from "../contract/report.ts";
import { countOf, percent } from "./format-numbers.ts";

const namedAtMost = 10;

/** The verdict of the gate in one sentence of plain text. That of `run` asks for a skill to choose, not for all to be good. */
export function describeGate({ command, gate }: Pick<Report, "command" | "gate">): string {
  const { minCompletion, on, passed, below } = gate;
  if (command === "run")
    return passed ? "Gate passed: a skill was selected." : "Gate failed: no skill was selected.";
  const bound = on === "lower" ? "the lower bound of completion" : "completion";
  const line = `${bound} ≥ ${percent(minCompletion)}`;
  if (passed) return `Gate passed: ${line} for every skill.`;
  if (below.length === 0) return `Gate failed: ${line} was asked for.`;
  const rest = below.length - namedAtMost;
  const names = below.slice(0, namedAtMost).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `Gate failed: ${line} was asked for, ${countOf(below.length, "skill")} below: ${names}.`;
}
