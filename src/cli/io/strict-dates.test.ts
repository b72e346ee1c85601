import { expect, test } from "vitest";
import { parseDate } from "./option-values.ts";

test.each([
  ["2026-03-01", "2026-03-01T00:00:00.000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["2026-03-01T07:24", "2026-03-01T07:24:00.000Z"],
  ["2026-03-01T07:24:10Z", "2026-03-01T07:24:10.000Z"],
  ["2026-03-01T07:24:10.5Z", "2026-03-01T07:24:10.500Z"],
  ["2026-03-01T00:30+02:00", "2026-02-28T22:30:00.000Z"],
  ["0026-03-01", "0026-03-01T00:00:00.000Z"],
])("%s is %s", (text, time) => {
  expect(parseDate(text, "--since")).toBe(time);
});

test.each([
  "",
  "yesterday",
  "2026",
  "2026-3-1",
  "2026-13-40",
  "2026-02-30",
  "2025-02-29",
  "2026-03-01T24:00",
  "2026-03-01T07:60",
  "2026-03-01T07",
  "2026-03-01 07:24",
  "2026-03-01T07:24+99:00",
  "2026-03-01x",
  "1772323200",
])("%j is refused with the flag and a date that would be right", (text) => {
  expect(() => parseDate(text, "--since")).toThrow(
    expect.objectContaining({
      code: "usage",
      message: expect.stringMatching(/--since takes a date such as/),
    }),
  );
});
