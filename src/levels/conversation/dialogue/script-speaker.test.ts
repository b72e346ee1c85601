import { expect, test } from "vitest";
import type { ConversationTurn } from "../../../contract/conversation-case.ts";
import { neverAborted } from "../../../shared/async/abort.ts";
import type { Json } from "../../../shared/json/json.ts";
import { scriptSpeaker } from "./speakers.ts";

async function speak(turn: ConversationTurn, results: readonly Json[] = []): Promise<string> {
  const reply = await scriptSpeaker({ turns: [turn] }).reply([], { results, signal: neverAborted });
  return reply.status === "answered" ? reply.text : `${reply.fault}: ${reply.message}`;
}

const results = [{ total: 2, risks: [{ name: "违约" }], "a b": null, quote: `\${results[0].total}` }, null];

test.each<[string, ConversationTurn, string]>([
  ["a call is one", { call: { name: "t", arguments: { a: ["é"] } } }, '{"name":"t","arguments":{"a":["é"]}}'],
  ["raw text is not touched", { raw: `\${results[0].total}` }, `\${results[0].total}`],
  ["a final reply is said", { final: "完成" }, "完成"],
  ["a number is quoted", { final: `共 \${results[0].total} 处` }, "共 2 处"],
  ["a text stands without quotes", { final: `[\${results[0].risks[0].name}]` }, "[违约]"],
  [
    "other values stand as JSON",
    { final: `\${results[0].risks} \${results[0]['a b']}` },
    '[{"name":"违约"}] null',
  ],
  ["what a result says is not a quote", { final: `\${results[0].quote}` }, `\${results[0].total}`],
  ["other braces are text", { final: `\${HOME} {results[0]}` }, `\${HOME} {results[0]}`],
  [
    "a member that is not there",
    { final: `\${results[0].totals}` },
    `mock-invalid: turn 1 of the script quotes \${results[0].totals}, but result 0 has no such member; it has .total .risks ["a b"] .quote`,
  ],
  [
    "a call without result",
    { final: `\${results[1].total}` },
    `mock-invalid: turn 1 of the script quotes \${results[1].total}, but call 2 has no result`,
  ],
  [
    "a call that was never made",
    { final: `\${results[2].total}` },
    `mock-invalid: turn 1 of the script quotes \${results[2].total}, but there are only 2 results by then`,
  ],
  [
    "a slip",
    { final: `\${result[0].total}` },
    `mock-invalid: turn 1 of the script quotes no result: \${result[0].total}; a quote looks like \${results[0].total}`,
  ],
])("%s", async (_, turn, wanted) => {
  expect(await speak(turn, results)).toBe(wanted);
});

test("who is asked more often than the script goes says so, and what is left is counted", async () => {
  const speaker = scriptSpeaker({ turns: [{ final: "a" }, { raw: "" }] });
  const call = { results: [], signal: neverAborted };

  expect(speaker.unused()).toBe(2);
  expect(await speaker.reply([], call)).toEqual({
    ...{ status: "answered", text: "a", ms: 0, firstTokenMs: null, usage: null },
  });
  expect(speaker.unused()).toBe(1);
  await speaker.reply([], call);
  expect(await speaker.reply([], call)).toEqual({
    ...{ status: "failed", fault: "mock-exhausted", message: "the script is used up: it has 2 turns", ms: 0 },
  });
  expect(speaker.unused()).toBe(0);
});

test("who asks after an interruption uses no line", async () => {
  const speaker = scriptSpeaker({ turns: [{ final: "a" }] });
  const reason = new Error("stop");

  await expect(speaker.reply([], { results: [], signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(speaker.unused()).toBe(1);
});
