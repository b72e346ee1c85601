import { expect, test } from "vitest";
import {
  calledTurn,
  finalTurn,
  rejectedTurn,
  sampleRecord,
} from "../../../test/builders/sample-conversation.ts";
import { conversationTimeline } from "./conversation-timeline.ts";

test("a conversation is what was asked, said and done, and how it ended without an answer", () => {
  const failed = {
    ok: false,
    code: "tool-failed",
    message: "no such clause\nline 2",
    data: null,
    repeat: true,
  };
  const record = sampleRecord({
    turns: [
      rejectedTurn(1),
      calledTurn(2, failed),
      calledTurn(3, { data: "3" }),
      finalTurn(4, "共 3 处\n风险"),
    ],
    end: "turn-limit",
    problem: "4 turns are allowed",
  });
  const rows = conversationTimeline(record, "检查").map(({ atMs, label, text, tone = "", quote }) => [
    ...[atMs, label, text, tone],
    ...(quote === undefined ? [] : [quote]),
  ]);
  const prompt =
    "prompt of contract-review: 100 characters\ntool risk_detector(max_results:int) — finds risky clauses @contract-review";
  const call = 'calls risk_detector {"max_results":3,"deep":{"a":1,"b":[1,2]}}';
  expect(rows).toEqual([
    [0, "user", "检查", ""],
    [0, "skills", "contract-review 0.80, chosen by words, in writer", "", prompt],
    [5, "model", "", "bad", "```json\n{}\n```"],
    [5, "protocol", "not a valid call: fenced; it looks like a call of risk_detector", "bad"],
    [10, "model", call, ""],
    [17, "tool risk_detector", "", "bad", "no such clause\nline 2\nthe same call as before"],
    [22, "model", call, ""],
    [29, "tool risk_detector", "3", "good"],
    [34, "model", "", "", "共 3 处\n风险"],
    [34, "end", "turn-limit: 4 turns are allowed", "bad"],
  ]);
});

test("a script that takes no time has none", () => {
  const record = sampleRecord({ turns: [{ ...finalTurn(1, "yes"), llm_ms: 0 }] });
  expect(conversationTimeline(record, null).map(({ atMs, label }) => [atMs, label])).toEqual([
    [null, "skills"],
    [null, "model"],
  ]);
});
