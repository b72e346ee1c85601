import type { DimensionScore } from "../src/contract/agent-report.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { statusWords } from "../src/reporters/agent/dimension-words.ts";
import { StatusMark } from "./status-mark.tsx";

type Status = DimensionScore["status"];

const marks: Readonly<Record<Status, Verdict | "absent">> = {
  pass: "pass",
  fail: "fail",
  not_observed: "invalid",
  not_applicable: "absent",
};

/** How a cell did in one dimension: a shape to see, and a word to hear. */
export function DimensionMark({ status, size = 15 }: { status: Status; size?: number }) {
  return (
    <span class={`dimension dimension-${status}`} title={statusWords[status]}>
      <StatusMark status={marks[status]} size={size} />
      <span class="unseen">{statusWords[status]}</span>
    </span>
  );
}

const told: readonly Status[] = ["pass", "fail", "not_observed", "not_applicable"];

/** What the shapes mean. */
export function DimensionLegend() {
  return (
    <p class="legend">
      {told.map((status) => (
        <span key={status}>
          <StatusMark status={marks[status]} size={13} /> {statusWords[status]}
        </span>
      ))}
    </p>
  );
}
