import { countOf } from "../base/count-of.ts";
import { listed } from "../base/listed.ts";
import type { Report } from "../contract/report.ts";
import { percent } from "./format-numbers.ts";

const namedAtMost = 10;

type Gated = Pick<Report, "command" | "gate" | "reports">;

/** The verdict of the gate in one sentence of plain text. */
export function describeGate(report: Gated): string {
  return `Gate ${report.gate.passed ? "passed" : "failed"}: ${gateReason(report)}.`;
}

/** What the gate asks of `run` is a skill to choose; of `eval`, that no skill is below the line. */
export function gateReason({ command, gate, reports }: Gated): string {
  const { minCompletion, on, passed, below } = gate;
  if (command === "run") {
    const selected = reports.filter((report) => report.selected).length;
    if (selected === 0) return `${passed ? "a" : "no"} skill was selected`;
    return `${selected} of ${countOf(reports.length, "skill")} ${selected === 1 ? "was" : "were"} selected`;
  }
  const bound = on === "lower" ? "the lower bound of completion" : "completion";
  const line = `${bound} ≥ ${percent(minCompletion)}`;
  if (passed) return `${line} for every skill`;
  if (below.length === 0) return `${line} was asked for`;
  return `${line} was asked for, ${countOf(below.length, "skill")} below: ${listed(below, namedAtMost)}`;
}
