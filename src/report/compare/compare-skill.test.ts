import { describe, expect, test } from "vitest";
import {
  makeCases,
  makeResults,
  sampleSummary,
  summaryValues,
} from "../../../test/builders/sample-summary.ts";
import { cellReader, sampleDocument } from "../../../test/sample-document.ts";
import type { MetricReport } from "../../contract/document.ts";
import type { CellResult } from "../../contract/result.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { sampleSubject } from "../../store/samples.ts";
import { type CompareRules, compareSkill } from "./compare-skill.ts";
import { type ComparedSide, comparedSides } from "./compared-side.ts";

const rules: CompareRules = {
  ...{ seed: 0, isStrict: false, margin: 0.05, timeProblem: null },
  labels: { a: "v1", b: "v2" },
};

/** A side over tasks given as one word each, a letter per trial: `{ a: "ppf" }`. */
function makeSide(
  words: Record<string, string>,
  {
    skillId = "skill",
    changed = (cell) => cell,
  }: { skillId?: string; changed?: (cell: CellResult) => CellResult } = {},
): ComparedSide {
  const cells = makeResults(words)
    .map((cell) => ({ ...cell, skillId, caseDigest: `sha256:${cell.caseId}` }))
    .map(changed);
  const runs = Math.max(...Object.values(words).map((word) => word.length));
  const { summary, latency, counts } = sampleSummary(cells, {
    cases: makeCases(Object.keys(words)),
    runs,
  }).figures();
  const { completionRate, errorRate, compositeScore } = summaryValues(summary);
  const shown = { completionRate, errorRate, latencyP95Ms: latency.p95Ms.value, compositeScore };
  const metrics = Object.entries(shown).map(([name, value]): [string, MetricReport] => [
    name,
    { value, interval: null, n: null, better: "up" },
  ]);
  const subject = sampleSubject({ skillId, counts, metrics: Object.fromEntries(metrics) });
  const [side] = comparedSides(sampleDocument({ subjects: [subject], cases: [] }), cellReader(cells), [
    unitLevel,
  ]);
  if (side === undefined) throw new Error("there is one");
  return side;
}

/** Tasks t0, t1, …, each with this word. */
function tasks(...words: string[]): Record<string, string> {
  return Object.fromEntries(words.map((word, at) => [`t${at}`, word]));
}

const many = (count: number, word: string) => Array<string>(count).fill(word);

const compare = (a: Record<string, string>, b: Record<string, string>, changes: Partial<CompareRules> = {}) =>
  compareSkill(makeSide(a), makeSide(b), { ...rules, ...changes }).skill;

