import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinedParts, readInChunks } from "../../../test/builders/read-in-chunks.ts";
import { sampleReplies } from "../../../test/builders/sample-replies.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { contentPath } from "./decision-stream.ts";
import type { JsonProblemCode } from "./json-problem.ts";

const loneSurrogate = /\p{Surrogate}/u;

function valueOrCode(text: string | Uint8Array, size = 1_000_000) {
  const { end } = readInChunks(text, size);
  return end.ok ? end.value : end.code;
}

describe("cut anywhere", () => {
  test.for(sampleReplies())("one object and one answer from every chunk size: $name", ({ text, content }) => {
    const bytes = Buffer.from(text);
    const watch = [`+${contentPath}`, "$.action.type"];
    const whole = readInChunks(bytes, bytes.length, { watch });
    expect(whole.end).toMatchObject({
      ok: true,
      value: { action: { type: "final_answer", payload: { content } }, plan_update: null },
      chars: text.length,
    });
    expect(joinedParts(whole.values)).toBe(content);
    const sizes = Array.from({ length: bytes.length }, (_, at) => at + 1);
    const differing = sizes.filter((size) => {
      const { end, values } = readInChunks(bytes, size, { watch });
      const isSplit = values.some(({ value }) => loneSurrogate.test(value as string));
      return isSplit || joinedParts(values) !== content || !isDeepStrictEqual(end, whole.end);
    });
    expect(differing).toEqual([]);
  });

  test.for(sampleReplies())("cut off anywhere there is no object: $name", ({ text }) => {
    const bytes = Buffer.from(text);
    const last = Math.max(bytes.lastIndexOf("}}"), bytes.lastIndexOf("\n}"));
    const lengths = Array.from({ length: last + 2 }, (_, length) => length);
    expect(lengths.filter((length) => readInChunks(bytes.subarray(0, length), 16).end.ok)).toEqual([]);
    expect(readInChunks(bytes.subarray(0, last + 2), 16).end.ok).toBe(true);
  });

  test("what was reported before a refusal does not depend on the chunks", () => {
    const watch = ["+$.a", "$.b"];
    for (const bad of [
      '{"b":1,"a":"né\\ud83d\\q"}',
      '{"a":"abc\u0001"}',
      '{"a":"abc',
      '{"a":"😀abc","b":01}',
    ]) {
      const whole = readInChunks(bad, 1000, { watch });
      for (let size = 1; size < 8; size++) {
        const parts = readInChunks(bad, size, { watch });
        expect(parts.end).toEqual(whole.end);
        expect(joinedParts(parts.values)).toBe(joinedParts(whole.values));
      }
    }
  });
});

describe("watched paths", () => {
  const text =
    '{"a":{"rows":[{"n":"x"},{"n":"yz","m":[true]},{}],"odd key":"q","e":""},"n":"no","p":{"k":[1]}}';

  test("are reported with their path, once they are known", () => {
    const watch = ["$.a.rows[*].n", "$.a.rows[1].m[0]", '$.a["odd key"]', "$.p", "$.missing", "$.a.e"];
    const { values } = readInChunks(text, 3, { watch });
    expect(values.map(({ path, value }) => [path, value])).toEqual([
      ["$.a.rows[0].n", "x"],
      ["$.a.rows[1].n", "yz"],
      ["$.a.rows[1].m[0]", true],
      ['$.a["odd key"]', "q"],
      ["$.a.e", ""],
      ["$.p", { k: [1] }],
    ]);
  });

  test("are reported in parts where they are strings, to every listener", () => {
    const { values } = readInChunks(text, 1, {
      watch: ["+$.a.rows[*].n", "+$.a.rows[1].n", "+$.p", "+$.a.e"],
    });
    expect(values.map(({ path, value }) => `${path} ${value}`)).toEqual([
      "$.a.rows[0].n x",
      "$.a.rows[1].n y",
      "$.a.rows[1].n y",
      "$.a.rows[1].n z",
      "$.a.rows[1].n z",
    ]);
  });

  test("of a second object stay silent once an invalid first one was reported", () => {
    const watch = ["+$.a"];
    const { end, values } = readInChunks('{"a":"first",} {"a":"second"}', 100, { watch });
    expect(end).toMatchObject({ ok: true, value: { a: "second" } });
    expect(joinedParts(values)).toBe("first");
    expect(joinedParts(readInChunks('{b} {"a":"second"}', 100, { watch }).values)).toBe("second");
  });
});

