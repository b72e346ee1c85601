import { expect, test } from "vitest";
import type { Report } from "../contract/report.ts";
import { resultLines } from "./result-lines.ts";
import {
  failures,
  hiddenCharacters,
  hostileTexts,
  sampleCell,
  sampleReport,
  sampleSkill,
  stored,
  unknownSkill,
} from "./sample-report.ts";

const cellsOf = () => stored(failures);

const oneTrial = (given: Partial<Report> = {}) =>
  sampleReport({ run: { ...sampleReport().run, runs: 1 }, ...given });

test("the text result is a line per skill, what did not pass, the gate and the files", () => {
  expect(resultLines(sampleReport(), false, cellsOf)).toBe(
    [
      "my_calc  CR 95.0% [86.3–98.3]  ER 1.7%  P95 412 ms  Score 0.9673",
      "",
      "my_calc: 3 results did not pass",
      "  coding_003  fail 2/2     expected 120, got 119",
      "  coding_010  timeout 1/1  deadline: no answer within 10000 ms",
      "",
      "Gate passed: completion ≥ 80.0% for every skill.",
      "",
      "reports/eval-result-2026-03-01T07-24-31-007Z.json",
      "reports/eval-result.json",
      "",
    ].join("\n"),
  );
});

test("a line per skill in the order of the report, unknown figures as dashes, columns lined up", () => {
  const { summary, latency } = sampleSkill();
  const slow = sampleSkill({
    skillId: "weather_v2",
    summary: { ...summary, completionRate: 1, errorRate: 0.2, compositeScore: 0.4 },
    latency: { ...latency, p95Ms: 4_112 },
  });
  const reports = [sampleSkill(), slow, unknownSkill("天气", 0)];

  const lines = resultLines(sampleReport({ reports }), false, () => []).split("\n");

  expect(lines.slice(0, 3)).toEqual([
    "my_calc     CR 95.0% [86.3–98.3]   ER 1.7%   P95 412 ms  Score 0.9673",
    "weather_v2  CR 100.0% [86.3–98.3]  ER 20.0%  P95 4.1 s   Score 0.4000",
    "天气        CR –                   ER –      P95 –       Score –",
  ]);
});

test("at most five cells of a skill are named, and the rest is counted", () => {
  const cells = Array.from({ length: 12 }, (_, n) =>
    sampleCell({ taskId: `t${n}`, status: "error", score: 0 }),
  );
  const counts = { total: 12, pass: 0, fail: 0, error: 12, timeout: 0, invalid: 0 };

  const text = resultLines(oneTrial({ reports: [sampleSkill({ counts })] }), false, () => stored(cells));

  expect(text.match(/^ {2}t\d+ /gm)).toHaveLength(5);
  expect(text).toContain("  … and 7 more\n");
});

test("at most ten skills are told in detail, so that the line of each stays in sight", () => {
  const counts = { total: 1, pass: 0, fail: 1, error: 0, timeout: 0, invalid: 0 };
  const reports = Array.from({ length: 13 }, (_, n) => sampleSkill({ skillId: `skill_${n}`, counts }));

  const text = resultLines(sampleReport({ reports }), false, cellsOf);

  expect(text.match(/: 1 result did not pass$/gm)).toHaveLength(10);
  expect(text).toContain("\n… and 3 more skills with results that did not pass\n");
});

test("the end of a long reason stays: a traceback closes with what went wrong", () => {
  const message = `exit 1: ${'File "skill.py", line 4, in deep\n'.repeat(9)}ValueError: no such city`;
  const cells = [sampleCell({ status: "error", score: 0, error: { code: "crash", message } })];

  const text = resultLines(sampleReport(), false, () => stored(cells));

  expect(text).toMatch(/^ {2}coding_001 {2}error 1\/1 {2}crash: exit 1: .*…/m);
  expect(text).toContain("ValueError: no such city\n");
});

test("invalid results say why there is no verdict, or that they were accepted", () => {
  const counts = { total: 1, pass: 1, fail: 0, error: 0, timeout: 0, invalid: 2 };
  const reports = [sampleSkill({ counts })];

  expect(resultLines(sampleReport({ reports, exitCode: 3 }), false, cellsOf)).toContain(
    "\nNo verdict: 2 invalid results. Mend what they say and run again, or accept them with --allow-invalid.\n",
  );
  expect(resultLines(sampleReport({ reports, exitCode: 0 }), false, cellsOf)).toContain(
    "\n2 invalid results, counted nowhere.\n",
  );
});

