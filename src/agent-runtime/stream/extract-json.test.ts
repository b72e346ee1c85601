import { describe, expect, test } from "vitest";
import { readInChunks } from "../../../test/builders/read-in-chunks.ts";
import { sampleReplies } from "../../../test/builders/sample-replies.ts";
import { extractJson, readReply } from "./extract-json.ts";

const found: [what: string, text: string, value: object | null, isExtracted?: boolean][] = [
  ["the whole text", ' {"a":{"b":1}}\n', { a: { b: 1 } }, false],
  ["the whole text behind a byte order mark", '\ufeff{"a":1}', { a: 1 }, false],
  ["the outer of nested objects in prose", 'Sure: {"a":{"b":{"c":1}}}, bye', { a: { b: { c: 1 } } }],
  ["in a fence", '```json\n{"a":1}\n```', { a: 1 }],
  ["with braces in its strings", 'x {"a":"}{\\"}","b":"{"} y', { a: '}{"}', b: "{" }],
  ["the first of two", '{"a":1}{"b":2}', { a: 1 }],
  ["the first of an array", '[{"a":1},{"b":2}]', { a: 1 }],
  ["after braces that balance", 'Fill {name} and {{x}}. {"a":1}', { a: 1 }],
  ["after an object that is none", '{"a":1,} or {"b":{"c":"}"},"b":1} or {"d":1}', { d: 1 }],
  ["after a string with a stray quotation mark", '{"a": b"}", c} {"d":1}', { d: 1 }],
  ["after a brace that nothing closes", 'A { opens it :{ {"a":1}', { a: 1 }],
  ["after a quoted brace", 'Write "{" first: {"a":1} }', { a: 1 }],
  ["after a thought that looks like one", '<think>{"a":1}</think>\n{"b":2}', { b: 2 }],
  ["after a thought without a beginning", '{"a":1} is wrong</think>{"b":2}', { b: 2 }],
  ["with a tag in its strings", '{"a":"<think>{"}', { a: "<think>{" }, false],
  ["nothing in a thought", '<Thinking>maybe {"a":1}</Thinking> I am done.', null],
  ["nothing in a thought that never ends", '<think>{"a":1}', null],
  ["nothing in prose", "I will answer now.", null],
  ["nothing in an empty text", "", null],
  ["nothing in a string", '"{\\"a\\":1}"', null],
  ["nothing inside an object that is none", '{"a":{"b":1},}', null],
  ["nothing inside an object with bare keys", '{action: {"b":1}}', null],
  ["nothing inside an object that is cut off", '{"a":{"b":1},"c":"', null],
  ["nothing inside an object with a bad first key", '{"a\\x":{"b":1}', null],
  ["nothing inside a bad object that is cut off", '{"a":1,,"b":{"c":1}', null],
];

test.for(found)("finds %s", ([, text, value, isExtracted = true]) => {
  const result = extractJson(text);
  if (value === null) expect(result).toMatchObject({ ok: false, problem: expect.any(String) });
  else expect(result).toMatchObject({ ok: true, value, extracted: isExtracted });
});

test("reports what it left out", () => {
  const warningsOf = (text: string) => {
    const result = extractJson(text);
    return result.ok ? result.warnings : [];
  };
  expect(warningsOf('{"a":1}')).toEqual([]);
  expect(warningsOf('Sure! {"a":1}')).toEqual(["ignored text before the object"]);
  expect(warningsOf('{"a":1} Done.')).toEqual(["ignored text after the object"]);
  expect(warningsOf('{"a":1} {"b":1}')).toEqual([
    "ignored text after the first object, possibly another object",
  ]);
  expect(warningsOf('{"a":1,} {"b":1}')).toEqual([
    'ignored text that is not a JSON object: unexpected "}" at offset 7, where a key in double quotes should stand',
  ]);
});

test("a text that is too long is not searched", () => {
  expect(extractJson(`{ ${"x".repeat(90)} {"a":1}`, 50)).toMatchObject({ ok: false, code: "too_long" });
});

describe("a reply that was streamed", () => {
  const texts = [...found.map(([, text]) => text), ...sampleReplies().map(({ text }) => text)];

  test.for([1, 7, 1000])("says what it says unstreamed, in chunks of %i", (size) => {
    for (const text of texts) {
      const whole = extractJson(text);
      const { extracted, ...rest } = { extracted: false, ...whole };
      const reply = readReply(text, readInChunks(text, size).end);
      expect(reply).toEqual(whole.ok ? { ...rest, recovered: extracted ? "extracted" : "none" } : whole);
    }
  });
});

test("hostile texts are read in a time that grows with their length", () => {
  expect(extractJson("{".repeat(200_000)).ok).toBe(false);
  for (const piece of ["{x}", '{"a":', '{"', '{"a":1,}', '{ "', "{{x} "])
    expect(extractJson(piece.repeat(10_000)).ok).toBe(false);
});
