import { expect, test } from "vitest";
import { recordedRun } from "../../../test/recorded-run.ts";
import { RunEvent } from "../../contract/agent-details.ts";
import { leftOutWords } from "./fit-events.ts";
import { runTimeline } from "./run-timeline.ts";

const reads = { action: { type: "call_tool", payload: { tool: "read_file", arguments: { path: "a.md" } } } };

test("a run is who did what and when, from the request to the answer, with the line of the log that shows it", () => {
  const run = recordedRun([
    [0, "run_started"],
    [0, "skills_indexed"],
    [1, "turn_started", { near_limit: ["max_turns"] }],
    [1, "model_request", { attempt: 2 }],
    [1, "model_response", { usage: null }],
    [1, "plan_created"],
    [1, "action_planned"],
    [1, "action_validated", { ok: false, error: { code: "SkillNotFound", message: "no skill x" } }],
    [2, "action_planned", reads],
    [2, "action_executed", { action: "call_tool", tool: "read_file", result: { bytes: 5, sha256: "x" } }],
    [2, "observation_recorded", { call_id: "c9", summary: "one\ntwo" }],
    [0, "run_finished"],
  ]);
  const rows = runTimeline(run).map(({ line, label, text, tone = "", quote }) => [
    ...[line, label, text, tone],
    ...(quote === undefined ? [] : [quote]),
  ]);
  expect(rows).toMatchInlineSnapshot(`
    [
      [
        1,
        "user",
        "请把表单填好 \\e[31m!",
        "",
      ],
      [
        1,
        "setup",
        "model: mock, streamed",
        "",
        "limits: 8 turns, 15 tool calls, 6 scripts, 24 model calls, 400,000 characters per request, 2 m 00 s
    isolation: strict by bubblewrap, network none
    tools: read_file, list_dir, grep, run_script; denied: network_request",
      ],
      [
        2,
        "setup",
        "skills: pdf-form-filler (project)",
        "",
      ],
      [
        3,
        "turn 1",
        "prompt, attempt 2: 5,120 characters",
        "muted",
      ],
      [
        3,
        "limit",
        "close to a limit: turns (7 left)",
        "warn",
      ],
      [
        6,
        "plan",
        "fill the form · 1 step",
        "",
        "○ fill it",
      ],
      [
        7,
        "model",
        "selects pdf-form-filler (project)",
        "",
      ],
      [
        8,
        "validation",
        "refused: no skill x (SkillNotFound)",
        "bad",
      ],
      [
        9,
        "model",
        "reads a.md",
        "",
      ],
      [
        10,
        "tool read_file",
        "done · bytes 5",
        "good",
      ],
      [
        11,
        "result",
        "",
        "",
        "one
    two",
      ],
      [
        12,
        "answer",
        "",
        "",
        "## Done

    - filled in",
      ],
      [
        12,
        "end",
        "completed: final_answer",
        "good",
        "2 turns · 1 model call · 1 tool call · 0 scripts · 0 resources · at most 5,120 characters per request
    3,600 tokens in · 120 out · $0.006",
      ],
    ]
  `);
});

const long = "a word and ".repeat(3000);

test("however much happened in a run, its transcript is bounded, and says what is left out", () => {
  const wrote = {
    action: {
      type: "call_tool",
      payload: { tool: "write_file", arguments: { path: "a.md", content: long } },
    },
  };
  const planned = Array.from({ length: 500 }, (_, n) => [n + 1, "action_planned", wrote] as const);
  const run = recordedRun([[0, "run_started"], ...planned.map(([...one]) => one), [0, "run_finished"]], {
    final: long,
    problem: { code: "LogDamaged", message: "line 9 is damaged", line: 9 },
  });
  const events = runTimeline(run);
  expect(events).toHaveLength(150);
  expect(events[50]).toMatchObject({ text: "356 events left out", line: 0 });
  expect(events.at(-1)).toMatchObject({ label: "log", tone: "bad" });
  for (const event of events) expect(RunEvent.parse(event)).toEqual(event);
  const size = events.reduce((sum, { text, quote = "" }) => sum + text.length + quote.length, 0);
  expect(size).toBeLessThanOrEqual(24_000);
  expect(leftOutWords(events)).toMatch(/^356 events and 4,\d{3},\d{3} characters of 146 texts$/);
});

test("short texts leave their room to long ones", () => {
  const run = recordedRun(
    [
      [1, "observation_recorded", { call_id: "c1", summary: "one\ntwo" }],
      [2, "observation_recorded", { call_id: "c2", summary: long }],
      [0, "run_finished"],
    ],
    { final: "yes\nno" },
  );
  const [short, cut, answer] = runTimeline(run);
  expect(short).toMatchObject({ quote: "one\ntwo" });
  expect(answer).toMatchObject({ label: "answer", quote: "yes\nno" });
  expect(cut?.quote?.length).toBeGreaterThan(23_500);
  expect((cut?.cut ?? 0) + (cut?.quote?.length ?? 0)).toBe(long.trim().length);
});
