import { describe, expect, test } from "vitest";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import { subjectName } from "../../contract/cell.ts";
import type {
  ComparedSubject,
  DiffWithTasks,
  MetricDiff,
  ReportDiff,
  SkillDiff,
} from "../../contract/diff.ts";
import { diffAnnotations } from "./diff-github.ts";
import { diffLines } from "./diff-lines.ts";
import { diffMarkdown } from "./diff-markdown.ts";
import { describeChange } from "./diff-words.ts";

const metric = (a: number, b: number, sense: MetricDiff["sense"]): MetricDiff => ({
  a,
  b,
  delta: b - a,
  sense,
});

function sampleName(given: Partial<ComparedSubject>): ComparedSubject {
  const named = { level: "unit", suite: "b", skillId: null, model: null, arm: null, ...given };
  const nouns = { case: ["task", "tasks"], subject: "skill" } as const;
  return { ...named, name: subjectName(named), nouns, ...given };
}

function sampleDiff(given: Partial<SkillDiff> = {}): SkillDiff {
  return {
    ...sampleName({ skillId: "my_calc", suite: "coding-easy" }),
    verdict: "regressed",
    reason: "interval below 0",
    metrics: {
      completionRate: metric(1, 0.75, "worse"),
      errorRate: metric(0, 0.05, "worse"),
      latencyP95Ms: metric(210, 260, "worse"),
      compositeScore: metric(0.9986, 0.8583, "worse"),
    },
    main: ["completionRate", "compositeScore"],
    paired: {
      tasks: 20,
      meanDelta: -0.25,
      interval: { lower: -0.45, upper: -0.05 },
      broken: ["coding_003", "coding_006"],
      fixed: [],
      shifted: ["coding_009"],
    },
    ...given,
  };
}

const changes = [
  { taskId: "coding_003", a: 1, b: 0 },
  { taskId: "coding_006", a: 1, b: 0 },
  { taskId: "coding_009", a: 1, b: 2 / 3 },
];

function withSkills(skills: SkillDiff[], given: Partial<ReportDiff> = {}): DiffWithTasks {
  const diff: ReportDiff = {
    labels: { a: "v1.0", b: "v2.0" },
    skills,
    added: [],
    removed: [],
    warnings: [],
    exitCode: 1,
    ...given,
  };
  return { diff, changes: skills.map(() => changes) };
}

const render = (compared: DiffWithTasks) => [...diffMarkdown(compared)].join("");

test("the verdict comes first, then the figures, then the tasks, then the warnings", () => {
  expect(
    render(withSkills([sampleDiff()], { warnings: ["different deadline: v1.0 1 ms, v2.0 2 ms"] })),
  ).toBe(`\
# v1.0 → v2.0: 1 skill regressed

## my_calc on coding-easy

**✗ regressed**: interval below 0. Over 20 tasks the pass rate changed by −25.0 pp (95 %: −45.0 pp to −5.0 pp) on average.

| Metric          |   v1.0 |   v2.0 | Change           |
| --------------- | -----: | -----: | ---------------- |
| Completion      | 100.0% |  75.0% | ↓ −25.0 pp worse |
| Error Rate      |   0.0% |   5.0% | ↑ +5.0 pp worse  |
| P95 Latency     | 210 ms | 260 ms | ↑ +50 ms worse   |
| Composite Score | 0.9986 | 0.8583 | ↓ −0.1403 worse  |

### Broken: 2 tasks

- coding_003: 100.0% → 0.0%
- coding_006: 100.0% → 0.0%

### Shifted: 1 task

- coding_009: 100.0% → 66.7%

## Warnings

- ⚠ different deadline: v1.0 1 ms, v2.0 2 ms
`);
});

test("several skills have an overview, and what was added or removed is named", () => {
  const text = render(
    withSkills([sampleDiff(), sampleDiff({ name: "calc_v2", nameA: "calc_v1", verdict: "inconclusive" })], {
      added: [sampleName({ skillId: "new" })],
      removed: [sampleName({ skillId: "old" })],
    }),
  );

  expect(text).toContain("# v1.0 → v2.0: 1 skill regressed, 1 removed, 1 inconclusive, 1 added\n");
  expect(text).toMatch(/\| my_calc +\| coding-easy \| ✗ regressed +\| ↓ −25\.0 pp worse \|/);
  expect(text).toContain("## calc_v1 → calc_v2 on coding-easy\n");
  expect(text).toContain("## Removed\n\n- old on b\n");
  expect(text).toContain("## Added\n\n- new on b\n");
});

test("long lists of tasks are cut and say so", () => {
  const many = Array.from({ length: 70 }, (_, n) => ({ taskId: `t${n}`, a: 1, b: 0 }));
  const skill = sampleDiff();
  skill.paired.broken = many.map(({ taskId }) => taskId);

  const text = render({ ...withSkills([skill]), changes: [many] });

  expect(text).toContain("### Broken: 70 tasks");
  expect(text).toContain("- … and 20 more\n");
  expect(text.match(/^- t\d+: /gm)).toHaveLength(50);
});

describe("case 11: a change", () => {
  test.each([
    ["compositeScore", 0.99, 0.63, "worse", "↓ −0.3600 worse"],
    ["compositeScore", 0.99, 0.63, "within-noise", "↓ −0.3600 within noise"],
    ["compositeScore", 0.5, 0.5, "same", "= 0.0000"],
    ["completionRate", 0.5, 0.8125, "better", "↑ +31.3 pp better"],
    ["completionRate", 0.5, 0.5004, "within-noise", "↑ <0.1 pp within noise"],
    ["errorRate", 0.1, 0, "better", "↓ −10.0 pp better"],
    ["latencyP95Ms", 210.4, 1260.2, "worse", "↑ +1050 ms worse"],
    ["latencyP95Ms", 1.2, 1, "within-noise", "↓ <1 ms within noise"],
    ["latencyP95Ms", 5, 5, "same", "= 0 ms"],
  ] as const)("of %s from %d to %d, %s, is shown as %s", (name, a, b, sense, text) => {
    expect(describeChange(name, { a, b, delta: b - a, sense })).toBe(text);
  });

  test("of a figure that is not known is a dash", () => {
    expect(describeChange("errorRate", { a: null, b: 1, delta: null, sense: "within-noise" })).toBe("–");
  });
});

