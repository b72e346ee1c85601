import { describe, expect, test } from "vitest";
import {
  answered,
  converseBy,
  failed,
  handClock,
  sampleHosts,
  sampleSkill,
  say,
} from "../../../../test/builders/sample-session.ts";
import { openHostedSkill } from "../../../../test/open-tool-hosts.ts";
import type { ConversationTurn } from "../../../contract/conversation-case.ts";
import type { Speaker } from "../../../contract/conversation-parts.ts";
import type { ToolOutcome } from "../../../contract/tool-host.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import type { ConversationListener } from "./conversation-listener.ts";

const fenced = '```json\n{"name":"word_count","arguments":{}}\n```';
const done: ConversationTurn = { final: "done" };

/** Every line is parseable after its prefix, and has one of the two forms. */
function envelopes(lines: readonly string[]): unknown[] {
  return lines.map((line) => {
    expect(line.startsWith("TOOL_RESULT: ")).toBe(true);
    expect(line).not.toContain("\n");
    return JSON.parse(line.slice("TOOL_RESULT: ".length));
  });
}

describe("what a model is told about its call", () => {
  const error = (message: string) => ({ error: { message } });
  const counting = [sampleSkill("counting", { word_count: null })];
  const rows: [string, ToolOutcome | null, ConversationTurn, object][] = [
    ["success", answered({ words: 3 }), say("word_count"), { result: { data: { words: 3 } } }],
    ["words of any script", answered({ 字: "é🙂" }), say("word_count"), { result: { data: { 字: "é🙂" } } }],
    [
      "unknown tool",
      null,
      say("word_cuont"),
      error("unknown-tool: word_cuont is not available; available: word_count"),
    ],
    ["a built-in", null, say("grep"), error("unknown-tool: grep is not available; available: word_count")],
    [
      "malformed call",
      null,
      { raw: fenced },
      error('malformed-call: fenced; reply with one bare JSON object {"name","arguments"}'),
    ],
    ["an empty reply", null, { raw: " " }, error(expect.stringMatching(/^malformed-call: empty; /))],
    [
      "bad arguments",
      failed("bad-arguments", "/max_results must be integer; /doc_text is required"),
      say("word_count", { max_results: true }),
      error("bad-arguments: /max_results must be integer; /doc_text is required"),
    ],
    [
      "exception",
      failed("tool-failed", "ValueError: no table found"),
      say("word_count"),
      error("tool-failed: ValueError: no table found"),
    ],
    [
      "not a dict",
      failed("bad-result", "expected a JSON object, got list"),
      say("word_count"),
      error("bad-result: expected a JSON object, got list"),
    ],
    [
      "function missing",
      failed("tool-missing", "scripts/word_count.py has no function word_count"),
      say("word_count"),
      error("tool-missing: scripts/word_count.py has no function word_count"),
    ],
    [
      "deadline",
      { latencyMs: 30_000, status: "timed-out", message: "word_count did not answer within 30000 ms" },
      say("word_count"),
      error("timeout: word_count did not answer within 30000 ms"),
    ],
    ["crash", failed("tool-crashed", "exit 139"), say("word_count"), error("tool-crashed: exit 139")],
    [
      "too large",
      failed("result-too-large", "81234 bytes, limit 65536"),
      say("word_count"),
      error("result-too-large: 81234 bytes, limit 65536"),
    ],
    [
      "a message of many lines without end",
      failed("tool-failed", `ValueError:\n${"x\n".repeat(900)}`),
      say("word_count"),
      error(expect.stringMatching(/^tool-failed: ValueError: x [^\n]{470,}…$/)),
    ],
  ];

  test.each(rows)("%s", async (_, outcome, turn, envelope) => {
    const hosts = sampleHosts(...(outcome === null ? [] : [outcome]));
    const { record, results } = await converseBy([turn, done], { skills: counting, hosts });

    expect(envelopes(results)).toEqual([envelope]);
    expect(hosts.calls.length).toBe(outcome === null ? 0 : 1);
    expect(record).toMatchObject({ end: "final", final: "done", problem: null, unused_turns: 0 });
  });

  test("a name that two selected skills declare is refused, and nothing runs", async () => {
    const hosts = sampleHosts();
    const skills = [
      sampleSkill("finance-audit", { data_parser: null }),
      sampleSkill("et-analyzer", { data_parser: null, other: null }),
    ];
    const { record, results } = await converseBy([say("data_parser"), say("nope"), done], { skills, hosts });

    expect(envelopes(results)).toEqual([
      error("ambiguous-tool: data_parser is declared by et-analyzer, finance-audit"),
      error("unknown-tool: nope is not available; available: other"),
    ]);
    expect(hosts.calls).toEqual([]);
    expect(record.turns[0]?.call).toMatchObject({ skill: null, ok: false, code: "ambiguous-tool" });
  });

  test("a built-in never wins in silence, nor does a name that the run registers", async () => {
    const hosts = sampleHosts();
    const skills = [sampleSkill("doc-editor", { read_file: null, lookup: null })];
    const builtIns = ["read_file", "lookup"];
    const { results } = await converseBy([say("read_file"), say("lookup"), say("x"), done], {
      ...{ skills, hosts, builtIns },
    });

    expect(envelopes(results)).toEqual([
      error("ambiguous-tool: read_file is declared by (built-in), doc-editor"),
      error("ambiguous-tool: lookup is declared by (built-in), doc-editor"),
      error("unknown-tool: x is not available; available: none"),
    ]);
    expect(hosts.calls).toEqual([]);
  });

  test("too many calls", async () => {
    const hosts = sampleHosts();
    const calls = Array.from({ length: 6 }, (_, n) => say("word_count", { n }));
    const { record, results } = await converseBy([...calls, done], { hosts });

    expect(envelopes(results.slice(5))).toEqual([error("call-limit: 5 tool calls used; answer now")]);
    expect(hosts.calls.length).toBe(5);
    expect(record).toMatchObject({ end: "final", final: "done" });
    expect(record.turns.length).toBe(7);
  });
});

