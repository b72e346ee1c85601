import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { type ReportParts, skillParts } from "../../../test/sample-report-file.ts";
import { plainUnit, sampleGate, sampleView, type ViewOptions } from "../../../test/sample-view.ts";
import type { CellResult } from "../../contract/result.ts";
import { sampleInterval } from "../../store/samples.ts";
import { textWidth } from "../text/text-width.ts";
import { terminalFormat } from "./terminal.ts";

function render(parts: readonly ReportParts[], options: ViewOptions = {}): string[] {
  const text = [...terminalFormat.render(sampleView(parts, options))].join("");
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

/** A skill with one task, whose cells are changed. */
function changed(change: Partial<CellResult>, tasks: Record<string, string> = { t1: "f" }): ReportParts {
  const parts = skillParts({ skillId: "calc", tasks });
  return { ...parts, cells: (parts.cells ?? []).map((cell) => ({ ...cell, ...change })) };
}

test("what failed comes first, the verdict last, with the reasons and one line of paths above it", () => {
  const files = ["json", "md"].flatMap((extension) => [
    `reports/eval-result-2026-03-01T07-24-31-007Z.${extension}`,
    `reports/eval-result.${extension}`,
  ]);

  const lines = render(
    [
      skillParts({ skillId: "fine", tasks: { t1: "ppp", t2: "ppp" } }),
      skillParts({ skillId: "calc", tasks: { t1: "ppf", t2: "fff" }, completionRate: 1 / 3 }),
      sampleGate("calc", false),
      { exitCode: 1, files },
    ],
    { width: 80 },
  );

  expect(lines).toEqual([
    "unit · coding-easy · 2 tasks × 3 trials",
    "✗ calc  4 of 6 failed  completion 33.3%  error rate 1.7%",
    "    t1  failed in 1 of 3 trials: expected 1, got 2",
    "    t2  failed in 3 of 3 trials: expected 1, got 2",
    "",
    "✓ fine  6 passed       completion 95.0%  error rate 1.7%",
    "",
    "reports/eval-result.{json,md}",
    "",
    "completion: 1 skill below the 90% threshold: calc (50.0%)",
    "✗ 4 of 12 failed",
  ]);
});

test("with --verbose, what a rerun of the same cases could give is shown beside what other cases could", () => {
  const parts = skillParts({ skillId: "calc", tasks: { t1: "ppf", t2: "ppp" } });
  const [subject] = parts.subjects ?? [];
  const { completionRate } = subject?.metrics ?? {};
  if (subject === undefined || completionRate === undefined) throw new Error("there is one");
  const thisSuite = {
    ...sampleInterval(0.4365, 0.9699, { cases: 2, trials: 6 }),
    estimates: "this-suite",
  } as const;
  subject.metrics.completionRate = { ...completionRate, thisSuite };

  const line = "    for a rerun of these cases (2 cases × 3), few cases: completion [43.6–97.0]";
  expect(render([parts], { isVerbose: true })).toContain(line);
  expect(render([parts])).not.toContain(line);
});

test("colours are added to what was measured, and to nothing else", () => {
  const parts = [
    skillParts({ tasks: { t1: "pf", t2: "ii" } }),
    skillParts({ skillId: "b", tasks: { t1: "p" } }),
  ];

  const colored = render(parts, { color: true });

  expect(colored.join("\n")).toContain("\u001b[31m✗");
  expect(colored.map(stripVTControlCharacters)).toEqual(render(parts));
});

describe("many subjects", () => {
  const failing = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      skillParts({ skillId: `skill_${n}`, tasks: Object.fromEntries(tasks.map((id) => [id, "f"])) }),
    );
  const tasks = Array.from({ length: 8 }, (_, n) => `task_${n}`);

  test("of 200 that failed the screen holds a few in detail, some by name, and says how to see all", () => {
    const lines = render([...failing(200), { exitCode: 1 }], { width: 80 });

    expect(lines.length).toBeLessThan(100);
    expect(lines.filter((line) => line.startsWith("✗ skill_"))).toHaveLength(30);
    expect(lines.filter((line) => line === "    … 6 more failed tasks")).toHaveLength(10);
    expect(lines).toContain("… and 170 more that did not pass");
    expect(lines).toContain("everything that failed: eval-skills report show reports/eval-result.json");
    expect(lines.at(-1)).toBe("✗ 1,600 of 1,600 failed");
  });

  test("with everything asked for, everything is there", () => {
    const lines = render(failing(40), { maxFailures: null });

    expect(lines.filter((line) => /^ {4}task_/.test(line))).toHaveLength(40 * 8);
    expect(lines.join("\n")).not.toMatch(/… .*more|report show/);
  });

  test("those that passed are counted where they are many", () => {
    const passing = Array.from({ length: 200 }, (_, n) =>
      skillParts({ skillId: `s${n}`, tasks: { t1: "p" } }),
    );

    const lines = render([...passing, ...failing(1)]);

    expect(lines[1]).toMatch(/^✗ skill_0 /);
    expect(lines.filter((line) => line.startsWith("✓ s"))).toHaveLength(10);
    expect(lines).toContain("… and 190 more that passed");
  });

  test("without a file that can be read back, the command to write one is named", () => {
    const lines = render([...failing(1), { files: ["reports/eval-result.md"] }]);

    expect(lines).toContain(
      "everything that failed: run with --format json, then: eval-skills report show <file>",
    );
  });
});

