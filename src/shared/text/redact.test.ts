import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "./redact.ts";

const secret = 'pä$s/w+"rd &(1)\\';
const redact = redactor([secret, "sk-canary-12345678"]);

describe("fault row 47: a secret", () => {
  const bytes = Buffer.from(secret);
  const spellings: [string, string][] = [
    ["plain", secret],
    ["in base64", bytes.toString("base64")],
    ["in base64 without its padding", bytes.toString("base64").replace(/=+$/, "")],
    ["in base64url", bytes.toString("base64url")],
    ["URL-encoded as JavaScript does it", encodeURIComponent(secret)],
    ["URL-encoded as Python does it", "p%C3%A4%24s/w%2B%22rd%20%26%281%29%5C"],
    ["URL-encoded in small letters", encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase())],
    ["encoded as a form", new URLSearchParams({ x: secret }).toString().slice(2)],
    ["URL-encoded character by character", bytes.toString("hex").replace(/../g, "%$&")],
    ["in hex", bytes.toString("hex")],
    ["in hex, in capitals", bytes.toString("hex").toUpperCase()],
    ["in hex, byte by byte", bytes.toString("hex").replace(/..(?!$)/g, "$& ")],
    ["reversed", [...secret].reverse().join("")],
    ["with spaces between its characters", [...secret].join(" ")],
    ["over several lines", secret.replace(/.{5}/g, "$&\r\n")],
    ["with characters that nobody sees", [...secret].join("\u200b")],
    ["in base64, folded", bytes.toString("base64").replace(/.{7}/g, "$&\n")],
    ["JSON-escaped", JSON.stringify(secret).slice(1, -1)],
    ["JSON-escaped as Python does it", 'p\\u00e4$s/w+\\"rd &(1)\\\\'],
    ["JSON-escaped as PHP does it", JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/")],
  ];
  for (const [how, text] of spellings) {
    test(`${how} is taken out, wherever it is`, () => {
      expect(redact(`before ${text} after`)).toBe("before [redacted] after");
      expect(redact(text)).toBe("[redacted]");
      expect(redact({ list: [{ deep: `x${text}y` }] })).toEqual({ list: [{ deep: "x[redacted]y" }] });
    });
  }

  test("is taken out of keys, and as often as it occurs", () => {
    expect(redact({ "sk-canary-12345678": "sk-canary-12345678 sk-canary-12345678" })).toEqual({
      "[redacted]": "[redacted] [redacted]",
    });
  });

  test("is found without the white space around it, which many a reader takes off", () => {
    expect(redactor(["sk-canary-12345678\n"])("Bearer sk-canary-12345678")).toBe("Bearer [redacted]");
  });

  test("of fewer than 8 characters would redact half the report, and is left", () => {
    expect(redactor(["1234567"])("1234567 and on")).toBe("1234567 and on");
    expect(redactor(["12345678"])("12345678 and on")).toBe("[redacted] and on");
  });

  test("that contains another is taken out whole", () => {
    expect(redactor(["canary-1", "canary-1-long"])("canary-1-long canary-1")).toBe("[redacted] [redacted]");
  });

  test("with half a character in it does no harm", () => {
    expect(redactor(["12345678\ud800"])("fine")).toBe("fine");
  });

  test("within something that was encoded as a whole is taken out, wherever it began", () => {
    for (const before of ["", "a", "ab", "abc"]) {
      const bytes = Buffer.concat([Buffer.from(before), Buffer.from("sk-canary-12345678 after")]);
      for (const encoding of ["base64", "base64url"] as const) {
        const left = Buffer.from(redact(bytes.toString(encoding)).replace("[redacted]", "...."), encoding);
        expect(left.toString("latin1")).not.toContain("canary");
      }
    }
  });

  test("that was cut in two when its text was shortened is taken out as far as it is there", () => {
    expect(redact("it said: sk-canary-12… (code 5)")).toBe("it said: [redacted]… (code 5)");
    expect(redact("sk-canary-12 is another … thing")).toBe("sk-canary-12 is another … thing");
    expect(redact("sk-ca…")).toBe("sk-ca…");
    expect(redact("…nary-12345678 was it")).toBe("…[redacted] was it");
    expect(redact("…12345678")).toBe("…[redacted]");
    expect(redact("…another 12345678")).toBe("…another 12345678");
  });

  test("of more than 20 characters is taken out where its beginning or end of 12 characters is", () => {
    const long = redactor(["ghp_canary0123456789abcdef"]);
    expect(long("a ghp_canary01 b")).toBe("a [redacted] b");
    expect(long("a ghp_canary0123456 b")).toBe("a [redacted] b");
    expect(long("a 456789abcdef b")).toBe("a [redacted] b");
    expect(long("a fedcba987654 b")).toBe("a [redacted] b");
    expect(long("a ghp_canary0 and 56789abcdef b")).toBe("a ghp_canary0 and 56789abcdef b");
    expect(long(`a ${Buffer.from("ghp_canary01").toString("hex")} b`)).toBe("a [redacted] b");
    expect(long(`a ${Buffer.from("ghp_canary01").toString("base64")} b`)).toBe("a [redacted] b");
    expect(redact("a sk-canary-123 b")).toBe("a sk-canary-123 b");
    expect(redactor(["https://api.example.com/secret"])("https://api.com")).toBe("https://api.com");
  });

  test("takes the white space around it along with nothing", () => {
    expect(redact({ a: "x\n\tsk-canary-1234\n5678\ny" })).toEqual({ a: "x\n\t[redacted]\ny" });
  });

  test("of any text whatever leaves no trace, plain or encoded", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, unit: "grapheme" }),
        fc.string(),
        fc.string(),
        (any, before, after) => {
          const clean = redactor([any]);
          const spelled = [
            any,
            Buffer.from(any).toString("base64"),
            encodeURIComponent(any),
            JSON.stringify(any),
          ];
          for (const text of spelled) expect(clean(`${before}${text}${after}`)).toContain("[redacted]");
        },
      ),
    );
  });
});