describe("the verdict", () => {
  test("many broken tasks regress, many fixed ones improve: the test and the interval agree", () => {
    const regressed = compare(tasks(..."pppppppppp"), tasks(..."fffffppppp"));
    const improved = compare(tasks(..."fffffppppp"), tasks(..."pppppppppp"));

    expect(regressed).toMatchObject({
      verdict: "regressed",
      decidedBy: "sign-flip",
      reason: "fell by 50.0 points, more than chance explains",
      paired: {
        tasks: 10,
        coverage: 1,
        trials: 1,
        meanDelta: -0.5,
        p: 0.03125,
        broken: ["t0", "t1", "t2", "t3", "t4"],
      },
    });
    expect(regressed.paired.interval?.upper).toBeLessThan(0);
    expect(improved).toMatchObject({
      verdict: "improved",
      reason: "rose by 50.0 points, more than chance explains",
      paired: { fixed: ["t0", "t1", "t2", "t3", "t4"], broken: [] },
    });
  });

  test("one broken task among many, tried once, could be chance", () => {
    expect(compare(tasks(..."pppppppppp"), tasks(..."fppppppppp"))).toMatchObject({
      verdict: "inconclusive",
      decidedBy: null,
      reason:
        "could be chance: with 95% confidence the true change lies between −32.6 and +12.6 points for cases like these (10 cases), few cases",
    });
  });

  test("one broken task is a regression where three trials on each side agree about every task", () => {
    const before = tasks(...many(5, "ppp"), "fff");

    expect(compare(before, tasks("fff", ...many(4, "ppp"), "fff"))).toMatchObject({
      verdict: "regressed",
      decidedBy: "determinism",
      reason: "1 task broken, none fixed, no mixed results",
      paired: { p: 2 * 4 ** -3 },
    });
    expect(compare(before, tasks(...many(6, "ppp")))).toMatchObject({
      verdict: "improved",
      reason: "1 task fixed, none broken, no mixed results",
    });
    expect(compare(before, tasks("fff", ...many(5, "ppp")))).toMatchObject({ verdict: "inconclusive" });
    expect(compare(tasks("ppp"), tasks("fff")).verdict).toBe("regressed");
  });

  test("one mixed task on either side, two trials, or an invalid one leave that open", () => {
    expect(compare(tasks("ppp", "ppf"), tasks("fff", "ppf")).verdict).toBe("inconclusive");
    expect(compare(tasks("ppp", "ppp"), tasks("fff", "pfp")).verdict).toBe("inconclusive");
    expect(compare(tasks("pp", ...many(9, "pp")), tasks("ff", ...many(9, "pp"))).verdict).toBe(
      "inconclusive",
    );
    expect(compare(tasks("ppp", ...many(9, "ppp")), tasks("ffi", ...many(9, "ppp"))).verdict).toBe(
      "inconclusive",
    );
  });

  test("broken tasks that chance hardly explains are remarked, and decide nothing", () => {
    const before = tasks(...many(20, "ppp"), "pff");
    const after = tasks(...many(3, "fff"), ...many(17, "ppp"), "fpp");

    expect(compare(before, after)).toMatchObject({
      verdict: "inconclusive",
      remarks: ["more broken tasks than chance explains"],
    });
    expect(compare(tasks(...many(21, "ppp")), after).remarks).toEqual([
      "more broken tasks than chance explains",
    ]);
  });

  test("with strict one broken task is enough, even beside many that were fixed", () => {
    expect(compare(tasks(..."pppppppppp"), tasks(..."fppppppppp"), { isStrict: true })).toMatchObject({
      verdict: "regressed",
      decidedBy: "strict",
      reason: "strict: 1 task broken",
    });
    expect(compare(tasks(..."pffffffff"), tasks(..."fpppppppp"), { isStrict: true })).toMatchObject({
      verdict: "regressed",
      metrics: { completionRate: { delta: 0.7778, sense: "better", test: "sign-flip" } },
    });
    expect(compare(tasks("p", "f"), tasks("f", "p"), { isStrict: true })).toMatchObject({
      verdict: "regressed",
      metrics: { completionRate: { delta: 0, sense: "same" } },
    });
    expect(compare(tasks("f", "p"), tasks("p", "p"), { isStrict: true })).toMatchObject({
      verdict: "improved",
      decidedBy: "strict",
    });
    expect(compare(tasks(..."pffffffff"), tasks(..."fpppppppp")).verdict).toBe("improved");
  });

  test("nothing changed, or hardly anything, is unchanged, and says what it could not see", () => {
    expect(compare(tasks("pf", "pp"), tasks("fp", "pp"))).toMatchObject({
      verdict: "unchanged",
      reason: "2 of 2 tasks equal",
    });
    expect(compare(tasks(...many(20, "p")), tasks(...many(20, "p"))).paired).toMatchObject({
      smallestDetectableDrop: 0.1684,
      interval: { lower: -0.1684, upper: 0.1684 },
    });
    const [before, after] = [tasks(...many(199, "pp"), "pf"), tasks(...many(199, "pp"), "pp")];
    expect(compare(before, after)).toMatchObject({
      verdict: "unchanged",
      reason: "the change lies within ±5.0 points",
    });
    expect(compare(before, after, { margin: 0.001 }).verdict).toBe("inconclusive");
  });

  test("few tasks cannot tell, however much they changed, and no figure then says worse", () => {
    expect(compare(tasks("p"), tasks("f"))).toMatchObject({
      verdict: "inconclusive",
      reason: "too few tasks to tell chance from change: 1 task",
      paired: { tasks: 1, meanDelta: -1, interval: null },
      metrics: { completionRate: { delta: -1, sense: "not-tested", test: null } },
    });
  });

  test("no task with results on both sides is not comparable, and the reason counts why", () => {
    expect(compare({ old: "p" }, { new: "p" })).toMatchObject({
      verdict: "not-comparable",
      reason: "no task could be compared: 1 only in v1, 1 only in v2",
      paired: { tasks: 0, coverage: 0, meanDelta: null, interval: null, smallestDetectableDrop: null },
      metrics: { completionRate: { a: null, b: null, delta: null, sense: "not-tested" } },
    });
    expect(compare(tasks("p", "p"), tasks("i", "i")).reason).toBe(
      "no task could be compared: 2 without a valid result on one side",
    );
  });

  test("a report that lacks cells is not comparable: what is missing may be what failed", () => {
    const side = makeSide(tasks("p", "p"));
    const { skill } = compareSkill(side, { ...side, missingCells: 3 }, rules);

    expect(skill).toMatchObject({
      verdict: "not-comparable",
      reason: "3 cells that the reports count are missing from them",
    });
  });
});