describe("a conversation", () => {
  test("goes on from each result, and all of it is written down", async () => {
    const clock = handClock();
    const text = "all of the contract";
    const document = { name: "contract.docx", text, path: "/docs/contract.docx" };
    const injected = [{ name: "doc_text", chars: text.length, sha256: sha256(text) }];
    const hosts = sampleHosts(() => {
      clock.pass(25);
      const warnings = ["large-result: 9000 bytes; return less", "said something on stdout"];
      return answered({ total: 2, words: ["风险"] }, { injected, warnings });
    });
    const routed = { score: 0.9, lex: 0.8, emb: null, phrase: 1, text: 0.5 };
    const skills = [
      sampleSkill("counting", { word_count: null }, { routed, prompt: "规则🙂", truncated: true }),
    ];
    const { record, sentMessages } = await converseBy(
      [say("word_count", { a: 1 }), { final: `共 \${results[0].total} 处：\${results[0].words}` }],
      { skills, hosts, document, clock, host: "writer", forced: false },
    );

    expect(sentMessages[1]?.slice(1)).toEqual([
      { role: "user", text: "count the words" },
      { role: "assistant", text: '{"name":"word_count","arguments":{"a":1}}' },
      { role: "user", text: 'TOOL_RESULT: {"result":{"data":{"total":2,"words":["风险"]}}}' },
    ]);
    expect(hosts.calls).toMatchObject([
      {
        request: { arguments: { a: 1 }, document: { text, path: "/docs/contract.docx" } },
        deadlineMs: 30_000,
      },
    ]);
    expect(JSON.stringify(record)).not.toContain(text);
    expect(record).toEqual({
      ...{ host: "writer", forced: false, routing: null, ms: 25, problem: null, unused_turns: 0 },
      document: { name: "contract.docx", chars: text.length, sha256: sha256(text) },
      selected: [
        {
          ...{ id: "counting", version: "1.0.0", digest: "sha256:counting", priority: 0 },
          ...{ ...routed, injected_chars: 3, truncated: true },
        },
      ],
      tools: ["word_count(...) — about word_count @counting"],
      turns: [
        {
          ...{ turn: 1, kind: "call", reply: '{"name":"word_count","arguments":{"a":1}}', rejection: null },
          ...{ lenient: null, warnings: [], llm_ms: 0, first_token_ms: null, usage: null },
          call: {
            ...{ name: "word_count", skill: "counting", form: "call", arguments: { a: 1 }, injected },
            ...{ ok: true, code: null, message: null, data: { total: 2, words: ["风险"] }, ms: 25 },
            ...{ result_bytes: 30, repeat: false, findings: ["large-result: 9000 bytes; return less"] },
          },
        },
        {
          ...{
            turn: 2,
            kind: "final",
            reply: '共 2 处：["风险"]',
            rejection: null,
            lenient: null,
            warnings: [],
          },
          ...{ call: null, llm_ms: 0, first_token_ms: null, usage: null },
        },
      ],
      ...{ end: "final", final: '共 2 处：["风险"]' },
    });
  });

  test("keeps no results: a repeated call runs again, and is recorded as a repeat", async () => {
    const hosts = sampleHosts(answered({ n: 1 }), answered({ n: 2 }));
    const { record } = await converseBy(
      [say("word_count", { a: 1, b: 2 }), say("word_count", { b: 2, a: 1 }), say("word_count"), done],
      { hosts },
    );

    expect(record.turns.map(({ call }) => call && [call.repeat, call.data])).toEqual([
      [false, { n: 1 }],
      [true, { n: 2 }],
      [false, { n: 2 }],
      null,
    ]);
  });

  test("reads an older form with a warning, and answers it all the same", async () => {
    const { record, results } = await converseBy([{ raw: '{"action":"word_count","input":"{}"}' }, done]);

    expect(record.turns[0]).toMatchObject({
      warnings: ["legacy-form", "string-input"],
      call: { form: "legacy", ok: true },
    });
    expect(results).toEqual(['TOOL_RESULT: {"result":{"data":{"words":3}}}']);
  });

  test("takes a correction, and never does what a lenient reader would", async () => {
    const hosts = sampleHosts();
    const turns = [{ raw: fenced }, say("word_count"), { raw: "TOOL_CALL: {" }, done];
    const { record } = await converseBy(turns, { hosts });

    expect(hosts.calls.length).toBe(1);
    expect(record.turns[0]).toMatchObject({
      ...{ kind: "rejected", rejection: "fenced", call: null },
      lenient: { name: "word_count", arguments: {} },
    });
    expect(record.end).toBe("final");
  });

  test("sends no empty message back", async () => {
    const { sentMessages } = await converseBy([{ raw: "\n" }, done]);
    expect(sentMessages[1]?.map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });
});

describe("a conversation ends", () => {
  const last = (n: number, more: ConversationTurn[] = []) => [
    ...Array.from({ length: n }, () => say("word_count")),
    ...more,
  ];
  const limits = { maxTurns: 3, maxToolCalls: 5 };

  test.each<[string, ConversationTurn[], object, object]>([
    [
      "with two malformed calls in a row",
      [{ raw: fenced }, { raw: `a ${fenced}` }, done],
      {},
      {
        end: "protocol-failed",
        problem: "two replies in a row were malformed calls: fenced, fenced",
        unused_turns: 1,
      },
    ],
    [
      "not with two that are apart",
      [{ raw: fenced }, say("word_count"), { raw: "" }, done],
      {},
      { end: "final" },
    ],
    [
      "when all turns are used",
      last(4),
      limits,
      {
        end: "turn-limit",
        problem: "no answer after 3 turns",
        unused_turns: 1,
      },
    ],
    [
      "when the turns are used by corrections",
      [say("a"), say("b"), { raw: "" }, done],
      limits,
      { end: "turn-limit" },
    ],
    [
      "when it calls again after it was told to answer",
      last(8),
      {},
      {
        end: "turn-limit",
        problem: "no answer after the limit of 5 tool calls",
        unused_turns: 1,
      },
    ],
    [
      "when it is malformed after it was told to answer",
      last(6, [{ raw: fenced }, done]),
      {},
      {
        end: "turn-limit",
        unused_turns: 1,
      },
    ],
    [
      "with an answer where no call is allowed",
      [say("word_count"), done],
      { maxToolCalls: 0 },
      { end: "final" },
    ],
    [
      "with the one turn after the limit, however many were left",
      last(3, [done]),
      { maxToolCalls: 1, maxTurns: 9 },
      {
        end: "turn-limit",
        problem: "no answer after the limit of 1 tool call",
      },
    ],
    [
      "when the script is used up",
      last(2),
      {},
      {
        end: "mock-exhausted",
        problem: "the script is used up: it has 2 turns",
      },
    ],
    [
      "when the script quotes what is not there",
      [say("x"), { final: `\${results[0].a}` }],
      {},
      {
        end: "mock-invalid",
        problem: `turn 2 of the script quotes \${results[0].a}, but call 1 has no result`,
      },
    ],
  ])("%s", async (_, turns, given, ending) => {
    const { record, results } = await converseBy(turns, { limits: given });
    expect(record).toMatchObject(ending);
    if (record.end !== "final") expect(record.final).toBeNull();
    envelopes(results);
  });

  test("when a tool cannot be hosted, which is no matter of the tool", async () => {
    const message = "strict containment was asked for and cannot be had";
    const hosts = sampleHosts({ latencyMs: 0, status: "invalid", cause: "sandbox-refused", message });
    const { record } = await converseBy([say("word_count"), done], { hosts });

    expect(record).toMatchObject({ end: "host-failed", problem: message, unused_turns: 1 });
    expect(record.turns[0]?.call).toMatchObject({ ok: false, code: "sandbox-refused", message, data: null });
  });

  test.each(["model-failed", "cassette-miss"] as const)("when no reply comes: %s", async (fault) => {
    const speaker: Speaker = {
      id: "lab/small",
      reply: async () => ({ status: "failed", fault, message: "HTTP 500", ms: 3 }),
      unused: () => null,
    };
    const { record } = await converseBy(speaker);
    expect(record).toMatchObject({ end: fault, problem: "HTTP 500", turns: [], unused_turns: null });
  });
});

describe("the time of a conversation", () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const waiting: Speaker = {
    id: "lab/small",
    reply: (_, { signal }) => untilAborted(signal),
    unused: () => null,
  };

  test("ends a model that does not answer", async () => {
    const { record } = await converseBy(waiting, { limits: { timeoutMs: 5 } });
    expect(record).toMatchObject({ end: "timeout", problem: "no answer within 5 ms", turns: [] });
  });

  test("ends a tool that overstays, and the call is written down", async () => {
    const hosts = sampleHosts(untilAborted);
    const { record } = await converseBy([say("word_count"), done], { hosts, limits: { timeoutMs: 5 } });

    expect(record).toMatchObject({ end: "timeout", unused_turns: 1 });
    expect(record.turns[0]?.call).toMatchObject({
      code: "timeout",
      message: "timeout: word_count did not answer within 5 ms",
    });
  });

  test("is all that a tool gets, where its own is longer", async () => {
    const clock = handClock();
    const tool = sampleSkill("counting", { word_count: null }).tools[0];
    const quick = { ...tool, timeoutMs: 50 } as NonNullable<typeof tool>;
    const hosts = sampleHosts(() => {
      clock.pass(700.5);
      return answered({});
    });
    const turns = [say("word_count"), say("word_count"), done];
    const limits = { timeoutMs: 1000 };

    const { record } = await converseBy(turns, { hosts, clock, limits });
    await converseBy(turns, {
      hosts,
      clock,
      limits,
      skills: [sampleSkill("counting", {}, { tools: [quick] })],
    });

    expect(hosts.calls.map(({ deadlineMs }) => deadlineMs)).toEqual([1000, 300, 50, 50]);
    expect(record).toMatchObject({ end: "timeout", ms: 1401, unused_turns: 1 });
  });

  test("has nothing to do with an interruption: that is thrown, and heard", async () => {
    const interrupt = new AbortController();
    const reason = new Error("stop");
    const ends: string[] = [];
    const listen = { ended: ({ end }: { end: string }) => ends.push(end) };
    const session = converseBy(waiting, { listen: { ...deaf, ...listen } }, interrupt.signal);
    interrupt.abort(reason);

    await expect(session).rejects.toBe(reason);
    expect(ends).toEqual(["cancelled"]);
    await expect(converseBy([done], {}, interrupt.signal)).rejects.toBe(reason);
  });
});

