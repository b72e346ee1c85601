import fc from "fast-check";
import { expect, test } from "vitest";
import { SseReader } from "./sse-reader.ts";

/** The events in a stream that arrives in these pieces. */
function eventsIn(pieces: readonly string[], capChars = 1000): { events: string[]; isShort: boolean } {
  const events: string[] = [];
  const reader = new SseReader(capChars, (lines) => events.push(lines.join("\n")));
  const isShort = pieces.every((piece) => reader.take(piece));
  if (isShort) reader.end();
  return { events, isShort };
}

test.each<[string, string, string[]]>([
  ["one event", "data: a\n\n", ["a"]],
  ["no space after the colon", "data:a\n\n", ["a"]],
  ["only one space is taken away", "data:  a\n\n", [" a"]],
  ["several lines are one text", "data: a\ndata: b\n\n", ["a\nb"]],
  ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ["CR alone", "data: a\r\rdata: b\r\r", ["a", "b"]],
  ["comments and other fields", ": ping\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n:\n\n", ["a"]],
  ["a field that only begins like data", "database: a\n\ndata: b\n\n", ["b"]],
  ["data without a colon is an empty line", "data\n\n", [""]],
  ["no blank line at the end", "data: a\n\ndata: b", ["a", "b"]],
  ["blank lines alone", "\n\n\n", []],
])("%s, however it is split", (_, stream, expected) => {
  expect(eventsIn([stream]).events).toEqual(expected);
  expect(eventsIn([...stream]).events).toEqual(expected);
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (cuts) => {
      const positions = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const pieces = positions.slice(1).map((end, n) => stream.slice(positions[n], end));
      expect(eventsIn(pieces).events).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test("an event that never ends is not gathered for ever: neither in one line nor in many", () => {
  expect(eventsIn(["data: ", "x".repeat(600), "x".repeat(600)]).isShort).toBe(false);
  expect(eventsIn(Array.from({ length: 300 }, () => "data: xxx\n")).isShort).toBe(false);
  expect(eventsIn(Array.from({ length: 300 }, () => "data: xxx\n\n")).isShort).toBe(true);
});
