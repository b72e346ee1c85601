import { expect, test } from "vitest";
import { recordedRun } from "../../../test/recorded-run.ts";
import { RunEvent } from "../../contract/agent-details.ts";
import { runTimeline } from "./run-timeline.ts";

const reads = { action: { type: "call_tool", payload: { tool: "read_file", arguments: { path: "a.md" } } } };

test("a run is who did what and when, with the line of the log that shows it", () => {
  const run = recordedRun([
    [0, "run_started"],
    [0, "skills_indexed"],
    [1, "turn_started"],
    [1, "model_response"],
    [1, "action_planned"],
    [1, "action_validated", { ok: false, error: { code: "SkillNotFound", message: "no skill x" } }],
    [2, "action_planned", reads],
    [2, "action_executed", { action: "call_tool", tool: "read_file", result: { bytes: 5, sha256: "x" } }],
    [2, "observation_recorded", { call_id: "c9", summary: "one\ntwo" }],
    [0, "run_finished"],
  ]);
  const rows = runTimeline(run).map(({ atMs, line, label, text, tone = "" }) => [
    atMs,
    line,
    label,
    text,
    tone,
  ]);
  expect(rows).toEqual([
    [0, 1, "user", "请把表单填好 \\e[31m!", ""],
    [400, 5, "model", "selects pdf-form-filler (project)", ""],
    [500, 6, "validation", "refused: no skill x (SkillNotFound)", "bad"],
    [600, 7, "model", "reads a.md", ""],
    [700, 8, "tool read_file", "done · bytes 5", "good"],
    [800, 9, "result", "one\ntwo", ""],
    [900, 10, "answer", "## Done\n\n- filled in", ""],
    [900, 10, "end", "completed: final_answer", "good"],
  ]);
});

test("however long a run was, its timeline is short: the beginning, what was left out, and more of the end", () => {
  const planned = Array.from({ length: 500 }, (_, n) => [n + 1, "action_planned", reads] as const);
  const long = "a word and ".repeat(100);
  const run = recordedRun([[0, "run_started"], ...planned.map(([...one]) => one), [0, "run_finished"]], {
    final: long,
    problem: { code: "LogDamaged", message: "line 9 is damaged", line: 9 },
  });
  const events = runTimeline(run);
  expect(events).toHaveLength(60);
  expect(events[20]).toMatchObject({ text: "… 445 events left out", line: 0 });
  expect(events.at(-1)).toMatchObject({ label: "log", tone: "bad" });
  expect(events.at(-3)?.text).toMatch(/a word and …$/);
  for (const event of events) {
    expect(RunEvent.parse(event)).toEqual(event);
    expect(event.text.length).toBeLessThanOrEqual(200);
  }
});
