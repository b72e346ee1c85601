import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "./redact.ts";
import { redactStreams } from "./redact-stream.ts";

const secrets = ["sk-canary-12345678", 'pä$s/w+"rd &(1)\\', "a b c d e f", "]redacted[", "密码密码密码密码"];

function streamed(secrets: readonly string[], pieces: readonly string[]): string {
  const stream = redactStreams(secrets, redactor(secrets))();
  return pieces.map((piece) => stream.write(piece)).join("") + stream.end();
}

/** Text as wild as redaction can meet: secrets whole and in part, in several spellings, URLs, cuts, and marks. */
const wildText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...secrets,
        ...secrets.map((secret) => secret.slice(0, 9)),
        ...secrets.map((secret) => secret.slice(-9)),
        ...secrets.map((secret) => Buffer.from(secret).toString("base64")),
        ...secrets.map((secret) => encodeURIComponent(secret)),
        ..."… …… :// / @ : ? [redacted] https://me:pass@host/x \n word 😀 、 é".split(" "),
        " ",
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(""));

describe("redacted pieces", () => {
  test("add up to the redacted whole, wherever it is cut", () => {
    fc.assert(
      fc.property(
        fc.subarray(secrets),
        wildText,
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        (secrets, text, sizes) => {
          const pieces: string[] = [];
          for (let at = 0, n = 0; at < text.length; n++) {
            const size = sizes[n % sizes.length] ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          expect(streamed(secrets, pieces)).toBe(redactor(secrets)(text));
        },
      ),
      { numRuns: 600 },
    );
  });

  test("are let out as they come, where nothing can be a secret", () => {
    const stream = redactStreams([], redactor([]))();
    expect(["Hello, ", "world", "。好", "的"].map((piece) => stream.write(piece))).toEqual([
      "Hello, ",
      "world",
      "。好",
      "的",
    ]);
  });

  test("never show the beginning of a secret, of a user part, or half a character", () => {
    const stream = redactStreams(["sk-canary-12345678"], redactor(["sk-canary-12345678"]))();
    expect(stream.write("it, sk-can")).toBe("it, ");
    expect(stream.write("ary-12345678. ")).toBe("[redacted]. ");
    expect(stream.write("at https://me:pa")).toBe("at http");
    expect(stream.write("ss@host/! ")).toBe("s://[redacted]@host/! ");
    expect(stream.write("\ud83d")).toBe("");
    expect(stream.write("\ude00!")).toBe("😀!");
    expect(stream.end()).toBe("");
  });

  test("of a long text that could be cut nowhere are held to its end", () => {
    const secret = "abcdefgh-12345678";
    const pieces = Array.from({ length: 20_000 }, () => "abcdefghabcd");
    expect(streamed([secret], pieces)).toHaveLength(240_000);
  });
});
