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
  test: sense === "not-tested" ? null : "sign-flip",
  p: null,
  interval: null,
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
    decidedBy: "sign-flip",
    reason: "fell by 25.0 points, more than chance explains",
    remarks: [],
    metrics: {
      completionRate: metric(1, 0.75, "worse"),
      errorRate: metric(0, 0.05, "no-difference-found"),
      latencyMs: { ...metric(210, 260, "worse"), ratio: 1.24 },
      latencyP95Ms: { ...metric(210, 260, "not-tested"), reason: "fewer than 20 tasks" },
      compositeScore: { ...metric(0.9986, 0.8583, "not-tested"), reason: "derived from other figures" },
    },
    main: "completionRate",
    totals: { a: { cases: 22, rate: 0.9 }, b: { cases: 20, rate: 0.75 } },
    paired: {
      tasks: 20,
      coverage: 0.9091,
      decided: 1,
      trials: 3,
      meanDelta: -0.25,
      interval: { lower: -0.45, upper: -0.05 },
      p: 0.0312,
      smallestDetectableDrop: 0.168,
      broken: ["coding_003", "coding_006"],
      fixed: [],
      shifted: ["coding_009"],
      notCompared: { edited: ["coding_001", "coding_002"], onlyA: [], onlyB: [], invalid: [] },
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
    leftOut: [],
    warnings: [],
    expectedFalse: 0.05,
    isFamilyWise: false,
    failures: [],
    exitCode: 1,
    ...given,
  };
  return { diff, changes: skills.map(() => changes) };
}

const render = (compared: DiffWithTasks) => [...diffMarkdown(compared)].join("");

test("the verdict comes first, then the figures, then the tasks, then the warnings", () => {
  expect(
    render(
      withSkills([sampleDiff()], {
        warnings: ["different deadline: v1.0 1 ms, v2.0 2 ms"],
        failures: ["my_calc on coding-easy regressed"],
      }),
    ),
  ).toBe(`\
# v1.0 → v2.0: 1 skill regressed

- **failed**: my_calc on coding-easy regressed

## my_calc on coding-easy

**✗ regressed**: fell by 25.0 points, more than chance explains. Over 20 tasks the pass rate changed by −25.0 pp on average; with 95% confidence the true change lies between −45.0 and −5.0 points for cases like these (20 cases × 3). A drop below 16.8 points could have gone unseen.

| Metric          |   v1.0 |   v2.0 | Change                         |
| --------------- | -----: | -----: | ------------------------------ |
| Completion      | 100.0% |  75.0% | ↓ −25.0 pp worse               |
| Error Rate      |   0.0% |   5.0% | ↑ +5.0 pp, no difference found |
| Typical Latency | 210 ms | 260 ms | ↑ +50 ms (× 1.24) worse        |
| P95 Latency     | 210 ms | 260 ms | ↑ +50 ms, not tested           |
| Composite Score | 0.9986 | 0.8583 | ↓ −0.1403, not tested          |

Not tested: P95 Latency (fewer than 20 tasks), Composite Score (derived from other figures).

20 of the 22 tasks in v1.0 compared: 2 edited. In full, v1.0 is at 90.0% over 22 tasks, v2.0 at 75.0% over 20 tasks.

### Broken: 2 tasks

- coding_003: 100.0% → 0.0%
- coding_006: 100.0% → 0.0%

### Shifted: 1 task

- coding_009: 100.0% → 66.7%

## Warnings

- ⚠ different deadline: v1.0 1 ms, v2.0 2 ms
`);
});

