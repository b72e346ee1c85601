import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readReply } from "./read-reply.ts";

const known = new Set(["t", "u", "read_file"]);
const read = (reply: string) => readReply(reply, (name) => known.has(name));

/** The verdict in a word: `call`, `final`, or why it was rejected. */
function verdict(reply: string): string {
  const result = read(reply);
  return result.kind === "rejected" ? result.rejection : result.kind;
}

const call = '{"name":"t","arguments":{"a":1}}';
const fence = "```";

describe("the table of replies", () => {
  const rows: [number, string, string[]][] = [
    [1, "call", [call, '{\n  "name": "t",\n  "arguments": {\n    "a": 1\n  }\n}', `\n\n ${call}\r\n\t\n`]],
    [2, "call", ['{"arguments":{"a":1},"name":"t"}']],
    [3, "call", ['{"name":"t","arguments":{}}']],
    [4, "call", ['{"action":"t","input":{"a":1}}', '{"input":{"a":1},"action":"t"}']],
    [5, "call", ['{"action":"t","input":"{\\"a\\":1}"}']],
    [6, "arguments-not-object", ['{"action":"t","input":"x"}']],
    [7, "arguments-missing", ['{"name":"t"}', '{"action":"t"}', '{"name":"t","age":3}']],
    [
      8,
      "arguments-not-object",
      [
        '{"name":"t","arguments":"a=1"}',
        '{"name":"t","arguments":[1]}',
        '{"name":"t","arguments":null}',
        '{"name":"t","arguments":"{\\"a\\":1}"}',
        '{"name":"t","arguments":1}',
      ],
    ],
    [
      9,
      "fenced",
      [
        `${fence}json\n${call}\n${fence}`,
        `${fence}\n${call}\n${fence}`,
        `${fence}json ${call} ${fence}`,
        `~~~\n${call}\n~~~`,
        `Here it is:\n\n${fence}json\n${call}\n${fence}\n\nDone.`,
        `调用：${fence}json\n${call}\n${fence}`,
        `${fence}json\n${call}`,
        `${fence}json\n${call.slice(0, -1)}\n${fence}`,
        `${fence}\n{'name':'t','arguments':{}}\n${fence}`,
        `${fence}\nls\n${fence}\n${fence}\n${call}\n${fence}`,
        `${fence}json\n{"tool_calls":[${call}]}\n${fence}`,
      ],
    ],
    [10, "prefixed", [`TOOL_CALL: ${call}`, `TOOL_CALL ${call}`, `TOOL_CALL\n${fence}\n${call}\n${fence}`]],
    [
      10,
      "prefixed",
      [`TOOL_CALL: ${call}${call}`, `TOOL_CALL: ${call.slice(0, -2)}`, 'TOOL_CALL: {"name":"t"}'],
    ],
    [
      11,
      "surrounding-text",
      [`I will call it: ${call}`, `I'll say "call": ${call}`, `<think>{</think>${call}`],
    ],
    [
      12,
      "surrounding-text",
      [`${call}。`, `${call}done`, `${call}\n\ndone`, `${call};`, `${call}}`, `${call} // go`],
    ],
    [
      13,
      "surrounding-text",
      [`{${call}}`, `<tool_call>${call}</tool_call>`, `\`${call}\``, `(${call})`, `: ${call}`],
    ],
    [
      14,
      "multiple-calls",
      [`${call}{"name":"t","arguments":{"a":2}}`, `${call}\n${call}`, `${call},${call}`],
    ],
    [14, "multiple-calls", [`First ${call} and then {"action":"u","input":{}}.`]],
    [15, "array", [`[${call}]`, `[${call},${call}]`, `[1,{"action":"nope","input":1}]`]],
    [16, "tool-calls-wrapper", [`{"tool_calls":[${call}]}`, `{"tool_calls":[],"name":"t","arguments":{}}`]],
    [
      17,
      "not-json",
      [
        "{'name':'t','arguments':{'a':1}}",
        '{"name":"t","arguments":{"a":1},}',
        '{"name":"t","arguments":{"a":1,}}',
        '{name:"t", arguments:{a:1}}',
        "{“name”:“t”,“arguments”:{“a”:1}}",
        '{"name"："t","arguments"：{}}',
        '{"name":"t" "arguments":{}}',
        '{\\"name\\":\\"t\\",\\"arguments\\":{}}',
        '{"name":"t","arguments":{"a":None}}',
        '{"name":"t",\u00a0"arguments":{}}',
        '{"name":"t","arguments":{"text":"two\nlines"}}',
        `{'name':'t','arguments':{'a':'it{s'}}`,
      ],
    ],
    [
      18,
      "truncated",
      [
        '{"name":"t","arguments":{"a":1}',
        '{"name":"t","arguments":{"a":"x',
        '{"name":"t","arguments":{"a":"x}}',
        '{"name":"t","arguments":{',
        '{"arguments":{"a":1,"name":"t"}',
        '{"name":"t","arguments":',
        '{"name":"t","argu',
        '{"name":"t"',
        "{'name':'t','arguments':{'a':",
      ],
    ],
    [19, "mixed-forms", ['{"name":"t","action":"u","arguments":{}}', '{"name":"t","input":{}}']],
    [
      19,
      "mixed-forms",
      ['{"action":"t","arguments":{}}', '{"name":"t","arguments":{},"input":{},"action":"t"}'],
    ],
    [
      20,
      "extra-keys",
      ['{"name":"t","arguments":{},"id":"c1"}', '{"name":"t","arguments":{},"__proto__":{}}'],
    ],
    [
      21,
      "duplicate-keys",
      ['{"name":"t","name":"u","arguments":{}}', '{"name":"t","arguments":{"a":1,"a":2}}'],
    ],
    [21, "duplicate-keys", ['{"name":"t","arguments":{"a":[{"b":1,"\\u0062":2}]}}']],
    [21, "duplicate-keys", ['{"action":"t","input":"{\\"a\\":1,\\"a\\":2}"}']],
    [
      22,
      "bad-name",
      ['{"name":"../t","arguments":{}}', '{"name":"","arguments":{}}', '{"name":7,"arguments":{}}'],
    ],
    [
      22,
      "bad-name",
      ['{"name":null,"arguments":{}}', '{"name":"t\\n","arguments":{}}', '{"action":["t"],"input":{}}'],
    ],
    [22, "bad-name", [`{"name":"${"t".repeat(65)}","arguments":{}}`, '{"name":"工具","arguments":{}}']],
    [23, "call", ['{"name":"nope","arguments":{}}', '{"name":"T","arguments":{}}']],
    [24, "final", ['{"schema_version":"ah32.plan.v1","actions":[{"name":"t","arguments":{}}]}']],
    [
      25,
      "final",
      ['{"name":"Ann","age":3}', "[1,2]", `"${call.replaceAll('"', '\\"')}"`, "null", "3", '[{"name":"t"}]'],
    ],
    [
      26,
      "final",
      ['The tool t takes {"a":1}.', 'Say {"name":"Ann"} or {"arguments":1}.', "name: t, arguments: none"],
    ],
    [
      26,
      "final",
      [`${fence}ts\nf({ name: "t", arguments: [] })\n${fence}`, "The file {name} is {action}: input"],
    ],
    [27, "empty", ["", " \n\t ", "\ufeff", "\u00a0\u2028"]],
  ];

  test.each(rows)("row %i: %s", (_, wanted, replies) => {
    for (const reply of replies) expect(verdict(reply), reply).toBe(wanted);
  });

  test("a call has its name, its arguments, its form and its warnings", () => {
    expect(read(call)).toEqual({ kind: "call", name: "t", arguments: { a: 1 }, form: "call", warnings: [] });
    expect(read('{"action":"t","input":{"a":1}}')).toMatchObject({
      form: "legacy",
      warnings: ["legacy-form"],
    });
    expect(read('{"action":"t","input":"{\\"a\\":1}"}')).toEqual({
      kind: "call",
      name: "t",
      arguments: { a: 1 },
      form: "legacy",
      warnings: ["legacy-form", "string-input"],
    });
  });

  test("a final reply is what was said, unchanged", () => {
    expect(read("\ufeff Done. \n")).toEqual({ kind: "final", text: "\ufeff Done. \n" });
  });
});

