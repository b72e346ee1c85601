import { expect, test } from "vitest";
import { githubAnnotations, githubSummary } from "./github.ts";
import { workflowCommand } from "./github-command.ts";
import {
  askedTasks,
  failures,
  hiddenCharacters,
  hostileTexts,
  sampleCell,
  sampleReport,
  sampleSkill,
  stored,
  unknownSkill,
} from "./sample-report.ts";

const failedGate = {
  minCompletion: 0.99,
  on: "point",
  enforced: true,
  passed: false,
  below: ["my_calc"],
} as const;
const failed = sampleReport({ gate: { ...failedGate, below: ["my_calc"] }, exitCode: 1 });
const cellsOf = () => stored(failures);

test("the gate comes first, then every task that did not pass, with its file", () => {
  const lines = [...githubAnnotations(failed, cellsOf, (skillId) => `skills/${skillId}/tasks, v2.json`)];

  expect(lines).toEqual([
    "::error title=Gate failed::Gate failed: completion ≥ 99.0%25 was asked for, 1 skill below: my_calc.",
    "::error title=my_calc%3A coding_003 fail 2/2,file=skills/my_calc/tasks%2C v2.json::expected 120, got 119",
    "::error title=my_calc%3A coding_010 timeout 1/1,file=skills/my_calc/tasks%2C v2.json::deadline: no answer within 10000 ms",
  ]);
});

test("in a run that passes they are warnings, and a run without failures has none", () => {
  expect([...githubAnnotations(sampleReport(), cellsOf)][0]).toMatch(
    /^::warning title=my_calc%3A coding_003/,
  );
  const clean = sampleSkill({ counts: { total: 60, pass: 60, fail: 0, error: 0, timeout: 0, invalid: 0 } });
  expect([...githubAnnotations(sampleReport({ reports: [clean] }), cellsOf)]).toEqual([]);
});

test("a run without a verdict says so", () => {
  const report = sampleReport({ reports: [unknownSkill("mystery", 1)], exitCode: 3 });
  const cell = sampleCell({ status: "invalid", error: { code: "scorer-crashed", message: "exit 1" } });

  const [first, second] = githubAnnotations(report, () => stored([cell]));

  expect(first).toMatch(/^::error title=No verdict::No verdict: 1 invalid result/);
  expect(second).toContain("::scorer-crashed: exit 1");
});

test("ten are shown, the others counted, and no cell is read in vain", () => {
  let read = 0;
  function* cells() {
    for (let n = 0; n < 500; n++) {
      read++;
      yield sampleCell({ taskId: `t${n}`, status: "fail", reason: "no" });
    }
  }
  const counts = { total: 500, pass: 0, fail: 500, error: 0, timeout: 0, invalid: 0 };
  const skills = ["a", "b"].map((skillId) => sampleSkill({ skillId, counts }));

  const run = { ...failed.run, runs: 1 };
  const lines = [...githubAnnotations({ ...failed, run, reports: skills }, cells)];

  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe(
    "::notice title=eval-skills::and 991 more results that did not pass; see the report",
  );
  expect(read).toBe(9);
});

test("ten tasks are shown, each with all its trials", () => {
  const cells = [1, 2].flatMap((trial) =>
    Array.from({ length: 15 }, (_, n) =>
      sampleCell({ taskId: `t${n}`, trial, status: "fail", reason: "no" }),
    ),
  );
  const counts = { total: 30, pass: 0, fail: 30, error: 0, timeout: 0, invalid: 0 };
  const report = sampleReport({ reports: [sampleSkill({ counts })] });

  const lines = [...githubAnnotations(report, () => stored(cells))];

  expect(lines).toHaveLength(11);
  expect(lines[9]).toBe("::warning title=my_calc%3A t9 fail 2/2::no");
  expect(lines[10]).toContain("and 10 more results that did not pass");
});

test("hostile text can neither end a command nor begin another", () => {
  for (const text of [
    ...hostileTexts,
    "%0A::error::x",
    "x\n::set-env name=A::b",
    "a,file=/etc/passwd::y",
    "##[group]",
  ]) {
    const line = workflowCommand({ level: "error", title: text, message: text, file: text });

    expect(line).toMatch(/^::error title=[^:,]*,file=[^:,]*::/);
    expect(line).not.toMatch(hiddenCharacters);
    expect(line).not.toContain("\n");
    expect(line).not.toContain("##[");
    expect(line.replaceAll(/%(25|3A|2C)/g, "")).not.toContain("%");
  }
});

test("the page of the job has the summary table and what did not pass", () => {
  const text = [...githubSummary({ ...failed, tasks: askedTasks }, cellsOf)].join("");

  expect(text).toContain("# Evaluation report: 57 of 60 passed\n");
  expect(text).toContain("| my_calc | 95.0% (86.3–98.3) |");
  expect(text).toContain("**Gate failed: ");
  expect(text).toContain(
    "\n## my_calc\n\n### What did not pass\n\n- **fail 2/2** coding_003: expected 120, got 119\n" +
      '  - input: {"n":5}\n  - expected: 120\n',
  );
  expect(text).toContain("Files: reports/eval-result-2026-03-01T07-24-31-007Z.json, ");
});

test("the page of the job is silent about a gate that nobody asked for", () => {
  const gate = { ...failed.gate, enforced: false };

  expect([...githubSummary({ ...failed, gate }, cellsOf)].join("")).not.toContain("Gate");
});
