import { expect, test } from "vitest";
import type { AgentEvent } from "./agent-event.ts";
import { recount } from "./agent-recount.ts";

const executed = (turn: number, action: string, started: boolean, tool?: string) => ({
  turn,
  type: "action_executed",
  data: { call_id: `c${turn}`, action, tool, started, ok: started, result: {} },
});
const request = (turn: number, chars: number | null) => ({ turn, type: "model_request", data: { chars } });

test("a run is counted from its events, as budgets count", () => {
  const events = [
    { turn: 0, type: "run_started", data: {} },
    request(1, 100),
    executed(1, "select_skills", true),
    request(2, 900),
    request(2, 400),
    executed(2, "load_resource", true),
    executed(3, "load_resource", false),
    executed(4, "run_script", true),
    executed(5, "run_script", false),
    executed(6, "call_tool", true, "read_file"),
    executed(7, "call_tool", true, "fill_form"),
    executed(8, "call_tool", false, "fill_form"),
    executed(9, "call_tool", true, "foreign:TodoWrite"),
    executed(10, "final_answer", true),
  ] as AgentEvent[];
  expect(recount(events)).toEqual({
    turns: 10,
    tool_calls: 6,
    script_runs: 2,
    resource_loads: 1,
    model_calls: 3,
    context_chars: 900,
  });
});

test("turns that began under one number are as many as began", () => {
  const begun = Array.from({ length: 3 }, () => ({ turn: 1, type: "turn_started", data: {} }));
  expect(recount(begun as unknown as AgentEvent[]).turns).toBe(3);
});

test("of an imported run the size of no request is known", () => {
  expect(recount([request(1, null)] as AgentEvent[]).context_chars).toBeNull();
});