const refused: [text: string, code: JsonProblemCode][] = [
  ["", "no_object"],
  ["just prose", "no_object"],
  ["[1]", "no_object"],
  ["{", "truncated"],
  ['{"a":[1,2', "truncated"],
  ['{"a":1,}', "unexpected_character"],
  ['{"a":[1,]}', "unexpected_character"],
  ['{,"a":1}', "unexpected_character"],
  ['{"a"}', "unexpected_character"],
  ['{"a" 1}', "unexpected_character"],
  ['{"a":}', "unexpected_character"],
  ['{"a":1 "b":2}', "unexpected_character"],
  ['{"a":[1}]', "unexpected_character"],
  ["{'a':1}", "unexpected_character"],
  ["{a:1}", "unexpected_character"],
  ['{"a":“b”}', "unexpected_character"],
  ['{"a":1\u00a0}', "unexpected_character"],
  ['{"a":NaN}', "unexpected_character"],
  ['{"a":+1}', "unexpected_character"],
  ['{"a":.5}', "unexpected_character"],
  ['{"a":/* no */1}', "unexpected_character"],
  ['{"a":"\n"}', "control_character"],
  ['{"\t":1}', "control_character"],
  ['{"a":"\\x"}', "bad_escape"],
  ['{"a":"\\u12g4"}', "bad_escape"],
  ['{"a":"\\u12"}', "bad_escape"],
  ['{"a":"\\é"}', "bad_escape"],
  ['{"a":tru}', "bad_literal"],
  ['{"a":nulL}', "bad_literal"],
  ['{"a":True}', "unexpected_character"],
  ['{"a":01}', "bad_number"],
  ['{"a":-}', "bad_number"],
  ['{"a":1.}', "bad_number"],
  ['{"a":1e}', "bad_number"],
  ['{"a":1-1}', "bad_number"],
  ['{"a":1e999}', "bad_number"],
  ['{"a":-1e999}', "bad_number"],
  ['{"a":1,"a":1}', "duplicate_key"],
  ['{"b":[{"a":1,"\\u0061":{}}]}', "duplicate_key"],
  ['{"__proto__":1,"__proto__":1}', "duplicate_key"],
];

test.for(refused)("%j is refused: %s", ([text, code]) => {
  const { end } = readInChunks(text, 1000);
  expect(end).toMatchObject({ ok: false, code });
  expect(readInChunks(text, 1).end).toEqual(end);
});

test("a refusal says where, in characters, and shows what it met", () => {
  const problemOf = (text: string) => readInChunks(text, 5).end;
  expect(problemOf('表单 {"é":"😀", x}')).toMatchObject({
    problem: 'unexpected "x" at offset 14, where a key in double quotes should stand',
  });
  expect(problemOf('{"a":"\u001b[31m"}')).toMatchObject({
    problem: '"\\e" must be escaped in a string, at offset 6',
  });
  expect(problemOf('{"a":1,\u202e}')).toMatchObject({ problem: expect.stringContaining('"\\u{202e}"') });
  expect(problemOf('see {this} and {"a":1,}')).toMatchObject({
    problem: expect.stringContaining("offset 22"),
  });
});

test("64 levels are read, and no more", () => {
  expect(readInChunks(`${'{"a":'.repeat(64)}1${"}".repeat(64)}`, 9).end.ok).toBe(true);
  expect(readInChunks(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`, 9).end.ok).toBe(true);
  expect(valueOrCode(`${'{"a":'.repeat(65)}1${"}".repeat(65)}`)).toBe("too_deep");
  expect(valueOrCode(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`, 1)).toBe("too_deep");
});

test("keys that mean something to JavaScript are keys", () => {
  const text = '{"__proto__":{"admin":true},"constructor":1,"toString":null,"1":2,"":3}';
  const value = valueOrCode(text);
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect((value as { admin?: unknown }).admin).toBeUndefined();
});

test("a surrogate without its other half becomes U+FFFD, in parts and in the object", () => {
  for (const [written, read] of [
    ["\\ud83d", "\ufffd"],
    ["\\ud83dx", "\ufffdx"],
    ["\\ud83d\\n", "\ufffd\n"],
    ["\\ud83d表", "\ufffd表"],
    ["\\ud83dé", "\ufffdé"],
    ["\\ude00\\ud83d", "\ufffd\ufffd"],
    ["\\ud83d\\ud83d\\ude00", "\ufffd😀"],
    ["\\uD83D\\uDE00", "😀"],
    ["\\ud83d\\u0041", "\ufffdA"],
    ["a\\ud83d\\ude00\\ude00", "a😀\ufffd"],
  ])
    for (const size of [1, 2, 5, 100]) {
      const { end, values } = readInChunks(`{"a":"${written}","${written}":1}`, size, { watch: ["+$.a"] });
      expect(end).toMatchObject({ ok: true, value: { a: read, [read as string]: 1 } });
      expect(joinedParts(values)).toBe(read);
    }
});

