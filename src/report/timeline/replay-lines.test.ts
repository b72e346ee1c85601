import { describe, expect, test } from "vitest";
import { sampleData } from "../../../test/builders/sample-run-log.ts";
import { recordedRun } from "../../../test/recorded-run.ts";
import { type AgentEvent, type EventData, type EventType, eventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { textWidth } from "../text/text-width.ts";
import { replayParts } from "./replay-lines.ts";

function text(run: RecordedRun, width: number | null = 80): string {
  return [...replayParts(run, { color: false, width })].flatMap(({ lines }) => lines).join("\n");
}

function words(type: EventType, data: object = {}): string {
  return text(recordedRun([[1, type, data]]), null).trim();
}

test("a run is shown turn by turn", () => {
  const run = recordedRun([
    [0, "run_started"],
    [0, "skills_indexed"],
    [1, "turn_started"],
    [1, "model_request"],
    [1, "model_response"],
    [1, "action_planned"],
    [1, "action_validated"],
    [1, "skill_loaded"],
    [1, "action_executed"],
    [1, "observation_recorded"],
    [1, "turn_finished"],
    [2, "turn_started", { near_limit: ["max_turns"], remaining: { max_turns: 1 } }],
    [2, "action_planned", { action: { type: "final_answer", payload: { content: "…" } } }],
    [0, "run_finished"],
  ]);
  expect(text(run)).toMatchInlineSnapshot(`
    "── Run 20260203_123456_abcd ───────────────────────── 2026-02-03 12:34:56 UTC ──

         │ 请把表单填好 \\e[31m!

       model      mock, streamed
       limits     8 turns, 15 tool calls, 6 scripts, 24 model calls, 400,000
                  characters per request, 2 m 00 s
       isolation  strict by bubblewrap, network none
       tools      read_file, list_dir, grep, run_script; denied: network_request
       skills     pdf-form-filler (project)

    ── Turn 1 ──────────────────────────────────────────────────────────── 200 ms ──
       · prompt: 5,120 characters
       · 1,200 tokens in · 40 out · $0.002  340 ms
       ▸ selects pdf-form-filler (project)
       ◂ SKILL.md of pdf-form-filler loaded  900 bytes

    ── Turn 2 ───────────────────────────────────────────────────────────── 1.1 s ──
       ! close to a limit: turns (1 left)
       ▸ answers

    ── Answer ──────────────────────────────────────────────────────────────────────

         │ ## Done
         │
         │ - filled in

    ── End ──────────────────────────────────────────────────────────────── 1.3 s ──
       ✓ completed: final_answer
         2 turns · 1 model call · 0 tool calls · 0 scripts · 0 resources · at most
         5,120 characters per request
         3,600 tokens in · 120 out · $0.006"
  `);
});

const sentences: [EventType, object, string][] = [
  [
    "action_planned",
    {
      action: {
        type: "load_resource",
        payload: { skill: { name: "pdf" }, relative_path: "references/a.md", section_hint: "## Fields" },
      },
    },
    "▸ requests references/a.md § Fields of pdf",
  ],
  [
    "action_planned",
    {
      action: {
        type: "run_script",
        payload: { skill: { name: "pdf" }, relative_path: "scripts/a.py", args: ["--x", "a b"] },
      },
    },
    "▸ runs scripts/a.py --x 'a b' of pdf",
  ],
  [
    "action_planned",
    {
      action: {
        type: "call_tool",
        payload: { tool: "write_file", arguments: { path: "a.md", content: { chars: 1200, sha256: "x" } } },
      },
    },
    "▸ writes a.md (create, ‹1,200 characters›)",
  ],
  [
    "action_planned",
    { action: { type: "call_tool", payload: { tool: "grep", arguments: { path: ".", pattern: "x+" } } } },
    "▸ searches . for x+",
  ],
  [
    "action_planned",
    { action: { type: "call_tool", payload: { tool: "foreign:Task", arguments: { a: 1 } } }, inferred: true },
    '▸ calls foreign:Task {"a":1}  inferred',
  ],
  [
    "action_validated",
    { ok: false, error: { code: "SkillNotFound", message: "no skill is called x\u0007" } },
    "✗ refused: no skill is called x\\u{7} (SkillNotFound)",
  ],
  ["approval_required", {}, "? run_script needs approval  medium risk: runs scripts/fill.py"],
  ["approval_granted", { scope: "run" }, "✓ granted for the rest of the run by script"],
  ["approval_denied", {}, "✗ denied by script: no rule grants it"],
  [
    "resource_loaded",
    {
      report: {
        ...sampleData("resource_loaded").report,
        truncated: true,
        storage_ref: "observations/c2.txt",
      },
    },
    "◂ references/fields.md of pdf-form-filler loaded  900 bytes, cut: 850 characters shown, complete in observations/c2.txt",
  ],
  [
    "action_executed",
    {
      action: "run_script",
      ok: false,
      error: { code: "Timeout", message: "it took longer than 30 s" },
      result: { exit_code: null },
    },
    "✗ failed: it took longer than 30 s (Timeout)",
  ],
  [
    "action_executed",
    { action: "run_script", result: { exit_code: 0, stdout_chars: 4 } },
    "✓ exit code 0  stdout chars 4",
  ],
  ["action_executed", { action: "call_tool", ok: null }, "· result unknown"],
  [
    "model_response",
    {
      ok: false,
      usage: null,
      duration_ms: null,
      error: { code: "InvalidModelOutput", message: "no object" },
    },
    "✗ invalid reply: no object (InvalidModelOutput)",
  ],
  ["error_occurred", { fatal: true }, "✗ the step read is not known (InvalidAction)"],
];
describe("an event is put into words", () => {
  for (const [type, data, sentence] of sentences)
    test(sentence, () => expect(words(type, data)).toBe(sentence));
});

test("a plan is shown with its steps, and later only what changed of it", () => {
  const plan: EventData<"plan_created">["plan"] = {
    goal: "fill it",
    steps: [
      { id: "a", title: "read", status: "in_progress" },
      { id: "b", title: "write", status: "pending" },
    ],
  };
  const ops = [{ op: "set", path: "/steps/a/status", value: "completed" }];
  expect(
    text(
      recordedRun([
        [1, "plan_created", { plan }],
        [1, "plan_updated", { ops }],
      ]),
    ),
  ).toBe(
    [
      "   ≡ fill it  2 steps",
      "     ◐ read",
      "     ○ write",
      "   ≡ plan updated  version 2, 1 of 2 steps done",
      "     ● read",
    ].join("\n"),
  );
});

const write = {
  type: "call_tool",
  payload: { tool: "write_file", arguments: { path: "a", content: "x\ny" } },
};

test("arguments are shown, and others that were approved or executed instead", () => {
  const audit = { params: { path: "b", content: "x\ny" }, result: { ok: true } };
  const run = recordedRun([
    [1, "action_planned", { call_id: "c1", action: write }],
    [1, "approval_required", { call_id: "c1", tool: "write_file", params: { path: "a", content: "x\ny" } }],
    [1, "action_executed", { call_id: "c1", action: "call_tool", tool: "write_file", result: {}, audit }],
  ]);
  expect(text(run, null).split("\n")).toEqual([
    "   ▸ writes a (create, 3 characters)",
    "     │ x",
    "     │ y",
    "   ? write_file needs approval  medium risk: runs scripts/fill.py",
    "   ! executed with other arguments",
    "     │ {",
    '     │   "path": "b",',
    '     │   "content": "x',
    '     │     y"',
    "     │ }",
    expect.stringContaining("✓ done"),
  ]);
});

test("what was streamed of a reply that was refused is shown, and an answer that differs from what was streamed", () => {
  const delta = (text: string) => [1, "model_delta", { path: "$.action.payload.content", text }] as const;
  const answer = { action: { type: "final_answer", payload: { content: "no" } } };
  const error = { code: "InvalidModelOutput", message: "no object" };
  const run = recordedRun([
    [...delta("ye")],
    [...delta("ah")],
    [1, "model_response", { ok: false, error, usage: null, duration_ms: null }],
    [...delta("yes")],
    [1, "model_response", { usage: null, duration_ms: null }],
    [1, "action_planned", answer],
  ]);
  expect(text(run, null).split("\n")).toEqual([
    "   · streamed in 2 pieces",
    "   ✗ invalid reply: no object (InvalidModelOutput)",
    "     │ yeah",
    "   · streamed in 1 piece",
    "   ▸ answers",
    "   ! another text was streamed",
    "     │ yes",
  ]);
});

test("long output is cut, and shown to its end from the file that has it where all is requested", () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
  const files: Record<string, string> = {
    "observations/out.txt": `${lines}\nlast`,
    "observations/err.txt": "oops",
  };
  const audit = {
    result: { ok: true, stdout_ref: "observations/out.txt", stderr_ref: "observations/err.txt" },
  };
  const run = recordedRun(
    [
      [1, "action_executed", { call_id: "c1", action: "run_script", audit, result: { exit_code: 0 } }],
      [
        1,
        "observation_recorded",
        {
          call_id: "c1",
          summary: `exit code 0\n--- stdout\n${lines}`,
          storage_ref: "observations/out.txt",
        },
      ],
    ],
    { read: (ref) => (files[ref] === undefined ? null : Buffer.from(files[ref])) },
  );
  const parts = [...replayParts(run, { color: false, width: 80 })];
  expect(parts.map(({ isCut }) => isCut)).toEqual([false, true]);
  expect(parts[1]?.lines.at(-1)).toBe("     │ … 38 more lines; complete in observations/out.txt");
  const whole = [...replayParts(run, { color: false, width: 80, isFull: true })][1];
  expect(whole?.isCut).toBe(false);
  expect(whole?.lines).toHaveLength(65);
  expect(whole?.lines.slice(-3)).toEqual(["     │ last", "     │ --- stderr", "     │ oops"]);
});

