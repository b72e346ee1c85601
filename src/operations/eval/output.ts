import type { GateRule } from "../../engine/gates.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { hasForbiddenSkip, triggerGates } from "../../levels/trigger/gates.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import type { OutputOptions } from "./request.ts";

/** What `eval` and `run` ask of a run: every skill has to reach the line. */
export function evalOutput(
  output: OutputOptions,
  changes: Partial<RunOutput> = {},
): OutputOptions & RunOutput {
  const { minCompletion, gateOn, exitOnFail } = output;
  const completion: GateRule = {
    level: unitLevel.name,
    metric: "completionRate",
    on: gateOn,
    op: ">=",
    threshold: minCompletion,
    enforced: exitOnFail,
    scope: "subject",
  };
  return {
    ...output,
    command: "eval",
    reportName: "eval-result",
    gates: (suites) => [completion, ...triggerGates(suites, { lines: {}, on: gateOn, enforced: exitOnFail })],
    isMissing: (skipped, suites) =>
      output.requireTriggering &&
      (hasForbiddenSkip(skipped) ||
        (skipped.length === 0 && suites.every(({ level }) => level === unitLevel))),
    ...changes,
  };
}
