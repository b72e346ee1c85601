import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseStrictJson } from "./strict-json.ts";

function isAccepted(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("agrees with JSON.parse on every value JSON can say", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseStrictJson(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test("agrees with JSON.parse however the text is spaced", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("\t", "  ", "\n"), (value, space) => {
      const text = ` ${JSON.stringify(value, null, space)}\r\n`;
      expect(parseStrictJson(text)).toMatchObject({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test("accepts no text that JSON.parse refuses, whatever the text", () => {
  const fragments = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\",
    '"a"',
    "1",
    "-",
    "e5",
    ".",
    "null",
    " ",
    "\\u00",
    "x",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(fragments).map((parts) => parts.join("")),
        fc.string(),
      ),
      (text) => {
        if (!isAccepted(text)) expect(parseStrictJson(text).ok).toBe(false);
      },
    ),
    { numRuns: 1000 },
  );
});

test("refuses a text JSON.parse accepts only for one of its own three reasons", () => {
  const fragments = fc.constantFrom("{", "}", "[", "]", ":", ",", '"a"', '"b"', "1", "null", " ", "1e999");
  fc.assert(
    fc.property(fc.array(fragments), (parts) => {
      const text = parts.join("");
      const read = parseStrictJson(text);
      if (isAccepted(text) && !read.ok)
        expect(read.problem).toMatch(/duplicate key|nested deeper|not finite/);
    }),
    { numRuns: 1000 },
  );
});

describe("keys", () => {
  test("that occur twice in one object are refused, at any depth and in any spelling", () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":2,"a":3}',
      '[{"x":{"a":1,"a":1}}]',
      '{"a":1,"\\u0061":2}',
      '{"\\"":1,"\\u0022":2}',
      '{"a" : 1 ,\n"a"\t: 2}',
      '{"__proto__":1,"__proto__":2}',
      '{"":1,"":2}',
    ]) {
      expect(parseStrictJson(text), text).toMatchObject({
        ok: false,
        fault: "duplicate-key",
        problem: expect.stringContaining("duplicate key"),
      });
    }
  });

  test("may be the same in different objects, and the same as a value", () => {
    for (const text of [
      '[{"a":1},{"a":2}]',
      '{"a":{"a":{"a":1}}}',
      '{"a":"a","b":"a"}',
      '{"a":["a","a"],"b":{"a":1}}',
      '{"a\\\\":1,"a":2}',
      '{"a":"\\"a\\":","b":1}',
    ]) {
      expect(parseStrictJson(text), text).toMatchObject({ ok: true, value: JSON.parse(text) });
    }
  });

  test("that occur twice are found among a hundred thousand", () => {
    const members = Array.from({ length: 100_000 }, (_, key) => `"k${key}":1`);
    expect(parseStrictJson(`{${members.join(",")}}`).ok).toBe(true);
    expect(parseStrictJson(`{${members.join(",")},"k5":1}`).ok).toBe(false);
  });
});

describe("nesting", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test("of 128 is accepted, of 129 refused", () => {
    expect(parseStrictJson(nested(128)).ok).toBe(true);
    expect(parseStrictJson(nested(129))).toEqual({
      ok: false,
      fault: "too-deep",
      problem: "nested deeper than 128 levels",
    });
  });

  test("can be given another limit", () => {
    expect(parseStrictJson(nested(5), 4).ok).toBe(false);
    expect(parseStrictJson(nested(4), 4).ok).toBe(true);
  });

  test("of a million, closed or not, is refused at once", () => {
    const began = performance.now();
    expect(parseStrictJson(nested(1_000_000)).ok).toBe(false);
    expect(parseStrictJson("[".repeat(1_000_000)).ok).toBe(false);
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test("counts no brackets inside strings", () => {
    expect(parseStrictJson(JSON.stringify("[{".repeat(1000))).ok).toBe(true);
  });

  test("counts depth, not the number of brackets", () => {
    expect(parseStrictJson(`[${Array(1000).fill("[[]]").join(",")}]`).ok).toBe(true);
  });
});

describe("numbers", () => {
  test("that are not finite are refused", () => {
    for (const text of [
      "1e400",
      "-1e400",
      '{"a":[1E+999]}',
      "9".repeat(400),
      "NaN",
      "Infinity",
      "-Infinity",
    ]) {
      expect(parseStrictJson(text).ok, text).toBe(false);
    }
  });

  test("that a text merely mentions are text", () => {
    expect(parseStrictJson('"1e400"')).toMatchObject({ ok: true, value: "1e400" });
    expect(parseStrictJson('{"1e400":1}').ok).toBe(true);
  });

  test("are accepted up to the largest and down to the smallest", () => {
    for (const text of ["1.7976931348623157e308", "5e-324", "1e-400", "-0", "0.1"]) {
      expect(parseStrictJson(text), text).toMatchObject({ ok: true, value: Number(text) });
    }
  });

  test("beyond 2^53 are flagged where they are integers", () => {
    const flag = (text: string) => (parseStrictJson(text) as { hasUnsafeInteger: boolean }).hasUnsafeInteger;
    expect(flag("9007199254740991")).toBe(false);
    expect(flag("9007199254740993")).toBe(true);
    expect(flag("-9007199254740993")).toBe(true);
    expect(flag('{"a":[1,12345678901234567890]}')).toBe(true);
    expect(flag("0.12345678901234567890")).toBe(false);
    expect(flag('"9007199254740993"')).toBe(false);
  });
});

test("five megabytes of quotes and backslashes are read in time that grows with their length", () => {
  const began = performance.now();
  expect(parseStrictJson(JSON.stringify('\\"'.repeat(600_000))).ok).toBe(true);
  expect(parseStrictJson(`"${"\\".repeat(4_000_000)}"`).ok).toBe(true);
  expect(performance.now() - began).toBeLessThan(3000);
});
