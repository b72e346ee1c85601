import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { gradeImported, importText, outline } from "../../../test/imported-run.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { AgentCaseFile } from "../../contract/agent-case.ts";
import { eventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import type { TraceKind } from "../../contract/trace-kind.ts";
import { gradeRun } from "../../levels/agent/grade/grade-run.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { seededRandom } from "../../shared/statistics/seeded-random.ts";
import { openRunLog } from "../log/open-run-log.ts";
import { readRun } from "../log/read-run.ts";
import { importTrace, writeImportedRun } from "./import-trace.ts";

function fixture(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/traces/${name}`, import.meta.url), "utf8");
}

async function imported(
  kind: TraceKind,
  text: string,
): Promise<RecordedRun & { importWarnings: readonly string[]; request: string }> {
  await using folder = await temporaryFolder();
  const [run] = importText(kind, text);
  if (run === undefined) throw new Error("no run");
  await using log = openRunLog({
    runsDir: folder.path,
    recording: "full",
    secrets: [],
    clock: systemClock,
    random: Math.random,
    hasWorkspace: false,
  });
  writeImportedRun(run, log);
  await log.synced();
  const recorded = readRun(log.dir);
  const request = Buffer.from(recorded.read("inputs/request.txt") ?? []).toString();
  return { ...recorded, importWarnings: run.warnings, request };
}

function readOrigin({ events: [first] }: RecordedRun) {
  if (first?.type !== "run_started") throw new Error("no beginning");
  return { ...first.data.origin, model: first.data.model, streaming: first.data.streaming };
}

describe("a trace is converted to our events", () => {
  test("of Claude Code, with its sub-agent, what it was denied, and how its answer came", async () => {
    const run = await imported("claude-code", fixture("claude-code.jsonl"));
    expect(run).toMatchObject({ problem: null, warnings: [], importWarnings: [], hasWorkspace: false });
    expect(outline(run)).toEqual([
      "1 body of pdf-form-filler for c1",
      "1 select_skills started, true",
      "2 references/fields.md of pdf-form-filler",
      "2 load_resource started, true",
      "3 run_script run_script started, true",
      "3 denied",
      "3 call_tool write_file not started, false",
      "3 call_tool foreign:Task started, true",
      "4 within c3-3",
      "4 body of notes for c4",
      "4 select_skills started, true",
      "5 final_answer started, true",
    ]);
    expect(readOrigin(run)).toMatchObject({
      kind: "claude-code",
      importer_version: 2,
      observed: ["calls", "final", "file_reads", "approvals", "deltas", "usage"],
      tools: ["Task", "Bash", "Read", "Write", "Skill"],
      model: { provider: "anthropic", name: "claude-sonnet-4-5" },
      streaming: true,
    });
    expect(run.events.find(({ type }) => type === "action_planned")?.data).toMatchObject({
      source_hint: "office",
    });
    expect(run.final).toBe("## Done\n\n- the form is filled in");
    expect(run.events.at(-1)?.data).toMatchObject({
      stop_reason: "final_answer",
      degraded: null,
      usage: { input_tokens: 1024, output_tokens: 239, cost_usd: 0.0412 },
    });
  });

  test("of chat messages", async () => {
    const run = await imported("openai", fixture("openai-chat.json"));
    expect(run.problem).toBeNull();
    expect(outline(run)).toEqual([
      "1 body of pdf-form-filler for c1",
      "1 select_skills started, null",
      "2 references/fields.md of pdf-form-filler",
      "2 load_resource started, null",
      "2 run_script run_script started, null",
      "3 final_answer started, true",
    ]);
    expect(run.importWarnings).toEqual([]);
    const origin = readOrigin(run);
    expect(origin.observed).toEqual(["calls", "final", "file_reads", "usage"]);
    expect(origin.unknown).toEqual(expect.arrayContaining(["results", "approvals", "deltas", "times"]));
    expect(origin.unknown).not.toContain("request");
  });

  test("of items of Responses, where what follows each other is one turn", async () => {
    const run = await imported("openai", fixture("openai-responses.jsonl"));
    expect(run.problem).toBeNull();
    expect(outline(run)).toEqual([
      "1 body of pdf-form-filler for c1",
      "1 select_skills started, null",
      "2 run_script run_script started, null",
      "3 final_answer started, true",
    ]);
    expect(run.importWarnings).toEqual([]);
  });

  test("of spans, in the order they began, with their times", async () => {
    const run = await imported("otel", fixture("otel.json"));
    expect(run.problem).toBeNull();
    expect(outline(run)).toEqual([
      "1 body of pdf-form-filler for c1",
      "1 select_skills started, true",
      "1 run_script run_script started, false",
      "2 final_answer started, true",
    ]);
    expect(run.events[1]?.ts).toBe("2026-02-03T12:34:56.500Z");
    expect(readOrigin(run)).toMatchObject({ model: { provider: "openai", name: "gpt-5-mini" } });
    expect(run.request).toBe("Please fill in the form.");
  });

  test("of an agent within a tool, as turns within that call", async () => {
    const span = (spanId: string, parentSpanId: string, start: number, attributes: object) => ({
      traceId: "t",
      spanId,
      parentSpanId,
      startTimeUnixNano: `${start}000000000`,
      attributes,
    });
    const op = "gen_ai.operation.name";
    const text = [
      span("a", "", 1, { [op]: "invoke_agent" }),
      span("b", "a", 2, { [op]: "chat" }),
      span("c", "a", 3, { [op]: "execute_tool", "gen_ai.tool.name": "research" }),
      span("d", "c", 4, { [op]: "invoke_agent" }),
      span("x", "d", 5, {}),
      span("e", "x", 6, { [op]: "chat" }),
      span("f", "d", 7, { [op]: "execute_tool", "gen_ai.tool.name": "WebSearch" }),
    ]
      .map((each) => JSON.stringify(each))
      .join("\n");
    expect(outline(await imported("otel", text))).toEqual([
      // Neither what was replied nor what was asked of the tool is recorded.
      "0 unknown: reply",
      "1 call_tool foreign:research started, true",
      "1 unknown: arguments",
      "1 unknown: reply",
      "1 unknown: no end",
      "2 within c1",
      "2 call_tool network_request started, true",
    ]);
  });
});

describe("a file that is no such trace is refused", () => {
  const texts: [TraceKind, string][] = [
    ["claude-code", ""],
    ["claude-code", "hello"],
    ["claude-code", "not\njson"],
    ["claude-code", fixture("otel.json")],
    ["openai", '{"messages":[{"role":"user","content":"hi"}]}'],
    ["otel", fixture("claude-code.jsonl")],
    ["otel", "[".repeat(100_000)],
  ];
  for (const [kind, text] of texts)
    test(`${kind}: ${text.slice(0, 30)}`, () => {
      expect(() => importTrace(kind, Buffer.from(text), { skills: [] })).toThrow(
        expect.objectContaining({ code: "trace-invalid", exitCode: 2 }),
      );
    });
});

test("whatever is in a trace, it is imported or refused", async () => {
  const nasty: unknown[] = [
    null,
    "",
    "x",
    -1,
    1e99,
    [],
    {},
    [[]],
    { toString: 1, valueOf: 1 },
    { type: "text", text: 7 },
  ];
  const random = seededRandom(7);
  const spoilt = (value: unknown): unknown => {
    if (random.below(33) === 0) return nasty[random.below(nasty.length)];
    if (Array.isArray(value)) return value.map(spoilt);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, spoilt(member)]));
  };
  const traces = [
    [
      "claude-code",
      fixture("claude-code.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ],
    ["openai", JSON.parse(fixture("openai-chat.json"))],
    ["otel", JSON.parse(fixture("otel.json"))],
  ] as const;
  for (let n = 0; n < 100; n++)
    for (const [kind, value] of traces) {
      const bytes = Buffer.from(JSON.stringify(spoilt(value)));
      try {
        const runs = importTrace(kind, bytes, { skills: [] });
        for (const { type, data } of runs.flatMap(({ events }) => events))
          expect(eventData[type].safeParse(data).error, type).toBeUndefined();
      } catch (error) {
        expect(error).toMatchObject({ code: "trace-invalid" });
      }
    }
});

describe("an imported run is graded like one of ours, as far as there is evidence", () => {
  const loaded = loadedCase({
    id: "fill",
    input: "Please fill in the form.",
    expect: {
      skills_all_of: ["pdf-form-filler"],
      action_sequence_constraints: [
        { must_occur: "load_skill_body", before: "run_script" },
        { forbid: "network_request" },
      ],
      output: { contains_all: ["filled in"], format: "markdown" },
      // One of the traces has a script that failed.
      errors: [{ code: "ExitNonZero", min: 0 }],
    },
  });
  const graded = async (kind: TraceKind, text: string) =>
    gradeRun(await imported(kind, text), loaded, { trial: 1, model: "x" });
  const statuses = ({ scores }: CaseReport) =>
    [scores.trigger, scores.sequence, scores.output].map(({ status }) => status);

  const traces: [TraceKind, string][] = [
    ["claude-code", "claude-code.jsonl"],
    ["openai", "openai-chat.json"],
    ["openai", "openai-responses.jsonl"],
    ["otel", "otel.json"],
  ];
  for (const [kind, name] of traces)
    test(name, async () => {
      const text = fixture(name);
      const report = await graded(kind, text);
      expect(report.failures).toEqual([]);
      expect(statuses(report)).toEqual(["pass", "pass", "pass"]);
      expect(report.scores.trigger).toMatchObject({ recall: 1 });
    });

  test("and what the trace loses is not observed, never passed", async () => {
    const lines = fixture("claude-code.jsonl").split("\n");
    const without = (words: string) => lines.filter((line) => !line.includes(words)).join("\n");
    expect((await graded("claude-code", lines.join("\n"))).scores.streaming.status).toBe("pass");
    expect((await graded("claude-code", without("stream_event"))).scores.streaming.status).not.toBe("pass");
    const cut = lines.filter((line) => !/msg_5|"result"/.test(line)).join("\n");
    const report = await graded("claude-code", cut);
    expect(report.scores.output.status).toBe("not_observed");
    expect(report.pass).toBeNull();
  });
});

function loadedCase(file: object): LoadedAgentCase {
  const parsed = AgentCaseFile.parse(file);
  return {
    kind: "agent",
    case: parsed,
    files: [],
    asks: [],
    suite: "s",
    digest: "d",
    requestDigest: "d",
    level: "L2",
    file: "/s/suite.yaml",
    jsonPath: "$",
    dir: "/s",
    request: String(parsed.input),
    skillRoots: null,
    preinstall: [],
    inputs: [],
    expectedFiles: {},
    checkFiles: {},
    outputSchema: undefined,
    skillTools: [],
    shown: "suite.yaml",
  };
}

describe("nothing of a transcript is dropped silently", () => {
  const lines = (values: readonly object[]) => values.map((value) => JSON.stringify(value)).join("\n");
  const kinds = (text: string) =>
    importText(null, text).flatMap(({ started }) =>
      (started.origin.unknown ?? []).flatMap((item) => (typeof item === "string" ? [] : [item.kind])),
    );
  const ask = { role: "user", content: "Go." };
  const call = (id: string, name: string, given: object = {}) => ({
    role: "assistant",
    tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(given) } }],
  });
  const result = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "ok" });
  const done = { role: "assistant", content: "Done." };
  const read = call("1", "read_file", { path: "a" });

  test.each<[string, object[], string[]]>([
    ["a whole conversation", [ask, read, result("1"), done], []],
    ["a call id that is used again", [ask, read, result("1"), read, result("1"), done], []],
    ["a result of no call", [ask, read, result("1"), result("2"), done], ["no call"]],
    ["a call without a result", [ask, read, done], ["no result"]],
    ["a field that could hold calls", [ask, { ...done, calls: [{ name: "rm" }] }], ["field"]],
    ["a field that could not", [ask, { ...done, latency: 3, note: "x" }], []],
    [
      "content of another provider",
      [ask, { role: "assistant", content: [{ type: "tool_use", name: "Write" }] }],
      ["item", "reply"],
    ],
    ["a role that nobody knows", [ask, { role: "critic", content: "x" }, done], ["item"]],
    ["an end without an answer", [ask, read, result("1")], ["no end"]],
    ["a prompt without a reply", [ask, { role: "user", content: "And?" }, done], ["no reply"]],
    [
      "arguments that are no JSON",
      [
        ask,
        { ...read, tool_calls: [{ id: "1", function: { name: "bash", arguments: "{" } }] },
        result("1"),
        done,
      ],
      ["arguments"],
    ],
    ["a tool that nobody knows", [ask, call("1", "send_mail"), result("1"), done], ["opaque"]],
  ])("%s", (_, values, expected) => {
    expect(kinds(lines(values))).toEqual(expected);
  });

  test("a tool of the provider is a call with its end, and what follows it is the answer", () => {
    const [run] = importText(
      null,
      lines([
        { type: "message", role: "user", content: [{ type: "input_text", text: "What is new?" }] },
        {
          type: "web_search_call",
          id: "ws_1",
          status: "completed",
          action: { type: "search", query: "news" },
        },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Nothing." }] },
      ]),
    );
    expect(run && outline(run)).toEqual([
      "1 call_tool network_request started, null",
      "2 final_answer started, true",
    ]);
  });

  const session = fixture("session/claude-session.jsonl");
  const subagent = fixture("session/s1/subagents/agent-a1b2.jsonl");

  test("a session of two requests is two runs, with the file of its subagent in the first", () => {
    const companion = (path: string) =>
      path === "s1/subagents/agent-a1b2.jsonl" ? Buffer.from(subagent) : null;
    const runs = importText(null, session, { companion });
    expect(runs.map((run) => [run.request, outline(run)])).toEqual([
      [
        "Please fill in the form.",
        [
          "1 body of pdf-form-filler for c1",
          "1 select_skills started, true",
          "2 call_tool foreign:Task started, true",
          "3 within c2",
          "3 run_script run_script started, true",
          "4 within c2",
          "4 call_tool write_file started, true",
          "5 within c2",
          "6 final_answer started, true",
        ],
      ],
      // What the user did not let happen did not happen.
      [
        "Now remove the draft.",
        [
          "1 denied",
          "1 call_tool foreign:Bash not started, false",
          "1 denied",
          "1 call_tool delete_file not started, false",
          "2 call_tool write_file started, true",
          "3 final_answer started, true",
        ],
      ],
    ]);
    expect(importText(null, session, { companion, join: true })).toHaveLength(1);
  });

  test("a subagent whose file is missing may have done anything; its file alone is a run", () => {
    expect(kinds(session)).toEqual(["no agent"]);
    const [run] = importText(null, subagent);
    expect(run?.request).toBe("Fill it in.");
    expect(kinds(subagent)).toEqual([]);
  });

  test("a question for permission that nobody answered allows nothing", () => {
    const id = "toolu_9";
    const text = lines([
      { type: "system", subtype: "init", session_id: "s", tools: ["Write"] },
      {
        type: "assistant",
        message: {
          id: "m",
          role: "assistant",
          content: [{ type: "tool_use", id, name: "Write", input: { file_path: "a" } }],
        },
        session_id: "s",
      },
      {
        type: "control_request",
        request_id: "r",
        request: { subtype: "can_use_tool", tool_name: "Write", tool_use_id: id },
      },
      { type: "result", subtype: "error_during_execution", is_error: true, session_id: "s" },
    ]);
    const [run] = importText("claude-code", text);
    expect(run && outline(run)).toEqual(["1 denied", "1 call_tool write_file not started, false"]);
  });
});

test("a skill is named with or without the prefix of its plugin", async () => {
  const [run] = importText(null, fixture("claude-code.jsonl"));
  if (run === undefined) throw new Error("no run");
  const trigger = async (expected: object) =>
    (await gradeImported(run, { expect: expected })).scores.trigger.status;
  expect(await trigger({ skills_all_of: ["pdf-form-filler"] })).toBe("pass");
  expect(await trigger({ skills_all_of: ["office:pdf-form-filler"] })).toBe("pass");
  expect(await trigger({ skills_none_of: ["office:pdf-form-filler"] })).toBe("fail");
  expect(await trigger({ skills_all_of: ["other:pdf-form-filler"] })).toBe("fail");
});