const deaf: ConversationListener = {
  started: () => {},
  modelCalled: () => {},
  toolStarted: () => {},
  toolEnded: () => {},
  ended: () => {},
};

test("who listens hears names, lengths and times, and nothing that was said", async () => {
  const facts: object[] = [];
  const listen = Object.fromEntries(
    Object.keys(deaf).map((name) => [name, (fact: object) => facts.push({ [name]: fact })]),
  ) as unknown as ConversationListener;
  const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12, costUsd: null };
  const replies = ['{"action":"word_count","input":{"secret":"s3cret"}}', "the s3cret is out"];
  const speaker: Speaker = {
    id: "lab/small",
    reply: async () => ({
      ...{ status: "answered", text: replies.shift() ?? "", ms: 7, firstTokenMs: 4, usage },
    }),
    unused: () => null,
  };
  await converseBy(speaker, { listen, request: "tell me the s3cret" });

  const reply = { model: "lab/small", ms: 7, first_token_ms: 4, usage };
  const call = { turn: 1, tool: "word_count", skill: "counting" };
  expect(facts).toEqual([
    { started: { message_chars: 18, has_document: false } },
    { modelCalled: { turn: 1, kind: "call", ...reply } },
    { toolStarted: { ...call, form: "legacy", warnings: ["legacy-form"], injected: [] } },
    { toolEnded: { ...call, injected: [], ok: true, code: null, ms: 0, result_bytes: 11, repeat: false } },
    { modelCalled: { turn: 2, kind: "final", ...reply } },
    {
      ended: {
        ...{ end: "final", ms: 0, llm_ms: 14, first_token_ms: 4 },
        usage: { promptTokens: 20, completionTokens: 4, totalTokens: 24, costUsd: null },
      },
    },
  ]);
  expect(JSON.stringify(facts)).not.toContain("s3cret");
});

