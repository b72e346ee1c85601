import fc from "fast-check";
import { expect, test } from "vitest";
import { LineReader } from "./line-reader.ts";

function reading(capBytes: number) {
  const lines: string[] = [];
  let floods = 0;
  const reader = new LineReader(
    capBytes,
    (line) => lines.push(line.toString()),
    () => floods++,
  );
  return { reader, lines, floods: () => floods };
}

test("lines come out the same however the bytes are cut", () => {
  const text = fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", " ")));
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (lines, sizes) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const seen = reading(1_000_000);
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] as number;
        seen.reader.take(bytes.subarray(at, at + size));
        at += size;
      }
      seen.reader.end();
      expect(seen.lines).toEqual(lines);
    }),
  );
});

test("what is left at the end is a line too, and nothing is none", () => {
  const seen = reading(100);
  seen.reader.take(Buffer.from("a\nb"));
  seen.reader.end();
  seen.reader.end();
  expect(seen.lines).toEqual(["a", "b"]);
});

test("a line before the cap counts, though the flood comes in the same piece", () => {
  const seen = reading(10);
  seen.reader.take(Buffer.from(`answer\n${"x".repeat(100)}`));
  expect(seen.lines).toEqual(["answer"]);
  expect(seen.floods()).toBe(1);
});

test("exactly the cap is not a flood", () => {
  const seen = reading(10);
  seen.reader.take(Buffer.from("123456789\n"));
  expect(seen).toMatchObject({ lines: ["123456789"] });
  expect(seen.floods()).toBe(0);
});

test("nothing is read after a flood until the next call begins", () => {
  const seen = reading(10);
  seen.reader.take(Buffer.from("x".repeat(11)));
  seen.reader.take(Buffer.from("y\n"));
  expect(seen.lines).toEqual([]);
  seen.reader.reset();
  seen.reader.take(Buffer.from("z\n"));
  expect(seen.lines).toEqual(["z"]);
});
