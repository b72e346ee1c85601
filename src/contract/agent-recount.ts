import type { AgentEvent, EventData } from "./agent-event.ts";
import { foreignPrefix } from "./agent-tools.ts";
import { builtInTools } from "./built-in-tools.ts";
import type { AgentCounts } from "./limits.ts";

/** What a run has used, counted from its events alone: nobody believes what it says of itself. */
export interface RunRecount extends AgentCounts {
  /** The characters of the largest request; null where none is known. */
  context_chars: number | null;
}

/**
 * Counts as budgets do. A turn is a number above 0 that any event bears, or one that began, whatever its number. A tool
 * call is one that the tools runtime was handed, also when it then refused. Scripts, tools of skills and resources count
 * once an effect began.
 */
export function recount(events: readonly AgentEvent[]): RunRecount {
  const turns = new Set<number>();
  const counts = { tool_calls: 0, script_runs: 0, resource_loads: 0, model_calls: 0 };
  let begun = 0;
  let contextChars: number | null = null;
  for (const event of events) {
    if (event.turn > 0) turns.add(event.turn);
    if (event.type === "turn_started") begun++;
    if (event.type === "model_request") {
      counts.model_calls++;
      if (event.data.chars !== null) contextChars = Math.max(contextChars ?? 0, event.data.chars);
    }
    if (event.type !== "action_executed") continue;
    const { action, tool, started, part_of } = event.data;
    if (part_of === undefined && (action === "run_script" || action === "call_tool")) counts.tool_calls++;
    if (started && runsCode({ action, tool })) counts.script_runs++;
    if (started && action === "load_resource") counts.resource_loads++;
  }
  return { turns: Math.max(turns.size, begun), ...counts, context_chars: contextChars };
}

/** Whether a call is a script, a command, or a tool that a skill brings. */
export function runsCode({
  action,
  tool = "",
}: Pick<EventData<"action_executed">, "action" | "tool">): boolean {
  if (action === "run_script" || tool === "run_command") return true;
  return action === "call_tool" && tool !== "" && !builtIn.has(tool) && !tool.startsWith(foreignPrefix);
}

const builtIn: ReadonlySet<string> = new Set(builtInTools);