describe("suites", () => {
  test("each has a head line, and its subjects the names they have there", () => {
    const lines = render([
      skillParts({ skillId: "a", suite: "one", tasks: { t1: "p" } }),
      skillParts({ skillId: "b", suite: "one", tasks: { t1: "p" } }),
      skillParts({ skillId: "a", suite: "two", tasks: { t1: "ff" } }),
    ]);

    expect(
      lines.filter((line) => /^(unit|[✓✗])/.test(line)).map((line) => line.replace(/ {2}.*/, "")),
    ).toEqual(["unit · two · 1 task × 2 trials", "✗ a", "unit · one · 1 task", "✓ a", "✓ b"]);
  });

  test("with one subject each are lines of one table", () => {
    const lines = render(
      ["one", "two"].map((suite) => skillParts({ skillId: "a", suite, tasks: { t1: "p" } })),
      { width: 40 },
    );

    expect(lines.slice(0, 3)).toEqual([
      "unit · a · 2 suites · 2 tasks",
      "✓ one  1 passed  completion 95.0%",
      "✓ two  1 passed  completion 95.0%",
    ]);
  });

  test("what is there to compare with comes last and says so", () => {
    const view = { isReference: ({ skillId }: { skillId: string | null }) => skillId === "baseline" };

    const lines = render(
      [
        skillParts({ skillId: "baseline", tasks: { t1: "f" } }),
        skillParts({ skillId: "a", tasks: { t1: "p" } }),
      ],
      { levels: [{ ...plainUnit, view }] },
    );

    expect(lines.slice(1, 4).map((line) => line.replace(/ +completion.*/, ""))).toEqual([
      "✓ a         1 passed",
      "  to compare with, not part of the verdict:",
      "· baseline  1 of 1 failed",
    ]);
    expect(lines.at(-1)).toBe("✓ 1 passed");
  });
});

describe("a failed case", () => {
  test("shows the beginning and the end of a traceback, with its lines", () => {
    const calls = Array.from({ length: 40 }, (_, n) => `  File "m${n}.py", line ${n}\n\treturn inner()`);
    const reason = ["Traceback (most recent call last):", ...calls, "ValueError: no number"].join("\n");

    const lines = render([changed({ status: "error", cause: "crash", reason })]);

    expect(lines.slice(2, 10)).toEqual([
      "    t1",
      "      error: crash: Traceback (most recent call last):",
      '        File "m0.py", line 0',
      "          return inner()",
      "      … 76 more lines …",
      '        File "m39.py", line 39',
      "          return inner()",
      "      ValueError: no number",
    ]);
  });

  test("shows what differs, unless its reason says the same", () => {
    const parts = (reason: string) => {
      const part = changed({ reason, output: { n: 6, text: "a\nc", extra: [1] } });
      return [
        { ...part, cases: part.cases?.map((one) => ({ ...one, expected: { n: 5, text: "a\nb" } })) ?? [] },
      ];
    };

    expect(render(parts("the members differ")).slice(2, 6)).toEqual([
      "    t1  failed: the members differ",
      "      $.n: expected 5, got 6",
      '      $.text line 2: expected "b", got "c"',
      "      $.extra: unexpected [1]",
    ]);
    expect(render(parts("expected 5, got 6")).join("\n")).not.toContain("$.n");
  });

  test("stands for those that broke in the same way", () => {
    const lines = render([
      changed({ status: "timeout", cause: "deadline", reason: "no answer" }, { a: "t", b: "t", c: "t" }),
    ]);

    expect(lines.slice(2, 4)).toEqual(["    a  timed out: deadline: no answer", "      the same in b, c"]);
  });

  test("that a retry turned into a pass is named", () => {
    const attempt = { n: 1, status: "error", code: null, latencyMs: 1, message: null } as const;

    const lines = render([
      changed({ attempts: [attempt, { ...attempt, n: 2, status: "answered" }] }, { a: "p" }),
    ]);

    expect(lines[2]).toBe("    1 passed on attempt 2: a");
  });
});