test("how far a change could be off is said once, in the reason or beside the change", () => {
  const bounds =
    "with 95% confidence the true change lies between −45.0 and −5.0 points for cases like these (20 cases × 3)";
  const said = (reason: string) =>
    render(withSkills([sampleDiff({ verdict: "inconclusive", decidedBy: null, reason })])).split(bounds)
      .length - 1;

  expect(said(`could be chance: ${bounds}`)).toBe(1);
  expect(said("could be chance: among 3 verdicts, p = 0.061 after Holm's correction")).toBe(1);
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

describe("a change", () => {
  test.each([
    ["compositeScore", 0.99, 0.63, "not-tested", "↓ −0.3600, not tested"],
    ["compositeScore", 0.5, 0.5, "same", "= 0.0000"],
    ["completionRate", 0.5, 0.8125, "better", "↑ +31.3 pp better"],
    ["completionRate", 0.5, 0.5004, "no-difference-found", "↑ <0.1 pp, no difference found"],
    ["errorRate", 0.1, 0, "better", "↓ −10.0 pp better"],
    ["latencyP95Ms", 210.4, 1260.2, "worse", "↑ +1.0 s worse"],
    ["latencyMs", 1.2, 1.18, "no-difference-found", "↓ <0.1 ms, no difference found"],
    ["latencyP95Ms", 5, 5, "same", "= 0 ms"],
    ["costUsd", 0.001, 0.0042, "worse", "↑ +$0.0032 worse"],
    ["tokens", 120, 90, "better", "↓ −30 better"],
  ] as const)("of %s from %d to %d, %s, is shown as %s", (name, a, b, sense, text) => {
    expect(describeChange(name, metric(a, b, sense))).toBe(text);
  });

  test("of a figure that is not known is a dash", () => {
    const unknown = { ...metric(0, 1, "not-tested"), a: null, delta: null };
    expect(describeChange("errorRate", unknown)).toBe("–");
  });
});

const plain = { color: false, width: null };

test("beside a file the terminal gets the verdict, why, and what else changed, in columns, without colour unless it has some", () => {
  const { diff } = withSkills(
    [sampleDiff(), sampleDiff({ name: "技能", verdict: "unchanged", reason: "20 of 20 tasks equal" })],
    { failures: ["my_calc on coding-easy regressed"] },
  );

  expect(diffLines(diff, plain)).toBe(`\
my_calc  regressed  completion ↓ −25.0 pp worse
  fell by 25.0 points, more than chance explains; a drop below 16.8 points could have gone unseen
  Typical Latency ↑ +50 ms (× 1.24) worse
技能     unchanged  completion ↓ −25.0 pp worse
  20 of 20 tasks equal; a drop below 16.8 points could have gone unseen
  Typical Latency ↑ +50 ms (× 1.24) worse

2 skills: less than 1 false verdict expected; --family-wise corrects for it
failed: my_calc on coding-easy regressed
1 skill regressed, 1 unchanged
`);
  expect(diffLines(diff, { color: true, width: null })).toContain("\u001b[31mregressed");
  for (const line of diffLines(diff, { color: false, width: 60 }).split("\n"))
    expect(line.length).toBeLessThanOrEqual(60);
});

test("of many verdicts, how many are expected to be false is said", () => {
  const diff = withSkills(
    Array.from({ length: 20 }, () => sampleDiff()),
    { expectedFalse: 1 },
  );

  const words = "20 skills: about 1 false verdict expected; --family-wise corrects for it";
  expect(render(diff)).toContain(`\n${words}.\n`);
  expect(diffLines(diff.diff, { color: false, width: null })).toContain(`\n${words}\n`);
  expect(render(withSkills([sampleDiff(), sampleDiff()], { expectedFalse: 0.1 }))).toContain(
    "2 skills: less than 1 false verdict expected",
  );
  expect(render(withSkills(diff.diff.skills, { isFamilyWise: true }))).toContain(
    "20 skills, corrected for their number: the chance of any false verdict is at most 5%",
  );
  expect(render(withSkills([sampleDiff()]))).not.toContain("false verdict");
});

test("a skill that could not be compared has a reason and totals, and no figure is called better or worse", () => {
  const notCompared = { edited: ["a", "b"], onlyA: ["c"], onlyB: [], invalid: [] };
  const { paired } = sampleDiff();
  const skill = sampleDiff({
    verdict: "not-comparable",
    decidedBy: null,
    reason: "no task could be compared: 2 edited, 1 only in v1.0",
    metrics: { completionRate: { ...metric(0, 0, "not-tested"), a: null, b: null, delta: null } },
    paired: {
      ...paired,
      ...{ tasks: 0, meanDelta: null, interval: null, smallestDetectableDrop: null, notCompared },
      ...{ broken: [], fixed: [], shifted: [] },
    },
  });

  const text = render(withSkills([skill], { exitCode: 3, failures: ["my_calc is not comparable: x"] }));

  expect(text).toContain(
    "**? not comparable**: no task could be compared: 2 edited, 1 only in v1.0.\n\n0 of the 22 tasks in v1.0 compared. In full, v1.0 is at ",
  );
  expect(text).not.toMatch(/better|worse|\| Metric/);
  expect([...diffAnnotations(withSkills([skill], { exitCode: 3 }).diff)]).toEqual([
    "::error title=my_calc on coding-easy is not comparable::no task could be compared: 2 edited, 1 only in v1.0",
  ]);
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
    for (const text of [render(compared), diffLines(compared.diff, plain), ...annotations])
      expect(text).not.toMatch(hiddenCharacters);
    for (const text of [render(compared), ...annotations]) expect(text).not.toContain("##[");
    expect(render(compared)).not.toMatch(/^\s*::/m);
    for (const line of annotations) expect(line).toMatch(/^::error title=[^:,]*::/);
  }
});

test("what has regressed or is gone is annotated, as an error only where it fails the gate", () => {
  const given = { removed: [sampleName({ skillId: "old" })] };
  expect([...diffAnnotations(withSkills([sampleDiff()], given).diff)]).toEqual([
    "::error title=my_calc regressed on coding-easy::completion ↓ −25.0 pp worse, fell by 25.0 points, more than chance explains; broken: coding_003, coding_006",
    "::error title=old was removed::old on b is in v1.0 and not in v2.0",
  ]);
  expect([...diffAnnotations(withSkills([sampleDiff()], { exitCode: 0 }).diff)][0]).toMatch(/^::warning /);
  expect([...diffAnnotations(withSkills([sampleDiff({ verdict: "inconclusive" })]).diff)]).toEqual([]);
});

test("more than ten of them are counted", () => {
  const { diff } = withSkills(Array.from({ length: 13 }, (_, n) => sampleDiff({ name: `s${n}` })));

  const lines = [...diffAnnotations(diff)];

  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe("::notice title=report diff::and 3 more findings; see the comparison");
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
      main: "passRate",
      ...given,
    });

  test("is named with it, in the words of its level", () => {
    const text = render(withSkills([tried({ nameA: "openai/a" }), tried({ suite: "live" })]));

    expect(text).toContain("# v1.0 → v2.0: 2 suites regressed\n");
    expect(text).toMatch(/\| Suite +\| Verdict +\| Pass Rate +\| Error Rate +\|/);
    expect(text).toContain("## smoke with openai/a → openai/b\n");
    expect(text).toContain("### Broken: 2 cases\n");
    expect(diffLines(withSkills([tried()]).diff, plain)).toContain(
      "smoke with openai/b  regressed  pass rate ↓ −50.0 pp",
    );
    expect([...diffAnnotations(withSkills([tried()]).diff)][0]).toMatch(
      /^::error title=smoke with openai\/b regressed::pass rate ↓ −50\.0 pp worse, /,
    );
  });

  test("and skills in the same comparison have a table each", () => {
    const text = render(withSkills([sampleDiff(), tried()]));

    expect(text).toContain("# v1.0 → v2.0: 2 skills regressed\n");
    expect(text).toMatch(/\| Skill +\| Benchmark +\| Verdict +\| Completion +\| Error Rate +\|/);
    expect(text).toMatch(/\| Suite +\| Verdict +\| Pass Rate +\| Error Rate +\|/);
  });
});

test("a figure that nobody has named is shown as a share, under its own name", () => {
  const text = render(
    withSkills([sampleDiff({ metrics: { toyRate: metric(0.5, 0.75, "better") }, main: "toyRate" })]),
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
