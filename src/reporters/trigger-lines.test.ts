import { expect, test } from "vitest";
import { hiddenCharacters, hostileTexts } from "./sample-report.ts";
import { sampleQuery } from "./sample-trigger-query.ts";
import {
  fullTriggerReport,
  hostileTriggerReport,
  readerOf,
  sampleQueries,
  sampleTriggerReport,
  sampleTriggerResult,
  skippedResult,
} from "./sample-trigger-report.ts";
import { textWidth } from "./text-width.ts";
import { triggerLines } from "./trigger-lines.ts";

const plain = { color: false, width: null };

const small = [
  sampleQuery({ query: "refactor src/foo.py", answers: "YYYYYYYY" }),
  sampleQuery({
    query: "make this easier to test",
    queryId: "q1",
    answers: "YYNNYNYN",
    reason: "Not named.",
  }),
  sampleQuery({ query: "清理全局变量", queryId: "q2", answers: "yyyyyyyn", reason: "no decision line" }),
  sampleQuery({
    query: "explain this",
    queryId: "q3",
    side: "should_not_match",
    answers: "YYYYYYYY",
    reason: "",
  }),
  sampleQuery({ query: "why is it red", queryId: "q4", side: "should_not_match", answers: "NNEEENNE" }),
];
const smallReport = sampleTriggerReport([
  sampleTriggerResult("refactor", small, {
    notes: ["not calibrated"],
    gate: {
      recall: 0.9,
      on: "lower",
      passed: false,
      below: ["refactor"],
      inconclusive: [],
      reasons: ["recall is low"],
    },
  }),
]);

test("a skill is its headline, every query that did not pass, its figures beside the baselines, and what answers took", () => {
  expect(triggerLines(smallReport, readerOf(small), { color: false, width: 80 })).toBe(
    `refactor  1/5 passed, 2 failed, 2 inconclusive
  judge: model claude-haiku-4-5-20251001 (8 repeats, threshold 0.5), eval.yaml

  ✗ 清理全局变量  q2
    should_match: no usable answer, 7 of 8 invalid replies meant yes and 1 no
    no decision line
  ✗ explain this  q3
    should_not_match: would load, yes 8/8 [0.676–1]
  ? make this easier to test  q1
    should_match: undecided, yes 4/8 [0.215–0.785]
    Not named.
  ? why is it red  q4
    should_not_match: the judge did not answer 4 of 8 times, yes 0/4 [0–0.49]
    timeout: no reply within 30000 ms

                    precision       recall  specificity     F1        MCC
  this judge            0.500        1.000        0.500  0.667      0.500
  95 % interval   0.095–0.905  0.206–1.000  0.095–0.905
  lexical router        0.667        0.667        0.500  0.667      0.167
  always yes            0.600        1.000        0.000  0.750  undefined
  always no         undefined        0.000        1.000  0.000  undefined

  coverage         3 of 5 queries in the figures, 2 ties
  answers differ   on 1 query
  invalid replies  22.2% (7 of 8 meant yes and 1 no)
  cost             unknown (11,160 tokens in, 612 out)
  latency          p50 455 ms, p95 555 ms
  note             not calibrated
  gate             failed, recall is low

No verdict: 2 queries inconclusive. Mend what each of them names, or accept them
with --allow-invalid.
triggering: passed 1/5 (2 failed, 2 inconclusive)

reports/trigger-result-2026-03-01T07-24-31-007Z.json
reports/trigger-result.json
`,
  );
});

test("the headline is one line where it fits", () => {
  const [first] = triggerLines(smallReport, readerOf(small), { color: false, width: 130 }).split("\n");

  expect(first).toBe(
    "refactor  1/5 passed, 2 failed, 2 inconclusive   judge: model claude-haiku-4-5-20251001 (8 repeats, threshold 0.5), eval.yaml",
  );
});

test("several skills end with who was chosen for whose requests, where cards stood, and what was skipped", () => {
  const text = triggerLines(fullTriggerReport, sampleQueries, plain);

  expect(text).toContain("slides  4/5 passed, 1 failed   judge: router (lexical), no model configured\n");
  expect(text).toContain(`skipped: weather (no triggering block)

who was chosen for whose requests
     requests for     1  2  3  none
  1  contract-review  5  1  ·     ·
  2  doc-editor       1  5  ·     ·
  3  slides           ·  1  3     ·
     no skill         ·  ·  ·     5
  top-1 13/16 (81.3%), none 0/16 (0.0%), false alarms 0/5 (0.0%)

position of the cards picked: first third 48.1% [35–61] (expected 50.0%), last third 51.9% [39–65] (expected 50.0%)

Gate failed: recall ≥ 0.9, precision ≥ 0.8; 1 skill below: contract-review; no verdict on: refactor.
`);
  expect(text).toContain("\ntriggering: passed 32/41 (5 failed, 4 inconclusive)\n");
});