test("an argument that is kept beside the log is named, and shown where all is requested", () => {
  const content = { ref: "observations/c1-content.txt", sha256: "sha256:x", bytes: 20_000 };
  const action = { type: "call_tool", payload: { tool: "write_file", arguments: { path: "a", content } } };
  const run = recordedRun([[1, "action_planned", { action }]], { read: () => Buffer.from("all of it") });
  const lines = (isFull: boolean) =>
    [...replayParts(run, { color: false, width: null, isFull })].flatMap(({ lines }) => lines);
  expect(lines(false)).toEqual(["   ▸ writes a (create, ‹observations/c1-content.txt›)"]);
  expect(lines(true)).toEqual(["   ▸ writes a (create, 9 characters)", "     │ all of it"]);
});

test("what is wrong with a log comes at its end", () => {
  const problem = { code: "RunIncomplete", message: "the run did not end", line: null } as const;
  expect(text(recordedRun([], { problem, warnings: ["line 3 is torn off"] }))).toBe(
    "\n   ! line 3 is torn off\n   ✗ the run did not end (RunIncomplete)",
  );
});

test("of every event the text is visible and fits the terminal, whatever is in it", () => {
  const nasty = "a\u001b[2Jb \u202e 字字字 ".repeat(40);
  const strings = (value: unknown): unknown => {
    if (typeof value === "string") return nasty;
    if (Array.isArray(value)) return value.map(strings);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, strings(member)]));
  };
  const types = Object.keys(eventData) as EventType[];
  const run = recordedRun(
    types.map((type) => [1, type, strings(sampleData(type)) as object]),
    { final: nasty },
  );
  for (const width of [40, 80, 120])
    for (const { lines } of replayParts(run, { color: false, width }))
      for (const line of lines) {
        expect(line).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
        expect(textWidth(line), line).toBeLessThanOrEqual(width);
      }
});

test("parts know their line, their turn and their time", () => {
  const run = recordedRun([
    [0, "run_started"],
    [1, "turn_finished"],
    [1, "turn_started"],
  ]);
  (run.events[2] as AgentEvent).ts = "then";
  const parts = [...replayParts(run, { color: true, width: 80 })];
  expect(parts.map(({ seq, turn, atMs }) => [seq, turn, atMs])).toEqual([
    [1, 0, Date.UTC(2026, 1, 3, 12, 34, 56)],
    [3, 1, null],
  ]);
  expect(parts[0]?.lines.join("\n")).toContain("\u001b[1m");
});