test("beside a file the terminal gets a line per skill, in columns, without colour unless it has some", () => {
  const { diff } = withSkills([
    sampleDiff(),
    sampleDiff({ name: "技能", verdict: "improved", reason: "interval above 0" }),
  ]);

  expect(diffLines(diff, false)).toBe(`\
my_calc  regressed     completion ↓ −25.0 pp worse  (interval below 0)
技能     improved      completion ↓ −25.0 pp worse  (interval above 0)

1 skill regressed, 1 improved
`);
  expect(diffLines(diff, true)).toContain("\u001b[31mregressed");
});

test("fault row 39: hostile ids, labels and tasks stay text, and no line can be taken for a workflow command", () => {
  for (const hostile of [...fewHostileTexts, "::error::x", "##[error]x"]) {
    const compared = {
      ...withSkills([sampleDiff({ skillId: hostile, name: hostile, suite: hostile })], {
        labels: { a: hostile, b: hostile },
        warnings: [hostile],
        removed: [sampleName({ skillId: hostile, suite: hostile })],
      }),
      changes: [[{ taskId: hostile, a: 1, b: 0 }]],
    };
    const annotations = [...diffAnnotations(compared.diff)];
    for (const text of [render(compared), diffLines(compared.diff, false), ...annotations])
      expect(text).not.toMatch(hiddenCharacters);
    for (const text of [render(compared), ...annotations]) expect(text).not.toContain("##[");
    expect(render(compared)).not.toMatch(/^\s*::/m);
    for (const line of annotations) expect(line).toMatch(/^::error title=[^:,]*::/);
  }
});

test("what has regressed or is gone is annotated, as an error only where it fails the gate", () => {
  const given = { removed: [sampleName({ skillId: "old" })] };
  expect([...diffAnnotations(withSkills([sampleDiff()], given).diff)]).toEqual([
    "::error title=my_calc regressed on coding-easy::completion ↓ −25.0 pp worse, interval below 0; broken: coding_003, coding_006",
    "::error title=old was removed::old on b is in v1.0 and not in v2.0",
  ]);
  expect([...diffAnnotations(withSkills([sampleDiff()], { exitCode: 0 }).diff)][0]).toMatch(/^::warning /);
  expect([...diffAnnotations(withSkills([sampleDiff({ verdict: "inconclusive" })]).diff)]).toEqual([]);
});

test("more than ten of them are counted", () => {
  const { diff } = withSkills(Array.from({ length: 13 }, (_, n) => sampleDiff({ name: `s${n}` })));

  const lines = [...diffAnnotations(diff)];

  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe("::notice title=report diff::and 3 more skills that regressed or were removed");
});

describe("a model that was tried with a suite", () => {
  const tried = (given: Partial<SkillDiff> = {}) =>
    sampleDiff({
      level: "agent",
      suite: "smoke",
      skillId: null,
      model: "openai/b",
      name: "openai/b",
      nouns: { case: ["case", "cases"], subject: "model" },
      metrics: { passRate: metric(1, 0.5, "worse"), recall: metric(1, 1, "same") },
      main: ["passRate", "recall"],
      ...given,
    });

  test("is named with it, in the words of its level", () => {
    const text = render(withSkills([tried({ nameA: "openai/a" }), tried({ suite: "live" })]));

    expect(text).toContain("# v1.0 → v2.0: 2 suites regressed\n");
    expect(text).toMatch(/\| Suite +\| Verdict +\| Pass Rate +\| Recall +\|/);
    expect(text).toContain("## smoke with openai/a → openai/b\n");
    expect(text).toContain("### Broken: 2 cases\n");
    expect(diffLines(withSkills([tried()]).diff, false)).toContain(
      "smoke with openai/b  regressed     pass rate ↓ −50.0 pp",
    );
    expect([...diffAnnotations(withSkills([tried()]).diff)][0]).toMatch(
      /^::error title=smoke with openai\/b regressed::pass rate ↓ −50\.0 pp worse, /,
    );
  });

  test("and skills in the same comparison have a table each", () => {
    const text = render(withSkills([sampleDiff(), tried()]));

    expect(text).toContain("# v1.0 → v2.0: 2 skills regressed\n");
    expect(text).toMatch(/\| Skill +\| Benchmark +\| Verdict +\| Completion +\| Composite Score +\|/);
    expect(text).toMatch(/\| Suite +\| Verdict +\| Pass Rate +\| Recall +\|/);
  });
});

test("a figure that nobody has named is shown as a share, under its own name", () => {
  const text = render(
    withSkills([sampleDiff({ metrics: { toyRate: metric(0.5, 0.75, "better") }, main: ["toyRate"] })]),
  );

  expect(text).toMatch(/\| toyRate +\| +50\.0% \| +75\.0% \| ↑ \+25\.0 pp better +\|/);
});

test("a query is shown with its request, which is shortened", () => {
  const title = `should_match “${"x".repeat(200)}”`;
  const compared = {
    ...withSkills([sampleDiff()]),
    changes: [[{ taskId: "coding_003", title, a: 1, b: 0 }]],
  };

  expect(render(compared)).toMatch(/^- coding_003 should_match “x+…x+”: 100\.0% → 0\.0%$/m);
});