test.each([80, 120])("no line is wider than %i columns, whatever script it is in", (width) => {
  const text = triggerLines(fullTriggerReport, sampleQueries, { color: false, width });

  expect(text.split("\n").filter((line) => textWidth(line) > width)).toEqual([]);
});

test("colour changes nothing but colour", () => {
  const colored = triggerLines(fullTriggerReport, sampleQueries, { color: true, width: 80 });

  expect(colored).toContain("\u001b[31m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking the colours away is its purpose
  expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(
    triggerLines(fullTriggerReport, sampleQueries, { color: false, width: 80 }),
  );
});

test("fault row 36: hostile text prints as visible text, and makes no line of its own", () => {
  const linesOf = (text: string) => {
    const { report, queriesOf } = hostileTriggerReport(text);
    return triggerLines(report, queriesOf, plain);
  };
  const lineCount = linesOf("harmless").split("\n").length;
  for (const hostile of hostileTexts) {
    expect(linesOf(hostile)).not.toMatch(hiddenCharacters);
    expect(linesOf(hostile).split("\n")).toHaveLength(lineCount);
  }
});

test("of very many skills each has a line, the ten worst are told in full, and the rest is counted", () => {
  const lines = Array.from({ length: 500 }, (_, n) =>
    ["a", "b"].map((query) =>
      sampleQuery({
        skillId: `skill_${n}`,
        query,
        answers: n % 20 === 0 || (n === 7 && query === "a") ? "N" : "Y",
      }),
    ),
  );
  const results = lines.map((own, n) => sampleTriggerResult(`skill_${n}`, own));
  const report = sampleTriggerReport(results, { exitCode: 1 });

  const text = triggerLines(report, readerOf(lines.flat()), { color: false, width: 80 });

  expect(text.match(/^skill_\d+ +\d\/2 +[\d–]/gm)).toHaveLength(500);
  expect(text.match(/^skill_\d+ {2}0\/2 passed, 2 failed/gm)).toHaveLength(10);
  expect(text).toContain("… and 16 more skills with queries that did not pass\n");
  expect(text).toContain("\ntriggering: passed 949/1000 (51 failed)\n");
});

test("of a wide matrix only the pairs are told that are mistaken most often", () => {
  const share = (count: number, of: number) => ({ count, of, rate: count / of, interval: null });
  const rows = Array.from({ length: 20 }, (_, n) => ({
    intended: `s${n}`,
    chosen: { s0: 1 },
    none: 0,
    undecided: 0,
  }));
  const worstPairs = [{ intended: "s1", chosen: "s0", ...share(3, 9) }];
  const confusion = { rows, top1: share(15, 20), none: share(1, 20), offTopic: share(0, 4), worstPairs };

  const text = triggerLines({ ...fullTriggerReport, confusion }, sampleQueries, plain);

  expect(text).toContain("who was chosen for whose requests\n  s1  → s0  3 of 9\n  top-1 15/20 (75.0%)");
});

test("a run that failed for a skip alone says so", () => {
  const passing = [sampleQuery({ query: "a", answers: "YYYYYYYY" })];
  const results = [sampleTriggerResult("refactor", passing), skippedResult("weather", "empty-lists")];

  expect(triggerLines(sampleTriggerReport(results, { exitCode: 1 }), readerOf(passing), plain)).toContain(
    "\nThe triggering pass was skipped for weather (its lists of queries are empty), which --require-triggering forbids.\n",
  );
});

test("a hundred queries of a skill are told, and the rest is counted", () => {
  const lines = Array.from({ length: 120 }, (_, n) => sampleQuery({ query: `query ${n}`, answers: "N" }));

  const text = triggerLines(
    sampleTriggerReport([sampleTriggerResult("refactor", lines)]),
    readerOf(lines),
    plain,
  );

  expect(text.match(/^ {2}✗ query /gm)).toHaveLength(100);
  expect(text).toContain("\n  … and 20 more\n");
});
