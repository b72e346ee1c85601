import { expect, test } from "vitest";
import { UserError } from "../../../shared/user-error.ts";
import { calibrationFigures, type LabelledAnswer, readGold } from "./gold-labels.ts";

const pairs = (label: "yes" | "no", answer: "yes" | "no" | null, count: number): LabelledAnswer[] =>
  Array.from({ length: count }, () => ({ label, answer }));

test("agreement and kappa with a seeded interval; what was not answered is counted apart", () => {
  const given = [
    ...pairs("yes", "yes", 20),
    ...pairs("yes", "no", 5),
    ...pairs("no", "yes", 10),
    ...pairs("no", "no", 15),
    ...pairs("yes", null, 3),
  ];
  const figures = calibrationFigures(given, 7);

  expect(figures).toMatchObject({
    ...{ labels: 53, unanswered: 3, agreement: 0.7, seed: 7 },
    kappa: expect.closeTo(0.4, 12),
    interval: { lower: expect.closeTo(0.15, 1), upper: expect.closeTo(0.65, 1) },
  });
  expect(calibrationFigures(given, 7)).toEqual(figures);
});

test("a judge that agrees on every label has a kappa of 1, and an interval as wide as the labels are few", () => {
  expect(calibrationFigures([...pairs("yes", "yes", 15), ...pairs("no", "no", 15)], 0)).toMatchObject({
    kappa: 1,
    interval: { lower: 1, upper: 1 },
  });
  // A third of the resamples miss the only no: they show nothing.
  expect(calibrationFigures([...pairs("yes", "yes", 29), ...pairs("no", "no", 1)], 0)).toMatchObject({
    kappa: 1,
    interval: { lower: 0, upper: 1 },
  });
});

test("a judge that answers one class alone, or nothing, has no kappa to speak of", () => {
  expect(calibrationFigures([...pairs("yes", "yes", 15), ...pairs("no", null, 15)], 0)).toMatchObject({
    ...{ unanswered: 15, agreement: 1, kappa: null, interval: null },
  });
  expect(calibrationFigures(pairs("yes", null, 30), 0)).toMatchObject({ agreement: null, kappa: null });
  expect(calibrationFigures([...pairs("yes", "yes", 15), ...pairs("no", "yes", 15)], 0)).toMatchObject({
    kappa: 0,
  });
});

const gold = (count: number, change: (lines: string[]) => string[] = (lines) => lines) =>
  change(
    Array.from({ length: count }, (_, n) =>
      JSON.stringify({ skill: "s", query: `request ${n}`, label: n % 2 === 0 ? "yes" : "no" }),
    ),
  ).join("\n");
const replace = (at: number, line: string) => (lines: string[]) => lines.with(at, line);

test("gold labels are read line by line, tidied, with where they stand", () => {
  const text = `\ufeff${gold(30, replace(1, '{"skill":" s ","query":" cafe\u0301 ","label":"no"}\r\n\r'))}\n`;

  const labels = readGold(text, "gold.jsonl");

  expect(labels).toHaveLength(30);
  expect(labels.slice(0, 3)).toEqual([
    { skill: "s", query: "request 0", label: "yes", line: 1 },
    { skill: "s", query: "caf\u00e9", label: "no", line: 2 },
    { skill: "s", query: "request 2", label: "yes", line: 4 },
  ]);
});

test.each([
  ["too few labels", gold(29), "gold.jsonl has 29 of the 30 labels that a calibration needs"],
  ["nothing", "", "gold.jsonl has 0 of the 30 labels"],
  ["one class", gold(30, (lines) => lines.map((line) => line.replace('"no"', '"yes"'))), 'has no label "no"'],
  ["broken JSON", gold(30, replace(4, "{")), "gold.jsonl line 5 is not valid JSON"],
  ["no object", gold(30, replace(4, "7")), "gold.jsonl line 5: $ must be a map"],
  [
    "another label",
    gold(30, replace(4, '{"skill":"s","query":"q","label":"maybe"}')),
    'line 5: $.label may not be "maybe"',
  ],
  [
    "no query",
    gold(30, replace(4, '{"skill":"s","query":"  ","label":"no"}')),
    "line 5: $.query: must not be empty",
  ],
  [
    "a query twice",
    gold(30, replace(4, '{"skill":"s","query":"request 2","label":"no"}')),
    "line 5 repeats the query of line 3",
  ],
  ["too many", gold(10_001), "has more than 10000 labels"],
])("gold labels are refused for %s, with the line", (_, text, message) => {
  const reading = () => readGold(text, "gold.jsonl");

  expect(reading).toThrow(UserError);
  expect(reading).toThrow(message);
});
