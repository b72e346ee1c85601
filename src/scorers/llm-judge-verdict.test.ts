import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readVerdict } from "./llm-judge-verdict.ts";

describe("a verdict is one JSON object with a score", () => {
  test.each([
    ["plain", '{"score": 0.8, "reason": "misses the date"}', 0.8, "misses the date"],
    ["with space around it", '\n  {"score":1,"reason":"ok"}  \n', 1, "ok"],
    ["in a code fence", '```json\n{"score":0,"reason":"no"}\n```', 0, "no"],
    ["in a fence without a language", '```\n{"score":0.5,"reason":"half"}\n```\n', 0.5, "half"],
    ["in a fence with Windows line ends", '```JSON\r\n{"score":0.5,"reason":"half"}\r\n```', 0.5, "half"],
    ["without a reason", '{"score":1}', 1, null],
    [
      "with a reason that holds a verdict",
      '{"score":0,"reason":"it says {\\"score\\":1}"}',
      0,
      'it says {"score":1}',
    ],
    ["with a small number", '{"score":1e-3,"reason":""}', 0.001, ""],
  ])("%s", (_name, reply, score, reason) => {
    expect(readVerdict(reply)).toEqual({ ok: true, score, reason });
  });

  test("a long reason is cut", () => {
    const verdict = readVerdict(JSON.stringify({ score: 1, reason: "x".repeat(5000) }));

    expect(verdict.ok && verdict.reason).toHaveLength(2000);
  });
});

describe("fault row 33: nothing else is a verdict", () => {
  test.each([
    ["nothing", ""],
    ["blanks", " \n\t "],
    ["garbage", "��%$#@!"],
    ["prose", "I would give this 0.9 out of 1."],
    ["a bare number", "0.9"],
    ["a number in quotes", '"0.9"'],
    ["the number of problems", "10 problems"],
    ["prose before JSON", 'Sure! {"score":1,"reason":"ok"}'],
    ["prose after JSON", '{"score":1,"reason":"ok"} Hope this helps.'],
    ["prose before a fence", 'Here:\n```json\n{"score":1,"reason":"ok"}\n```'],
    ["prose after a fence", '```json\n{"score":1,"reason":"ok"}\n```\nDone.'],
    ["two objects", '{"score":1,"reason":"a"}\n{"score":0,"reason":"b"}'],
    ["two fences", '```\n{"score":1,"reason":"a"}\n```\n```\n{"score":0,"reason":"b"}\n```'],
    ["a list of one", '[{"score":1,"reason":"ok"}]'],
    ["the key twice", '{"score":0,"score":1,"reason":"ok"}'],
    ["more than was asked for", '{"score":0,"final_score":1,"reason":"ok"}'],
    ["a score above 1", '{"score":1.01,"reason":"ok"}'],
    ["a score of ten", '{"score":10,"reason":"ok"}'],
    ["a score below 0", '{"score":-0.1,"reason":"ok"}'],
    ["NaN", '{"score":NaN,"reason":"ok"}'],
    ["infinity", '{"score":1e999,"reason":"ok"}'],
    ["no score", '{"reason":"ok"}'],
    ["null for a score", '{"score":null,"reason":"ok"}'],
    ["a score in quotes", '{"score":"1","reason":"ok"}'],
    ["a truth for a score", '{"score":true,"reason":"ok"}'],
    ["a list for a reason", '{"score":1,"reason":["ok"]}'],
    ["a verdict that was cut off", '{"score":1,"reason":"the answ'],
    ["a refusal", "I'm sorry, but I can't help with that."],
    ["a refusal as JSON", '{"error":"I cannot grade this."}'],
    ["a verdict of more than 64 KiB", JSON.stringify({ score: 1, reason: "é".repeat(33_000) })],
    ["a verdict before 64 KiB of nothing", `{"score":1,"reason":"ok"}${" ".repeat(65_536)}`],
    ["nesting without end", `${'{"score":'.repeat(5000)}1${"}".repeat(5000)}`],
  ])("%s", (_name, reply) => {
    const verdict = readVerdict(reply);

    expect(verdict.ok).toBe(false);
    if (!verdict.ok) expect(verdict.problem.length).toBeLessThan(300);
  });

  test("whatever is read was written: a score is never made up", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.double().map((score) => JSON.stringify({ score })),
        ),
        (reply) => {
          const verdict = readVerdict(reply);
          if (!verdict.ok) return;
          expect(JSON.parse(reply.trim())).toMatchObject({ score: verdict.score });
          expect(verdict.score).toBeGreaterThanOrEqual(0);
          expect(verdict.score).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