describe("the user part of a URL", () => {
  const cases: [string, string][] = [
    ["https://me:pass@host/x", "https://[redacted]@host/x"],
    ["https://token@host", "https://[redacted]@host"],
    ["git+ssh://git:pass@host:22/x.git", "git+ssh://[redacted]@host:22/x.git"],
    ["https://me:p@ss@host/x", "https://[redacted]@host/x"],
    ["see https://a:b@one/ and https://c:d@two/", "see https://[redacted]@one/ and https://[redacted]@two/"],
    ["postgres://me:pass@db:5432/x?y=a@b", "postgres://[redacted]@db:5432/x?y=a@b"],
  ];
  for (const [text, cleaned] of cases) {
    test(`is taken out of ${text}`, () => {
      expect(redactor([])(text)).toBe(cleaned);
    });
  }

  test("is not found where there is none", () => {
    for (const text of [
      "https://host/a@b",
      "https://host?mail=a@b",
      "me@host.org",
      "https://host#a@b",
      "://",
    ]) {
      expect(redactor([])(text)).toBe(text);
    }
  });
});

describe("a value", () => {
  test("without secrets comes back as it is, uncopied", () => {
    const value = { a: [1, "two", { three: null }], b: true };
    expect(redact(value)).toBe(value);
  });

  test("keeps the order of its members when one is cleaned", () => {
    const cleaned = redact({ a: 1, secret: "sk-canary-12345678", z: 2 });
    expect(Object.keys(cleaned)).toEqual(["a", "secret", "z"]);
  });

  test("with the key __proto__ keeps it as a key", () => {
    const value = JSON.parse('{"__proto__":{"x":"sk-canary-12345678"},"a":1}');
    expect(JSON.stringify(redact(value))).toBe('{"__proto__":{"x":"[redacted]"},"a":1}');
  });

  test("that is shared is not changed itself", () => {
    const value = { text: "sk-canary-12345678" };
    redact(value);
    expect(value.text).toBe("sk-canary-12345678");
  });

  test("of a megabyte without blanks is cleaned in time that grows with its length", () => {
    const began = performance.now();
    redact(`${"a".repeat(1_000_000)}://${"b".repeat(1_000_000)}`);
    redact("://a".repeat(250_000));
    redact("a@".repeat(500_000));
    redact("…sk-canary".repeat(100_000));
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
