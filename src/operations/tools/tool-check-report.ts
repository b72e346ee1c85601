import type { Containment } from "../../contract/containment.ts";
import {
  type CheckedTool,
  type ToolCheckReport,
  type ToolCheckStatus,
  toolCheckStatuses,
  verdictOfTool,
} from "./tool-check.ts";

/** Adds up what was checked. */
export function toolCheckReport(tools: readonly CheckedTool[], containment: Containment): ToolCheckReport {
  const all = tools.flatMap(({ checks }) => checks);
  const checks = Object.fromEntries(
    toolCheckStatuses.map((status) => [status, all.filter((check) => check.status === status).length]),
  ) as Record<ToolCheckStatus, number>;
  const verdicts = tools.map(verdictOfTool);
  const count = (verdict: (typeof verdicts)[number]) => verdicts.filter((one) => one === verdict).length;
  const [passed, failed, noVerdict] = [count("pass"), count("fail"), count("invalid")];
  return {
    tools,
    counts: { tools: { total: tools.length, passed, failed, noVerdict }, checks },
    containment,
    exitCode: failed > 0 ? 1 : noVerdict > 0 ? 3 : 0,
  };
}
