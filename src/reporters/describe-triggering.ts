import type { Report } from "../contract/report.ts";

/** Why a run failed though its gate did not, in plain text; null where no triggering pass was asked for. */
export function describeTriggering({ gate, exitCode }: Pick<Report, "gate" | "exitCode">): string | null {
  const isGateFailed = gate.enforced && !gate.passed;
  return exitCode === 1 && !isGateFailed
    ? "The triggering pass was skipped, which --require-triggering forbids."
    : null;
}
