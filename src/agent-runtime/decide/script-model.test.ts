import { expect, test } from "vitest";
import { answering, impatientClock, listener, question } from "../../../test/builders/sample-asking.ts";
import { encodings, MockScript } from "../../contract/agent-case.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { makeDecide } from "./make-decide.ts";
import { scriptModel } from "./script-model.ts";

const request = { messages: question.messages, schema: true, ordinal: 1 };
const call = { signal: neverAborted };

const turns = [
  {
    action: {
      type: "select_skills",
      payload: { skills: [{ name: "表单", source: "project" }], reason: 'a "form" \\ / \u0007\u001e' },
    },
    plan_update: {
      mode: "replace",
      plan: { goal: "é", steps: [{ id: "a", title: "🙂", status: "pending" }] },
    },
    diagnostics: { sure: 0.5 },
  },
  answering("## 已完成\n\n- 表单已填写 👩‍💻 e\u0301 </p>"),
];

async function readActions(script: object, allow_streaming: boolean) {
  const { clock } = impatientClock();
  const decide = makeDecide(scriptModel(MockScript.parse(script), clock), { clock, random: () => 0 });
  const events = listener();
  const streamed = { ...question, budget: { ...question.budget, allow_streaming } };
  const decided = [
    await decide(streamed, events.on, neverAborted),
    await decide(streamed, events.on, neverAborted),
  ];
  return { decided, text: events.deltas.map(({ text }) => text).join("") };
}

test.each(encodings)(
  "the encoding %s gives the same actions, streamed in any chunks or not",
  async (encoding) => {
    const plain = await readActions({ turns }, false);
    const recovered = encoding === "fenced" ? "extracted" : "none";
    const wanted = plain.decided.map((one) => ({ ...one, recovered, warnings: expect.any(Array) }));
    const encoded = turns.map((turn) => ({ ...turn, encoding }));

    expect((await readActions({ turns: encoded }, false)).decided).toEqual(wanted);
    for (const chunk_bytes of [1, 2, 3, 5, 16, 100_000]) {
      const { decided, text } = await readActions({ turns: encoded, streaming: { chunk_bytes } }, true);
      expect(decided).toEqual(wanted);
      expect(text).toBe((turns[1] as ReturnType<typeof answering>).action.payload.content);
    }
  },
);

test("each encoding is written as its name says", async () => {
  const { clock } = impatientClock();
  const script = encodings.map((encoding) => ({ ...answering("né/b"), encoding }));
  const model = scriptModel(MockScript.parse({ turns: script }), clock);
  const texts: string[] = [];
  for (const _ of encodings) {
    const reply = await model.call(request, call);
    texts.push(reply.status === "answered" ? reply.text : "");
  }
  const [compact, pretty, fenced, escaped = "", payloadFirst] = texts;

  expect(compact).toBe(
    '{"action":{"type":"final_answer","payload":{"content":"né/b"}},"plan_update":null,"diagnostics":null}',
  );
  expect(pretty).toContain('\n  "action": {\n');
  expect(fenced).toBe(`\`\`\`json\n${pretty}\n\`\`\``);
  expect(escaped).toContain('"c\\u006fnt\\u0065nt":"n\\u00e9\\/b"');
  expect(JSON.parse(escaped)).toEqual(JSON.parse(compact ?? ""));
  expect(payloadFirst).toContain('"action":{"payload":{"content":"né/b"},"type":"final_answer"}');
});

test("bytes are cut where the script says, also inside characters", async () => {
  const { clock } = impatientClock();
  const chunks = async (streaming?: object) => {
    const model = scriptModel(MockScript.parse({ turns: [{ raw: "表单" }], streaming }), clock);
    const lengths: number[] = [];
    await model.call(request, { ...call, onBytes: (bytes) => lengths.push(bytes.length) });
    return lengths;
  };

  expect(await chunks({ chunk_bytes: 4 })).toEqual([4, 2]);
  expect(await chunks({})).toEqual([6]);
  expect(await chunks({ enabled: false, chunk_bytes: 1 })).toEqual([6]);
  expect(await chunks()).toEqual([6]);
});

test("what a prompt should hold is looked for in all its messages, in failing calls too", async () => {
  const { clock } = impatientClock();
  const expect_context = { contains: ["the rules", "CANARY"], not_contains: ["form", "secret"] };
  const script = {
    turns: [
      { ...answering("a"), expect_context },
      { error: { kind: "network" }, expect_context },
      { ...answering("b"), expect_context: { contains: ["fill"] } },
      answering("c"),
    ],
  };
  const model = scriptModel(MockScript.parse(script), clock);
  const found = { ok: false, missing: ["CANARY"], present: ["form"] };

  expect(await model.call(request, call)).toMatchObject({ mock: { index: 0, expect_context: found } });
  expect(await model.call(request, call)).toMatchObject({ mock: { index: 1, expect_context: found } });
  expect(await model.call(request, call)).toMatchObject({
    mock: { index: 2, expect_context: { ok: true, missing: [], present: [] } },
  });
  expect(await model.call(request, call)).toMatchObject({ mock: { index: 3 } });
  expect(model.scriptUse?.()).toEqual({ used: 4, unused: 0 });
});

test("delays pass on the given clock, and lines that were not used are counted", async () => {
  const { clock, pauses } = impatientClock();
  const script = {
    turns: [{ ...answering("a"), delay_ms: 5000 }, { ...answering("b"), delay_ms: 0 }, answering("c")],
  };
  const model = scriptModel(MockScript.parse(script), clock);
  await model.call(request, call);
  await model.call(request, call);

  expect(pauses).toEqual([5000]);
  expect(model.scriptUse?.()).toEqual({ used: 2, unused: 1 });
});

test("who asks after an interruption uses no line", async () => {
  const { clock } = impatientClock();
  const model = scriptModel(MockScript.parse({ turns: [answering("a")] }), clock);
  const reason = new Error("stop");

  await expect(model.call(request, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(model.scriptUse?.()).toEqual({ used: 0, unused: 1 });
});
