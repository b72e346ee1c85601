import { expect, test } from "vitest";
import type { Report } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";
import { markdownReporter } from "./markdown.ts";
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

const render = (report: Report = sampleReport(), cells: readonly TaskResult[] = failures) =>
  [...markdownReporter.render(report, () => stored(cells))].join("");

test("the summary table has a row per skill with every figure", () => {
  const text = render();

  expect(text).toContain(
    "| Skill   | Completion        | Error Rate | P95 Latency | Consistency | Flake | Composite Score |",
  );
  expect(text).toContain(
    "| my_calc | 95.0% (86.3–98.3) |       1.7% |      412 ms |      0.9592 | 10.0% |          0.9673 |",
  );
});

test("below the title stands how the skills were contained, what was not proven, and what would mend it", () => {
  expect(render().split("\n")[2]).toBe(
    "containment: process, network: open, answer keys readable, not proven: pid-namespace, seccomp (bubblewrap 0.6 is too old; try: sudo apt-get install bubblewrap)",
  );
});

test("the run facts name containment, what was not proven, seed, concurrency and tool", () => {
  const text = render();

  expect(text).toMatch(/\| Containment +\| process, network: open, answer keys readable +\|/);
  expect(text).toMatch(/\| Not proven +\| pid-namespace, seccomp +\|/);
  expect(text).toMatch(/\| Seed +\| 0 +\|/);
  expect(text).toMatch(/\| Concurrency +\| 4 +\|/);
  expect(text).toMatch(/\| Tool +\| eval-skills 1\.0\.0 +\|/);
});

test("a report names its schema and content hash, and says which fields may differ", () => {
  const text = render();

  expect(text).toContain("Made by eval-skills");
  expect(text).toContain("content sha256:5f1e");
  expect(text).toContain("differ only in times, durations, run id");
});

test("skills keep the order of the report, and one without a verdict has dashes for numbers", () => {
  const text = render(sampleReport({ reports: [sampleSkill(), unknownSkill("mystery", 1)] }));

  expect(text.indexOf("## my_calc")).toBeLessThan(text.indexOf("## mystery"));
  expect(text).toMatch(/\| mystery \| – +\| +– \| +– \| +– \| +– \| +– \|/);
});

test("a gate that was enforced stands out, one that was not is not mentioned", () => {
  const gate = {
    minCompletion: 0.8,
    on: "lower",
    enforced: true,
    passed: false,
    below: ["my_calc"],
  } as const;

  expect(render(sampleReport({ gate: { ...gate, below: ["my_calc"] } }))).toContain(
    "**Gate failed: the lower bound of completion ≥ 80.0% was asked for, 1 skill below: my_calc.**",
  );
  const loose = { ...gate, enforced: false, below: ["my_calc"] };
  expect(render(sampleReport({ gate: loose }))).not.toContain("Gate");
});

test("what did not pass comes before the tasks, and the tasks keep the order of the plan", () => {
  const text = render(undefined, [sampleCell({ taskId: "coding_001" }), ...failures]);
  const [before, tasks] = text.split("### Tasks");

  expect(before).toContain("- **fail 2/2** coding_003: expected 120, got 119\n");
  expect(before).toContain("- **timeout 1/1** coding_010: deadline: no answer within 10000 ms\n");
  expect(tasks?.match(/coding_\d+/g)).toEqual(["coding_001", "coding_003", "coding_003", "coding_010"]);
});

test("a task that did not pass tells its input and what was expected, in a line each", () => {
  const text = render(sampleReport({ tasks: askedTasks }));

  expect(text).toContain('coding_003: expected 120, got 119\n  - input: {"n":5}\n  - expected: 120\n');
  expect(text).toMatch(/ {2}- input: x{159}…\n {2}- expected: \{"keywords":\\\["a","b"\\\]\}\n/);
});

