import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMcpSkill } from "../../test/mcp-skill.ts";
import { within } from "../../test/open-skill.ts";
import { eventually, isAlive, pidFrom } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { adapterContract } from "./adapter.contract.ts";

const running: { readonly running: number }[] = [];
const open = async (behaviour: string) => {
  const skill = await openMcpSkill(behaviour);
  running.push(skill.sandbox);
  return skill;
};
adapterContract("mcp, stdio", {
  echo: () => open("behaves"),
  broken: () => open("dies-at-start"),
  slow: () => open("hangs"),
  leftovers: () => running.reduce((sum, sandbox) => sum + sandbox.running, 0),
  onlyObjects: "arguments of an MCP tool are an object",
});

describe("what a tool answers", () => {
  const text = (text: string) => ({ type: "text", text });
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const answers: [string, JsonObject, Json][] = [
    [
      "structured content is the answer, whatever the text says",
      { content: [text("no")], structuredContent: { a: 1 } },
      { a: 1 },
    ],
    ["text that is JSON as a whole is read as JSON", { content: [text('{"a": [1, 2]}')] }, { a: [1, 2] }],
    ["text that is not JSON stays text", { content: [text('{"a": 1} and more')] }, '{"a": 1} and more'],
    ["JSON with a key twice stays text", { content: [text('{"a":1,"a":2}')] }, '{"a":1,"a":2}'],
    ["several texts are lines of one", { content: [text("one"), text("two")] }, "one\ntwo"],
    ["no blocks at all are an empty text", { content: [] }, ""],
    ["other blocks come as they are", { content: [text("see"), image] }, { content: [text("see"), image] }],
  ];
  for (const [what, result, output] of answers) {
    test(what, async () => {
      await using skill = await openMcpSkill("behaves", { tool: "tell" });

      expect(await skill.call({ result }, within(20_000))).toMatchObject({
        status: "answered",
        output,
      });
    });
  }

  test("usage is read from _meta, and what cannot be true is left out with a word", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "tell" });
    const result = { content: [], _meta: { usage: { promptTokens: 12, completionTokens: -1 } } };

    const outcome = await skill.call({ result }, within(20_000));

    expect(outcome).toMatchObject({
      status: "answered",
      usage: { promptTokens: 12, completionTokens: null },
    });
    expect(outcome.warnings).toEqual([expect.stringContaining("usage.completionTokens")]);
  });

  test("an integer beyond what a number holds is warned of", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "tell" });

    const outcome = await skill.call(
      { result: { content: [], structuredContent: { n: 1e17 } } },
      within(20_000),
    );

    expect(outcome.warnings).toEqual([expect.stringContaining("2^53")]);
  });

  test("isError is the tool's own failure, in its own words", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "tell" });

    const outcome = await skill.call(
      { result: { content: [text("no such city")], isError: true } },
      within(20_000),
    );

    expect(outcome).toMatchObject({ status: "failed", cause: "tool-error", message: "no such city" });
  });

  test("an error of the protocol is reported with its code, and the server goes on", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "tell" });

    const outcome = await skill.call({ error: { code: -32602, message: "no query" } }, within(20_000));
    const next = await skill.call({ result: { content: [text("fine")] } }, within(20_000));

    expect(outcome).toMatchObject({
      status: "failed",
      cause: "rpc-error",
      message: "no query (code -32602)",
    });
    expect(next).toMatchObject({ status: "answered", output: "fine" });
    expect(skill.sandbox.commands).toHaveLength(1);
  });

  const wrong: [string, Json][] = [
    ["a result without content", {}],
    ["content that is not a list", { content: "hello" }],
    ["a block without a type", { content: [{ text: "hello" }] }],
    ["a text block without text", { content: [{ type: "text" }] }],
    ["a result that is not an object", 5],
  ];
  for (const [what, result] of wrong) {
    test(`${what} is a bad response`, async () => {
      await using skill = await openMcpSkill("behaves", { tool: "tell" });

      const outcome = await skill.call({ result }, within(2000));

      expect(outcome).toMatchObject({ status: "failed", cause: "bad-response" });
    });
  }

  test("an answer that cannot be read is a bad response, and the next call gets a new process", async () => {
    await using skill = await openMcpSkill("answers-garbage");

    for (let round = 0; round < 2; round++) {
      const outcome = await skill.call({}, within(20_000));
      expect(outcome).toMatchObject({
        status: "failed",
        cause: "bad-response",
        message: expect.stringContaining('duplicate key "a"'),
      });
    }
    expect(skill.sandbox.commands).toHaveLength(2);
  });

  test("an input that is not an object is refused before anything starts", async () => {
    await using skill = await openMcpSkill("behaves");

    for (const input of [null, "text", 5, true, [1]]) {
      const outcome = await skill.call(input, within(20_000));
      expect(outcome).toMatchObject({
        status: "failed",
        isFinal: true,
        message: expect.stringContaining("an object"),
      });
    }
    expect(skill.sandbox.commands).toHaveLength(0);
  });
});