test("cells are read no further than needed, and not at all where everything passed", () => {
  let pulled = 0;
  function* cells() {
    for (;;) {
      pulled++;
      yield sampleCell({ status: pulled % 10 === 0 ? "fail" : "pass" });
    }
  }
  const counts = { total: 900, pass: 890, fail: 10, error: 0, timeout: 0, invalid: 0 };

  resultLines(oneTrial({ reports: [sampleSkill({ counts })] }), false, cells);
  expect(pulled).toBe(50);

  const perfect = sampleSkill({ counts: { ...counts, pass: 900, fail: 0 } });
  resultLines(sampleReport({ reports: [perfect] }), false, cells);
  expect(pulled).toBe(50);
});

test("a failed gate names the skills below the line, a long list shortened", () => {
  const gate = { minCompletion: 0.7, on: "point", enforced: true, passed: false } as const;
  const below = Array.from({ length: 12 }, (_, n) => `s${n}`);

  const text = resultLines(sampleReport({ gate: { ...gate, below } }), false, cellsOf);

  expect(text).toContain(
    "Gate failed: completion ≥ 70.0% was asked for, 12 skills below: s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 2 more.",
  );
});

test("the gate of run asks for one to choose, whoever else is below the line", () => {
  const gate = { minCompletion: 0.7, on: "point", enforced: true } as const;
  const passed = sampleReport({ command: "run", gate: { ...gate, passed: true, below: ["poor"] } });
  const failed = sampleReport({ command: "run", gate: { ...gate, passed: false, below: [] } });

  const [good, poor] = [true, false].map((selected) => sampleSkill({ selected }));
  const reports = [good, poor, poor].filter((skill) => skill !== undefined);
  expect(resultLines({ ...passed, reports }, false, cellsOf)).toContain(
    "Gate passed: 1 of 3 skills was selected.\n",
  );
  expect(resultLines(passed, false, cellsOf)).toContain("Gate passed: a skill was selected.\n");
  expect(resultLines(failed, false, cellsOf)).toContain("Gate failed: no skill was selected.\n");
});

test("a gate that was not enforced is not mentioned", () => {
  const gate = { ...sampleReport().gate, enforced: false };

  expect(resultLines(sampleReport({ gate }), false, cellsOf)).not.toContain("Gate");
});

test("warnings are counted before the files", () => {
  const text = resultLines(sampleReport({ warnings: ["a", "b"] }), false, cellsOf);

  expect(text).toContain("Gate passed: completion ≥ 80.0% for every skill.\n2 warnings\n\nreports/");
});

test("with one run no trials are counted", () => {
  const text = resultLines(oneTrial(), false, cellsOf);

  expect(text).toContain("my_calc: 3 did not pass\n");
  expect(text).toContain("  coding_010  timeout  deadline");
});

test("with several runs a task is one line, and the five that are shown are tasks", () => {
  const cells = [1, 2, 3].flatMap((trial) =>
    Array.from({ length: 7 }, (_, n) =>
      sampleCell({ taskId: `t${n}`, trial, status: n === 6 && trial === 1 ? "pass" : "fail", reason: "no" }),
    ),
  );
  const counts = { total: 21, pass: 1, fail: 20, error: 0, timeout: 0, invalid: 0 };

  const text = resultLines(sampleReport({ reports: [sampleSkill({ counts })] }), false, () => stored(cells));

  expect(text.match(/^ {2}t\d {2}fail 3\/3 {2}no$/gm)).toHaveLength(5);
  expect(text).toContain("  … and 5 more results of other tasks\n");
});

test("colour changes nothing but colour", () => {
  const colored = resultLines(sampleReport({ warnings: ["a"] }), true, cellsOf);

  expect(colored).toContain("\u001b[31m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking the colours away is its purpose
  expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(
    resultLines(sampleReport({ warnings: ["a"] }), false, cellsOf),
  );
});

test("fault row 36: hostile names, reasons and files print as visible text", () => {
  for (const hostile of hostileTexts) {
    const cell = sampleCell({ taskId: hostile, status: "fail", reason: hostile });
    const counts = { total: 1, pass: 0, fail: 1, error: 0, timeout: 0, invalid: 0 };
    const reports = [sampleSkill({ skillId: hostile, counts })];
    const report = sampleReport({ reports, files: [hostile] });
    report.gate = { ...report.gate, passed: false, below: [hostile] };

    const text = resultLines(report, false, () => stored([cell]));

    expect(text.split("\n")).toHaveLength(9);
    expect(text).not.toMatch(hiddenCharacters);
  }
});