describe("pairing tasks", () => {
  test("a task that passed sometimes is shifted, not broken", () => {
    const { skill, changes } = compareSkill(
      makeSide(tasks("ppp", "pff")),
      makeSide(tasks("ppf", "fff")),
      rules,
    );

    expect(skill.paired).toMatchObject({ broken: [], fixed: [], shifted: ["t0", "t1"] });
    expect(changes[0]).toMatchObject({ taskId: "t0", a: 1, b: 2 / 3 });
  });

  test("invalid trials count nowhere, and a task without a valid one is not compared", () => {
    const { paired, totals } = compare(tasks("pip", "ppp"), tasks("ffi", "iii"));

    expect(paired).toMatchObject({
      tasks: 1,
      coverage: 0.5,
      broken: ["t0"],
      notCompared: { edited: [], onlyA: [], onlyB: [], invalid: ["t1"] },
    });
    expect(totals).toEqual({ a: { cases: 2, rate: 1 }, b: { cases: 2, rate: 0 } });
  });

  test("what went into quarantine since is not covered; what already was does not count", () => {
    const quarantined = (cell: CellResult): CellResult =>
      cell.caseId === "t1" ? { ...cell, quarantine: { until: "2099-01-01", reason: "x" } } : cell;
    const plain = makeSide(tasks("ppp", "ppp"));
    const missing = { ...makeSide(tasks("ppp", "fff"), { changed: quarantined }), missingCells: 0 };

    expect(compareSkill(plain, missing, rules).skill.paired).toMatchObject({ tasks: 1, coverage: 0.5 });
    expect(compareSkill(missing, plain, rules).skill.paired).toMatchObject({ tasks: 1, coverage: 1 });
  });

  test("an error and a timeout are trials that did not pass", () => {
    expect(compare(tasks("p", "p"), tasks("e", "t")).paired.broken).toEqual(["t0", "t1"]);
  });

  test("a task whose content changed is another task, and one whose content is unknown as well", () => {
    const a = makeSide(tasks("p", "p", "p"));
    const b = (caseDigest: (cell: CellResult) => string) =>
      makeSide(tasks("f", "p", "p"), { changed: (cell) => ({ ...cell, caseDigest: caseDigest(cell) }) });
    const changed = b((cell) => (cell.caseId === "t0" ? "sha256:new" : cell.caseDigest));
    const withoutContent = b(() => "");

    expect(compareSkill(a, changed, rules).skill.paired).toMatchObject({
      tasks: 2,
      broken: [],
      notCompared: { edited: ["t0"] },
    });
    for (const [before, after] of [
      [a, withoutContent],
      [withoutContent, withoutContent],
    ] as const)
      expect(compareSkill(before, after, rules).skill.verdict).toBe("not-comparable");
  });
});