describe("what a server has", () => {
  test("a tool that is not listed is missing, and the ones there are get named", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "sing" });

    const outcome = await skill.call({}, within(20_000));

    expect(outcome).toMatchObject({
      status: "failed",
      cause: "tool-missing",
      message: "the server has no tool sing; it has echo, odd, promise, tell",
    });
  });

  test("tools on later pages are found", async () => {
    await using skill = await openMcpSkill("pages", { tool: "tell" });

    expect(await skill.call({ result: { content: [] } }, within(20_000))).toMatchObject({
      status: "answered",
    });
  });

  test("a list of tools without end is a bad response", async () => {
    await using skill = await openMcpSkill("pages-forever");

    const outcome = await skill.call({}, within(20_000));

    expect(outcome).toMatchObject({
      status: "failed",
      cause: "bad-response",
      message: expect.stringContaining("is longer than"),
    });
  });

  test("a server that refuses the handshake is a protocol error", async () => {
    await using skill = await openMcpSkill("refuses-to-initialise");

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "rpc-error",
      message: expect.stringContaining("no licence"),
    });
  });

  test("a server that speaks another version is a bad response that names it", async () => {
    await using skill = await openMcpSkill("speaks-tomorrow");

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "bad-response",
      message: expect.stringContaining("2999-01-01"),
    });
  });

  test("one client serves one call after the other; the start is reported once and is no latency", async () => {
    await using skill = await openMcpSkill("tells-pid");

    const first = await skill.call({}, within(20_000));
    const second = await skill.call({}, within(20_000));

    expect(first.startupMs).toBeGreaterThan(0);
    expect(second.startupMs).toBeUndefined();
    expect((first as { output?: unknown }).output).toEqual((second as { output?: unknown }).output);
    expect(skill.sandbox.commands).toHaveLength(1);
  });

  test("what is printed on the wrong stream is kept as stray, log messages are not", async () => {
    await using skill = await openMcpSkill("chatters");

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "answered",
      stray: ["debug: on the wrong stream"],
    });
  });

  test("the server sees the variables it was given, and none of ours", async () => {
    process.env.MCP_TEST_SECRET = "hidden";
    await using skill = await openMcpSkill("tells-environment", { variables: { GREETING: "hi" } });

    const { output } = (await skill.call({}, within(20_000))) as { output?: Record<string, string> };

    expect(output).toMatchObject({ GREETING: "hi", EVAL_SKILLS_SANDBOX: "1" });
    expect(output).not.toHaveProperty("MCP_TEST_SECRET");
    delete process.env.MCP_TEST_SECRET;
  });

  test("a question with defaults for all it needs is answered with them", async () => {
    await using skill = await openMcpSkill("asks-back");
    const properties = { name: { type: "string", default: "Ada" }, age: { type: "integer" } };

    const outcome = await skill.call({ type: "object", properties, required: ["name"] }, within(20_000));

    expect(outcome).toMatchObject({
      status: "answered",
      output: { action: "accept", content: { name: "Ada" } },
    });
  });

  test("a question that only a person could answer is declined", async () => {
    await using skill = await openMcpSkill("asks-back");
    const properties = { name: { type: "string" } };

    const outcome = await skill.call({ type: "object", properties, required: ["name"] }, within(20_000));

    expect(outcome).toMatchObject({ status: "answered", output: { action: "decline" } });
  });
});

