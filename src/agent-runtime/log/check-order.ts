import type { AgentEvent } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";

/** Whether a run begins and ends in its log, once each, and nothing happens before or after. */
export function checkOrder(events: readonly AgentEvent[]): RecordedRun["problem"] {
  const [first] = events;
  if (first === undefined) return { code: "RunIncomplete", message: "nothing was recorded", line: null };
  if (first.type !== "run_started") return damaged("run_started must come first", first.seq);
  const second = events.find(({ type }, at) => at > 0 && type === "run_started");
  if (second !== undefined) return damaged("duplicate run_started", second.seq);
  const end = events.findIndex(({ type }) => type === "run_finished");
  if (end === -1)
    return { code: "RunIncomplete", message: "the run did not end: run_finished is missing", line: null };
  const after = events[end + 1];
  return after === undefined ? null : damaged(`${after.type} comes after run_finished`, after.seq);
}

function damaged(message: string, line: number): RecordedRun["problem"] {
  return { code: "LogDamaged", message: `line ${line}: ${message}`, line };
}