test("invalid UTF-8 is refused anywhere", () => {
  const bad = [
    [0x80],
    [0xff],
    [0xc0, 0x80],
    [0xe0, 0x80, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe8, 0x41],
  ];
  const templates = ["%", "%{}", "{}%", '{"a":"%"}', '{"%":1}', '{"a":%1}', '{"a":1,} %', '{"a":"\\%'];
  for (const bytes of bad)
    for (const text of templates)
      for (const size of [1, 2, 100]) {
        const [before = "", after = ""] = text.split("%");
        const all = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
        expect(valueOrCode(all, size), `${text} with ${bytes}`).toBe("invalid_utf8");
      }
  expect(valueOrCode(Buffer.from("{} é").subarray(0, -1))).toBe("invalid_utf8");
  expect(valueOrCode(Buffer.from('{"é').subarray(0, -1))).toBe("truncated");
});

test("characters are counted as JavaScript does, noise included, and one too many is refused", () => {
  for (const text of [
    '{"a":"bcd"}',
    '{"a":"表单😀é"}',
    '表 {"a":1} 😀',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"😀"}😀',
    "{x} 表😀",
  ])
    for (const size of [1, 3, 100])
      for (const spare of [-3, -2, -1, 0, 1]) {
        const { end } = readInChunks(text, size, { maxChars: text.length + spare });
        if (spare < 0) expect(end).toMatchObject({ ok: false, code: "too_long" });
        else expect(end).not.toMatchObject({ code: "too_long" });
      }
});

test("white space and a byte order mark around the object are not noise", () => {
  const noiseOf = (text: string) => {
    const { end } = readInChunks(text, 4);
    return end.ok && { ...end.noise, warnings: end.warnings.length };
  };
  expect(noiseOf('\ufeff \r\n\u3000{"a":1}\t\n\u00a0')).toEqual({ before: false, after: false, warnings: 0 });
  expect(noiseOf('```json\n{"a":1}')).toEqual({ before: true, after: false, warnings: 1 });
  expect(noiseOf('{"a":1}.')).toEqual({ before: false, after: true, warnings: 1 });
  expect(noiseOf('{a} {"a":1} {"b":1}')).toEqual({ before: true, after: true, warnings: 2 });
});

/**
 * Where we and `JSON.parse` may differ: duplicate keys, more than 64 levels and infinite numbers, which `parseStrictJson`
 * refuses as well; lone surrogates, which become U+FFFD; and noise, which `noise` reports.
 */
test("says yes and no as JSON.parse does, and reads the same", () => {
  const piece = fc.constantFrom(
    ...'{}[]",:\\/u0123dD8eE+-.truefalsn \n\t\u0001é表😀\u2028',
    '"a":1',
    "\\ud83d",
    "\\u00e9",
    "1e400",
    "-0",
    "null",
    ',"a":[]',
  );
  const change = fc.record({ at: fc.nat(), cut: fc.nat(3), piece: fc.option(piece, { nil: "" }) });
  const member = fc.oneof(fc.jsonValue({ maxDepth: 2, stringUnit: "binary" }), fc.double().map(finite));
  const root = fc.dictionary(fc.string({ unit: "binary", maxLength: 4 }), member, { maxKeys: 4 });
  const text = fc
    .record({ root, indent: fc.constantFrom(0, 1), changes: fc.array(change, { maxLength: 2 }) })
    .map(({ root, indent, changes }) => changes.reduce(changed, JSON.stringify(root, null, indent)));

  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (text, size) => {
      const whole = readInChunks(text, 1_000_000).end;
      expect(isDeepStrictEqual(readInChunks(text, size).end, whole)).toBe(true);
      const parsed = parseStrictJson(Buffer.from(text).toString().trim(), 64);
      const isObject = parsed.ok && parsed.value instanceof Object && !Array.isArray(parsed.value);
      expect(whole.ok && !whole.noise.before && !whole.noise.after).toBe(isObject);
      // Negative zero and `__proto__` included.
      if (isObject)
        expect(JSON.stringify((whole as { value?: unknown }).value)).toBe(wellFormed(parsed.value));
    }),
    { numRuns: 400 },
  );
});

function finite(number: number): number {
  return Number.isFinite(number) ? number : 0;
}

function changed(text: string, { at, cut, piece }: { at: number; cut: number; piece: string }): string {
  const from = at % (text.length + 1);
  return text.slice(0, from) + piece + text.slice(from + cut);
}

function wellFormed(value: unknown): string {
  return JSON.stringify(value).replace(/\\ud[89a-f]../g, "\ufffd");
}