test("hostile input and expectation stay one inert line each", () => {
  for (const hostile of hostileTexts) {
    const asked = { id: "coding_003", description: hostile, isShortened: false };
    const tasks = [{ ...asked, input: { [hostile]: hostile }, expected: hostile }];

    const list = render(sampleReport({ tasks })).split("### ")[2] ?? "";

    expect(list.split("\n").filter((line) => line !== "")).toHaveLength(5);
    expect(list, hostile).not.toMatch(hiddenCharacters);
    expect(list, hostile).not.toMatch(/<|(?<!\\)`|(?<!\\)\]\(|(?<!\\):\/\//);
  }
});

test("a report of run has a column for the places of the selected", () => {
  const reports = [
    sampleSkill({ skillId: "good", selected: true, rank: 1 }),
    sampleSkill({ skillId: "poor", selected: false, rank: null }),
  ];

  const text = render(sampleReport({ command: "run", reports }));

  expect(text).toContain("| Skill | Selected | Completion");
  expect(text).toContain("| good  |        1 | 95.0%");
  expect(text).toContain("| poor  |        – | 95.0%");
  expect(render()).not.toContain("Selected");
});

test("a long list of failures stops at twenty and counts the rest", () => {
  const cells = Array.from({ length: 50 }, (_, n) =>
    sampleCell({ taskId: `t${n}`, status: "fail", score: 0 }),
  );
  const counts = { total: 50, pass: 0, fail: 50, error: 0, timeout: 0, invalid: 0 };

  const run = { ...sampleReport().run, runs: 1 };
  const text = render(sampleReport({ run, reports: [sampleSkill({ counts })] }), cells);

  expect(text.match(/^- \*\*fail\*\*/gm)).toHaveLength(20);
  expect(text).toContain("- … and 30 more, listed below");
});

test("a skill that passed everything has no list of failures", () => {
  const counts = { total: 1, pass: 1, fail: 0, error: 0, timeout: 0, invalid: 0 };

  const text = render(sampleReport({ reports: [sampleSkill({ counts })] }), [sampleCell()]);

  expect(text).not.toContain("What did not pass");
});

test("a task shows status, score, latency, reason and a shortened output", () => {
  const cell = sampleCell({
    output: "x".repeat(500),
    outputTruncated: true,
    outputBytes: 90_000,
    reason: "equal",
  });

  const row = render(undefined, [cell]).split("### Tasks")[1] ?? "";

  expect(row).toMatch(
    /\| coding_001 \| +1 \| ✓ pass \| +1 \| +84 ms \| equal +\| "x{78}… \(of 90000 bytes\) \|/,
  );
});

test("an invalid cell has no score, only a cause", () => {
  const error = { code: "judge-unavailable", message: "503" } as const;

  const text = render(undefined, [sampleCell({ status: "invalid", score: null, error })]);

  expect(text).toMatch(/\| \? invalid \| +– \| +84 ms \| judge-unavailable: 503 \|/);
});

test("with one run there is no column for trials", () => {
  const report = sampleReport();
  report.run.runs = 1;

  expect(render(report)).not.toContain("| Trial |");
});

test("tags, tokens and disturbed cells are told where there are any", () => {
  const tokenCost = { promptTokens: 12, completionTokens: 3, totalTokens: 15, estimatedUSD: 0.0123 };
  const latency = { ...sampleSkill().latency, disturbed: 1 };

  const text = render(sampleReport({ reports: [sampleSkill({ tokenCost, latency })] }));

  expect(text).toContain("| math   |    33 |   30 |      90.9% |        0.9091 |");
  expect(text).toContain("- Tokens: 12 in, 3 out, 15 in all, \\$0.012");
  expect(text).toContain("- Left out of latency: 1 disturbed cell");
});

test("cells pass by one at a time, apart from the few that decide how wide the columns are", () => {
  let pulled = 0;
  function* cells() {
    const text = sampleCell();
    for (; pulled < 20_000; pulled++) yield text;
  }
  const counts = { total: 20_000, pass: 20_000, fail: 0, error: 0, timeout: 0, invalid: 0 };

  let written = 0;
  let mostAhead = 0;
  for (const piece of markdownReporter.render(sampleReport({ reports: [sampleSkill({ counts })] }), cells)) {
    if (piece.startsWith("| coding_001")) written++;
    mostAhead = Math.max(mostAhead, pulled - written);
  }

  expect(written).toBe(20_000);
  expect(mostAhead).toBeLessThanOrEqual(101);
});

test("fault row 39: hostile names, reasons and outputs leave every table whole", () => {
  for (const hostile of hostileTexts) {
    const cell = sampleCell({
      taskId: hostile,
      status: "fail",
      reason: hostile,
      output: { [hostile]: hostile },
    });
    const skill = sampleSkill({
      skillId: hostile,
      benchmarkId: hostile,
      byTag: { [hostile]: { total: 1, pass: 0, completionRate: 0, partialScore: 0 } },
    });
    const plain = render(sampleReport({ warnings: ["x"] }), [sampleCell({ status: "fail", reason: "x" })]);

    const text = render(sampleReport({ reports: [skill], warnings: [hostile] }), [cell]);

    expect(text.split("\n").length, hostile).toBe(plain.split("\n").length - 1); // one tag instead of two
    for (const line of text.split("\n").filter((line) => line.startsWith("|")))
      expect([3, 6, 7, 8], line).toContain(line.match(/(?<!\\)\|/g)?.length);
    expect(text, hostile).not.toMatch(/<|(?<!\\)`|(?<!\\)\]\(|(?<!\\):\/\//);
  }
});

test("fault row 36: no control or bidirectional character reaches the file", () => {
  const cells = hostileTexts.map((hostile) =>
    sampleCell({
      taskId: hostile,
      status: "error",
      error: { code: "crash", message: hostile },
      output: hostile,
    }),
  );

  const text = render(undefined, cells);
  expect(text).not.toMatch(hiddenCharacters);
  expect(text).toContain("abc\\\\u{202e}txt.exe");
});

test("fault row 48: the same inputs give the same bytes", () => {
  expect(render(structuredClone(sampleReport()))).toBe(render(sampleReport()));
});