test("real tools are given the document, and what they do wrong is reported", async () => {
  await using skill = await openHostedSkill("persistent", {
    "scripts/word_count.py":
      "def word_count(doc_text, least=1, **more):\n    if least > 9: raise ValueError('no table found')\n    return {'words': len(doc_text.split())}\n",
    "scripts/listing.py": "def listing():\n    return [1]\n",
    "scripts/other.py": "def another():\n    return {}\n",
  });
  const parameters = {
    type: "object",
    required: ["doc_text"],
    properties: { doc_text: { type: "string" }, least: { type: "integer" } },
  };
  const tools = { word_count: parameters, listing: null, other: null };
  const skills = [sampleSkill("counting", tools, { dir: skill.dir })];
  const document = { name: "note.txt", text: "three short words", path: null };
  const turns = [
    say("word_count"),
    say("word_count", { least: true }),
    say("word_count", { least: 10, more: 1 }),
    say("listing"),
    say("other"),
    { final: `\${results[0].words} words` },
  ];
  const filled: object[] = [];
  const listen = {
    ...deaf,
    toolStarted: ({ injected }: { injected: object[] }) => void filled.push(injected),
  };
  const { record, results } = await converseBy(turns, { skills, document, hosts: skill.hosts, listen });

  expect(results).toEqual([
    'TOOL_RESULT: {"result":{"data":{"words":3}}}',
    'TOOL_RESULT: {"error":{"message":"bad-arguments: /least must be integer"}}',
    'TOOL_RESULT: {"error":{"message":"tool-failed: ValueError: no table found"}}',
    'TOOL_RESULT: {"error":{"message":"bad-result: expected a JSON object, got list"}}',
    'TOOL_RESULT: {"error":{"message":"tool-missing: scripts/other.py has no function other"}}',
  ]);
  expect(record).toMatchObject({ end: "final", final: "3 words" });
  expect(record.turns[0]?.call?.injected).toMatchObject([{ name: "doc_text", chars: 17 }]);
  expect(filled).toEqual(record.turns.flatMap(({ call }) => (call === null ? [] : [call.injected])));
  expect(record.turns[2]?.call?.findings).toMatchObject([
    expect.stringMatching(/^undeclared-argument: more/),
  ]);
  expect(JSON.stringify(record)).not.toContain("three short words");
});
