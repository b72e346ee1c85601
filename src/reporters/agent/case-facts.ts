import { countOf } from "../../base/count-of.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import { grouped, usd } from "../format-numbers.ts";

/** What a run took and how it ended, in a few words each; nothing for a pure function. */
export function caseFacts({ level, stats, tallies, grader }: CaseReport): string[] {
  if (level === "L0") return [];
  const { turns, tool_calls, script_runs, resource_loads, model_calls } = stats;
  return [
    countOf(turns, "turn"),
    countOf(model_calls, "model call"),
    ...(tool_calls > 0 ? [countOf(tool_calls, "tool call")] : []),
    ...(script_runs > 0 ? [countOf(script_runs, "script")] : []),
    ...(resource_loads > 0 ? [countOf(resource_loads, "resource")] : []),
    ...(tallies.tokens > 0
      ? [`${grouped(tallies.input_tokens)} tokens in, ${grouped(tallies.output_tokens)} out`]
      : []),
    ...(tallies.cost_usd === null || tallies.cost_usd === 0 ? [] : [usd(tallies.cost_usd)]),
    ...(stats.stop_reason === null ? [] : [`stopped by ${stats.stop_reason}`]),
    ...(stats.degraded === true ? ["degraded answer"] : []),
    ...(stats.isolation === null ? [] : [`isolation ${stats.isolation}`]),
    ...(grader === "" ? [] : [`grader ${grader}`]),
  ];
}