test("Chinese names line up, and only what is longer than a line sticks out of it", () => {
  const url = `https://example.com/${"path/".repeat(30)}`;
  const parts = [
    changed(
      { reason: `${"期望的译文与实际得到的译文不同，".repeat(6)} ${url} ${"word ".repeat(40)}` },
      { 用例: "f" },
    ),
    skillParts({ skillId: "翻译助手", tasks: { t1: "p" } }),
    skillParts({
      skillId: "a_name_that_is_much_longer_than_those_of_all_the_other_skills",
      tasks: { t1: "p" },
    }),
    { warnings: ["warning ".repeat(40)] },
  ];
  for (const width of [40, 80, 120]) {
    const lines = render(parts, { width });
    expect(
      lines.filter((line) => textWidth(line) > width && line.replace(/^(✓ | +)/, "").includes(" ")),
    ).toEqual([]);
    const columns = lines.flatMap((line) =>
      /^[✓✗] (calc|翻译助手) /.test(line) ? [textWidth(line.split(/\d/)[0] ?? "")] : [],
    );
    expect(new Set(columns).size).toBe(1);
    expect(columns).toHaveLength(2);
  }
});

describe("one subject", () => {
  const parts = [
    skillParts({ skillId: "calculator", tasks: { t1: "f" } }),
    skillParts({ skillId: "other", tasks: { t9: "f" } }),
  ];

  test("is shown alone, with everything about its cells", () => {
    const text = render(parts, { onlySubject: "calculator", maxFailures: null }).join("\n");

    expect(text).toContain("Latency");
    expect(text).not.toContain("t9");
    expect(text).toMatch(/the whole run: 2 of 2 failed.*\n✗ calculator: 1 of 1 failed$/);
  });

  test("that is not there is an error that names the nearest", () => {
    expect(() => render(parts, { onlySubject: "calcluator" })).toThrow(
      expect.objectContaining({
        message: 'the report has no subject "calcluator"',
        hint: "did you mean calculator?",
      }),
    );
  });
});

test("sections of a level and the facts of the run are there where everything is", () => {
  const sections = () => [{ title: "Confusion", blocks: [{ kind: "text", text: "a for b" } as const] }];
  const options = { levels: [{ ...plainUnit, view: { sections } }] };
  const parts = [skillParts({ tasks: { t1: "p" } })];

  expect(render(parts, options).join("\n")).not.toContain("Confusion");
  expect(render(parts, { ...options, maxFailures: null }).join("\n")).toMatch(
    /\nConfusion\n {2}a for b\n\nRun\n/,
  );
});

test("warnings are counted and the first are shown, what was skipped is grouped by reason", () => {
  const skipped = ["a", "b"].map((skillId) => ({
    ...{ level: "unit", suite: "coding-easy", skillId, caseId: null, reason: "no-block" },
  }));

  const lines = render(
    [skillParts({ tasks: { t1: "p" } }), { warnings: ["one\ntwo", "b", "c", "d"], skipped }],
    {
      levels: [{ ...plainUnit, view: { skipReasons: { "no-block": "no tests" } } }],
    },
  );

  expect(lines.slice(3, 10)).toEqual([
    "skipped: 2 skills (no tests): a, b",
    "4 warnings:",
    "  - one",
    "    two",
    "  - b",
    "  - c",
    "  … and 1 more",
  ]);
});

test("of figures without room the last go first, and intervals stay: a small sample must be seen", () => {
  const interval = sampleInterval(0.6, 0.95);
  const headline = () => [
    { label: "Completion", value: 0.85, unit: "share" as const, interval },
    { label: "Consistency", value: null },
    { label: "P95 latency", value: 42, unit: "ms" as const },
  ];
  const lines = (width: number) =>
    render([skillParts({ tasks: { t1: "p" } })], {
      width,
      levels: [{ ...plainUnit, view: { headline } }],
    });
  const row = (width: number) => lines(width)[1];

  expect(row(80)).toBe("✓ my_calc  1 passed  Completion 85.0% [60.0–95.0]  P95 latency 42 ms");
  expect(row(60)).toBe("✓ my_calc  1 passed  Completion 85.0% [60.0–95.0]");
  expect(row(40)).toBe("✓ my_calc  1 passed  Completion 85.0%");
  expect(lines(60)[2]).toBe("  [95% interval] for cases like these (3 cases), few cases");
  // Where no interval is shown, none is explained.
  expect(lines(40).join("\n")).not.toContain("interval");
});

test("what must be known of a run is said where little is, all else where everything is", () => {
  const runFacts = () => [
    { label: "Judged by", value: "lab/small", note: "2 cells", isNote: true },
    { label: "Retries", value: 2 },
  ];
  const lines = render([skillParts({ tasks: { t1: "p" } })], {
    levels: [{ ...plainUnit, view: { runFacts } }],
  });

  expect(lines).toContain("Judged by: lab/small, 2 cells");
  expect(lines.join("\n")).not.toContain("Retries");
});