describe("fault row 32: servers that break off, hang, flood, lie and swap", () => {
  test("fault row 32: a server that dies in a call is a crash, with its last words, every time by one new process", async () => {
    await using skill = await openMcpSkill("dies");

    for (let round = 1; round <= 3; round++) {
      const outcome = await skill.call({}, within(20_000));
      expect(outcome).toMatchObject({
        status: "failed",
        cause: "crash",
        message: expect.stringMatching(/exit 3.*out of cheese/s),
      });
      expect(skill.sandbox.commands).toHaveLength(round);
    }
  });

  test("fault row 32: after one crash the next call gets a new process and its answer", async () => {
    await using folder = await temporaryFolder();
    await using skill = await openMcpSkill("dies-once", { file: join(folder.path, "died") });

    const crash = await skill.call({ a: 1 }, within(20_000));
    const answer = await skill.call({ a: 1 }, within(20_000));

    expect(crash).toMatchObject({ status: "failed", cause: "crash" });
    expect(answer).toMatchObject({ status: "answered", output: { a: 1 } });
  });

  test("fault row 32: a server that dies at its start is a crash after a single start", async () => {
    await using skill = await openMcpSkill("dies-at-start");

    const outcome = await skill.call({}, within(20_000));

    expect(outcome).toMatchObject({
      status: "failed",
      cause: "crash",
      message: expect.stringContaining("cannot open the database"),
    });
    expect(skill.sandbox.commands).toHaveLength(1);
  });

  test("a server that leaves politely in a call gave no response", async () => {
    await using skill = await openMcpSkill("leaves");

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "no-response" });
  });

  test("fault row 32: a server that never initialises ends at the deadline", async () => {
    await using skill = await openMcpSkill("never-initialises");

    const outcome = await skill.call({}, within(400));

    expect(outcome).toMatchObject({
      status: "timed-out",
      latencyMs: 400,
      message: expect.stringContaining("handshake"),
    });
    expect(skill.sandbox.running).toBe(0);
  });

  test("a slow tool times out at its deadline, and the next call gets a new process", async () => {
    await using skill = await openMcpSkill("hangs-when-told");
    await skill.call({}, within(20_000));

    const outcome = await skill.call({ hang: true }, within(300));
    const next = await skill.call({ hang: false }, within(20_000));

    expect(outcome).toMatchObject({
      status: "timed-out",
      latencyMs: 300,
      message: "no answer within 300 ms",
    });
    expect(next).toMatchObject({ status: "answered", output: { hang: false } });
    expect(skill.sandbox.commands).toHaveLength(2);
  });

  test("fault row 32: a flood of notifications ends at the output limit", async () => {
    await using skill = await openMcpSkill("floods-notifications", { maxOutputBytes: 1_000_000 });

    const outcome = await skill.call({}, within(20_000));

    expect(outcome).toMatchObject({ status: "failed", cause: "output-limit" });
    expect(outcome.bytesSeen).toBeLessThan(1_200_000);
  });

  test("one endless message ends at the output limit", async () => {
    await using skill = await openMcpSkill("floods-message", { maxOutputBytes: 1_000_000 });

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "output-limit" });
    await eventually(() => skill.sandbox.running === 0, "the server is gone");
  });

  test("fault row 32: an answer that breaks the tool's own schema is a bad response that says where", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "promise" });
    const lie = { content: [], structuredContent: { n: "many" } };

    const outcome = await skill.call({ result: lie }, within(20_000));

    expect(outcome).toMatchObject({
      status: "failed",
      cause: "bad-response",
      message: expect.stringContaining("/n must be number"),
    });
  });

  test("a tool that promised structure and gave only text is a bad response; its errors need none", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "promise" });

    const plain = await skill.call({ result: { content: [] } }, within(20_000));
    const failure = await skill.call({ result: { content: [], isError: true } }, within(20_000));
    const valid = await skill.call({ result: { content: [], structuredContent: { n: 1 } } }, within(20_000));

    expect(plain).toMatchObject({
      cause: "bad-response",
      message: expect.stringContaining("structuredContent is missing"),
    });
    expect(failure).toMatchObject({ cause: "tool-error" });
    expect(valid).toMatchObject({ status: "answered", output: { n: 1 } });
  });

  test("a schema that cannot be understood is a warning, no verdict", async () => {
    await using skill = await openMcpSkill("behaves", { tool: "odd" });

    const outcome = await skill.call(
      { result: { content: [], structuredContent: { n: 1 } } },
      within(20_000),
    );

    expect(outcome).toMatchObject({ status: "answered", warnings: [expect.stringContaining("misspelt")] });
  });

  test("fault row 32: tools swapped after listing are warned of, against the hash of the first list", async () => {
    await using skill = await openMcpSkill("swaps");

    const first = await skill.call({}, within(20_000));
    const second = await skill.call({}, within(20_000));

    expect(first.warnings).toEqual([expect.stringContaining("tools changed during this call")]);
    expect(second.warnings?.[0]).toMatch(
      /echo differs, odd is gone, promise is gone, steal is new, tell is gone \(sha256:[0-9a-f]{64} became sha256:/,
    );
  });

  test("fault row 32: another list of tools after a restart is warned of", async () => {
    await using folder = await temporaryFolder();
    await using skill = await openMcpSkill("swaps-on-restart", { file: join(folder.path, "died") });

    const crash = await skill.call({}, within(20_000));
    const outcome = await skill.call({}, within(20_000));

    expect(crash).toMatchObject({ status: "failed", cause: "crash" });
    expect(outcome).toMatchObject({
      status: "answered",
      warnings: [expect.stringContaining("echo differs")],
    });
  });

  test("a child that the server started and let go is gone with it", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "pid");
    let pid = 0;
    {
      await using skill = await openMcpSkill("leaves-a-child", { file });
      await skill.call({}, within(20_000));
      pid = await pidFrom(file);
      expect(isAlive(pid)).toBe(true);
    }

    await eventually(() => !isAlive(pid), "the child is gone");
  });
});