describe("the order of what is wrong", () => {
  test.each([
    ["tool-calls-wrapper", '{"tool_calls":1,"tool_calls":2,"name":"t","action":"t"}'],
    ["duplicate-keys", '{"name":7,"name":8,"action":1,"x":1}'.replace('"x"', '"arguments"')],
    ["mixed-forms", '{"name":7,"action":"t","x":1}'],
    ["arguments-missing", '{"name":"t","x":1,"y":2}'],
    ["extra-keys", '{"name":7,"arguments":"x","id":1}'],
    ["bad-name", '{"name":7,"arguments":"x"}'],
    ["prefixed", `TOOL_CALL ${fence}${call}${fence}${call}`],
    ["fenced", `${call} ${fence}${call}${fence}`],
    ["multiple-calls", `${call} ${call} {"name":"t","arguments":{`],
    ["surrounding-text", `${call} {"name":"t","arguments":{`],
  ])("%s comes first", (wanted, reply) => {
    expect(verdict(reply)).toBe(wanted);
  });
});

describe("around a call", () => {
  test("a byte order mark and blanks of any kind are nothing", () => {
    for (const blank of ["\ufeff", "\u00a0", "\u2028", "\u2029", "\u3000", "\n"])
      expect(verdict(`${blank}${call}${blank}`)).toBe("call");
    expect(verdict(`\u200b${call}`)).toBe("surrounding-text");
  });

  test("what stands inside a call is its own affair", () => {
    const nested = `{"name":"t","arguments":{"again":${call}}}`;
    expect(verdict(nested)).toBe("call");
    expect(verdict(`Go: ${nested}`)).toBe("surrounding-text");
    expect(verdict(`Go: {"actions":[${call}]}`)).toBe("surrounding-text");
    expect(verdict(`Go: {"actions":[${call},${call}]}`)).toBe("multiple-calls");
  });

  test("fences that hold no call do not count, nor those inside the call", () => {
    expect(verdict(`${fence}\nls\n${fence}\n${call}`)).toBe("surrounding-text");
    expect(verdict(`Go: {"name":"t","arguments":{"text":"${fence}"}} ${fence}`)).toBe("surrounding-text");
    expect(verdict(`{"name":"t","arguments":{"text":"${fence}json\\n{}\\n${fence}"}}`)).toBe("call");
  });

  test("an object that prose cuts in two is found all the same", () => {
    expect(verdict(`{"call":"${call}"}`)).toBe("surrounding-text");
    expect(verdict(`{ "so: ${call}`)).toBe("surrounding-text");
  });

  test("names and keys of prototypes are data", () => {
    expect(read('{"name":"__proto__","arguments":{"__proto__":{"a":1},"constructor":2}}')).toMatchObject({
      kind: "call",
      name: "__proto__",
      arguments: JSON.parse('{"__proto__":{"a":1},"constructor":2}'),
    });
    expect(verdict('{"__proto__":{"name":"t","arguments":{}}}')).toBe("final");
    expect(verdict('{"name":"t","__proto__":{"arguments":{}}}')).toBe("arguments-missing");
  });

  test("what cannot be passed on as it was said is not a call", () => {
    expect(verdict('{"name":"t","arguments":{"a":1e999}}')).toBe("not-json");
    const deep = (depth: number) => `{"name":"t","arguments":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    expect(verdict(deep(126))).toBe("call");
    expect(verdict(deep(127))).toBe("not-json");
    expect(verdict(`{"plan":${deep(500)}}`)).toBe("final");
  });
});

describe("the lenient reading", () => {
  const right = { name: "t", arguments: { a: 1 } };
  test.each([
    [`${fence}json\n${call}\n${fence}`, right],
    [`TOOL_CALL: ${call}`, right],
    [`I will call it: ${call}`, right],
    [`{${call}}`, right],
    [`${call}${call.replace("1", "2")}`, right],
    [`[7,{"x":1},${call}]`, right],
    [`{"tool_calls":[${call}]}`, right],
    ['{"tool_calls":[{"type":"function","function":{"name":"t","arguments":"{\\"a\\":1}"}}]}', right],
    ['{"name":"t","arguments":"{\\"a\\":1}"}', right],
    ['{"name":"t","arguments":{"a":1},"id":"c1"}', right],
    ['{"name":"t","action":"u","arguments":{"a":1}}', right],
    ['{"name":"t","arguments":{"a":2,"a":1}}', right],
    ['{"name":"t"}', { name: "t", arguments: {} }],
    ['{"name":"t","arguments":[1]}', null],
    ['{"name":"../t","arguments":{}}', null],
    ['{"tool_calls":"t"}', null],
    [call.slice(0, -1), null],
    ["", null],
    [`Go: {"name":"t","arguments":${'{"a":'.repeat(200)}1${"}".repeat(201)}`, null],
  ])("of %s", (reply, lenient) => {
    expect(read(reply)).toMatchObject({ kind: "rejected", lenient });
  });
});

describe("whatever a model says", () => {
  const words = fc.constantFrom(
    ...[
      '{"',
      "{",
      "}",
      "[",
      "]",
      '"',
      "'",
      ":",
      ",",
      "\\",
      "\n",
      " ",
      fence,
      "TOOL_CALL",
      "name",
      '"name":"t"',
    ],
    ...[
      '"arguments":{}',
      '"action":',
      '"input"',
      '"tool_calls"',
      call,
      "1e9",
      "null",
      "。",
      "\ufeff",
      "{'",
      "“",
    ],
  );
  const noise = fc.oneof(
    fc.array(words, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ maxLength: 20 }),
  );

  test("reading never throws, and a call is exactly one object with the two keys of its form", () => {
    fc.assert(
      fc.property(noise, noise, fc.nat({ max: call.length }), (a, b, at) => {
        for (const reply of [a, `${a}${call}${b}`, `${call.slice(0, at)}${a}${call.slice(at)}`]) {
          const result = read(reply);
          if (result.kind !== "call") continue;
          const whole = JSON.parse(reply.trim());
          const keys = result.form === "call" ? ["arguments", "name"] : ["action", "input"];
          if (Object.keys(whole).sort().join() !== keys.join()) throw new Error(`read as a call: ${reply}`);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a call with anything but blanks around it is never a call", () => {
    fc.assert(
      fc.property(noise, noise, (a, b) => {
        if (`${a}${b}`.trim() === "") return;
        const { kind } = read(`${a}${call}${b}`);
        // Quotes and brackets around it can make it a value of other JSON.
        if (kind === "call") throw new Error("read as a call");
        if (kind === "final") JSON.parse(`${a}${call}${b}`.trim());
      }),
      { numRuns: 400 },
    );
  });

  test("a call deeper in JSON is final", () => {
    const key = fc.string({ maxLength: 5 }).filter((name) => name !== "tool_calls");
    fc.assert(
      fc.property(fc.array(fc.option(key), { minLength: 1, maxLength: 5 }), (path) => {
        const wrapped = path.reduce<unknown>(
          (value, name) => (name === null ? [value] : { [name]: value }),
          JSON.parse(call),
        );
        const isList = path.length === 1 && path[0] === null;
        expect(verdict(JSON.stringify(wrapped))).toBe(isList ? "array" : "final");
      }),
      { numRuns: 100 },
    );
  });
});

// Were any of these read in more than linear time, none would end before the test gives up.
test.each([
  ["braces", "{", "final"],
  ["closed objects", "{}", "final"],
  ["braces and quotes", '{"', "final"],
  ["cut strings", '{"{"   ', "final"],
  ["escaped quotes", '{\\"', "final"],
  ["nested members", '{"a":', "final"],
  ["lists", "[", "final"],
  ["backslashes", "\\", "final"],
  ["fences", "``` ````", "final"],
  ["bare names", "{ name : ", "final"],
  ["names", '{"name":"t",', "truncated"],
  ["beginnings of calls", '{"name":"t","arguments":', "truncated"],
  ["swallowed names", '{"arguments":{"a":1,"name":"t"}', "truncated"],
  ["calls", call, "multiple-calls"],
  ["calls beside fences", `${fence}x${fence}${call}`, "multiple-calls"],
  ["calls in strings", `{"x":"${call}"`, "multiple-calls"],
])("many, many %s", (_, part, wanted) => {
  expect(verdict(part.repeat(Math.ceil(300_000 / part.length)))).toBe(wanted);
});