describe("a figure of its own test", () => {
  /** Every trial of every task takes so long. */
  const timed = (ms: number) => ({
    changed: (cell: CellResult) => ({ ...cell, latencyMs: ms + cell.trial }),
  });
  const slower = (changes: Partial<CompareRules> = {}) =>
    compareSkill(
      makeSide(tasks(...many(8, "ppp")), timed(100)),
      makeSide(tasks(...many(8, "ppp")), timed(200)),
      {
        ...rules,
        ...changes,
      },
    ).skill.metrics;

  test("errors are worse by their own test, whatever the verdict on the pass rate", () => {
    const { metrics, verdict } = compare(tasks(...many(10, "f")), tasks(...many(5, "e"), ...many(5, "f")));

    expect(verdict).toBe("unchanged");
    expect(metrics.completionRate).toMatchObject({ delta: 0, sense: "same" });
    expect(metrics.errorRate).toMatchObject({ a: 0, b: 0.5, sense: "worse", test: "sign-flip", p: 0.03125 });
  });

  test("a latency is worse by a factor, where both runs were made under the same conditions", () => {
    expect(slower().latencyMs).toMatchObject({
      a: 102,
      b: 202,
      delta: 100,
      ratio: 1.9804,
      sense: "worse",
      test: "sign-flip",
      interval: { lower: 1.9804, upper: 1.9804 },
    });
    expect(slower({ timeProblem: "different machines" }).latencyMs).toMatchObject({
      delta: 100,
      sense: "not-tested",
      test: null,
      reason: "different machines",
    });
  });

  test("fewer than six tasks, or three trials, are not tested", () => {
    const five = compare(tasks(...many(5, "ppp")), tasks(...many(5, "eee"))).metrics;
    const once = compare(tasks(...many(8, "p")), tasks(...many(8, "p"))).metrics;

    expect(five.errorRate).toMatchObject({ sense: "not-tested", reason: "fewer than 6 tasks" });
    expect(once.latencyMs).toMatchObject({
      sense: "same",
      test: null,
      reason: "8 of 8 tasks have fewer than 3 answered trials on a side",
    });
    expect(once.latencyP95Ms?.reason).toBe("fewer than 20 tasks");
  });

  test("a slow tail is worse, though the typical latency is the same", () => {
    const tail = (ms: number) => ({
      changed: (cell: CellResult) => ({ ...cell, latencyMs: cell.trial === 5 ? ms : 50 + cell.trial }),
    });
    const words = tasks(...many(25, "ppppp"));
    const { metrics } = compareSkill(makeSide(words, tail(60)), makeSide(words, tail(900)), rules).skill;

    expect(metrics.latencyP95Ms).toMatchObject({ a: 60, b: 900, sense: "worse", test: "bootstrap" });
    expect(metrics.latencyMs).toMatchObject({ delta: 0, sense: "same" });
  });

  test("cost and tokens are compared where every trial says them", () => {
    const costing = (costUsd: number | null) => ({
      changed: (cell: CellResult) => ({
        ...cell,
        costUsd,
        usage: { promptTokens: 90, completionTokens: 10, totalTokens: 100, costUsd: null },
      }),
    });
    const words = tasks(...many(8, "ppp"));
    const rows = (a: number | null, b: number | null) =>
      compareSkill(makeSide(words, costing(a)), makeSide(words, costing(b)), rules).skill.metrics;

    expect(rows(0.01, 0.02)).toMatchObject({
      costUsd: { a: 0.01, b: 0.02, ratio: 2, sense: "worse" },
      tokens: { a: 100, b: 100, sense: "same" },
    });
    // A price that rose by a tenth for every task is no luck, however few the tasks are.
    expect(rows(0.01, 0.011).costUsd).toMatchObject({ ratio: 1.1, sense: "worse" });
    expect(rows(0.01, 0.0104).costUsd).toMatchObject({ ratio: 1.04, sense: "no-difference-found" });
    expect(rows(0.01, null).costUsd).toMatchObject({
      sense: "not-tested",
      reason: "the cost of some trials is unknown",
    });
    expect(rows(null, null)).not.toHaveProperty("costUsd");
    expect(compare(words, words).metrics).not.toHaveProperty("tokens");
  });

  test("what is derived from others is shown where all tasks are compared, and never tested", () => {
    expect(compare(tasks("p", "p"), tasks("f", "p")).metrics.compositeScore).toMatchObject({
      sense: "not-tested",
      reason: "derived from other figures",
    });
    expect(compare(tasks("p", "p"), tasks("f", "i")).metrics.compositeScore).toMatchObject({
      ...{ a: null, b: null, delta: null, sense: "not-tested" },
      reason: "derived from other figures, and not all cases are compared",
    });
  });
});

test("one skill under another id shows both", () => {
  const { skill } = compareSkill(
    makeSide(tasks("p"), { skillId: "calc_v1" }),
    makeSide(tasks("p"), { skillId: "calc_v2" }),
    rules,
  );

  expect(skill).toMatchObject({ skillId: "calc_v2", name: "calc_v2", nameA: "calc_v1" });
});

test("a skill says what it is, and the figure of the verdict comes first", () => {
  const skill = compare(tasks("p"), tasks("f"));

  expect(skill).toMatchObject({
    ...{ level: "unit", suite: "bench", skillId: "skill", name: "skill", model: null },
    main: "completionRate",
  });
  expect(skill).not.toHaveProperty("nameA");
  expect(Object.keys(skill.metrics)).toEqual([
    ...["completionRate", "errorRate", "latencyMs", "latencyP95Ms", "compositeScore"],
  ]);
});
