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
import { compareSkill } from "./compare-skill.ts";
import { type ComparedSide, comparedSides } from "./compared-side.ts";

const rules = { seed: 0, isStrict: false, isLatencyComparable: true };

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
  const { summary, latency } = sampleSummary(cells, { cases: makeCases(Object.keys(words)), runs }).figures();
  const { completionRate, errorRate, compositeScore, partialScore } = summaryValues(summary);
  const latencyP95Ms = latency.p95Ms.value;
  const figures = { completionRate, errorRate, latencyP95Ms, compositeScore, partialScore };
  const metrics = Object.entries(figures).map(([name, value]): [string, MetricReport] => [
    name,
    { value, interval: null, n: null, better: "up" },
  ]);
  const subject = sampleSubject({ skillId, metrics: Object.fromEntries(metrics) });
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

const compare = (a: Record<string, string>, b: Record<string, string>, changes = {}) =>
  compareSkill(makeSide(a), makeSide(b), { ...rules, ...changes }).skill;

describe("the verdict", () => {
  test("many broken tasks put the interval below 0", () => {
    const skill = compare(tasks(..."pppppppppp"), tasks(..."fffffppppp"));

    expect(skill).toMatchObject({ verdict: "regressed", reason: "interval below 0" });
    expect(skill.paired).toMatchObject({
      tasks: 10,
      meanDelta: -0.5,
      broken: ["t0", "t1", "t2", "t3", "t4"],
    });
    expect(skill.paired.interval?.upper).toBeLessThan(0);
  });

  test("many fixed tasks put it above 0", () => {
    expect(compare(tasks(..."fffffppppp"), tasks(..."pppppppppp"))).toMatchObject({
      verdict: "improved",
      reason: "interval above 0",
      paired: { fixed: ["t0", "t1", "t2", "t3", "t4"], broken: [] },
    });
  });

  test("one broken task among many, tried once, is within noise", () => {
    expect(compare(tasks(..."pppppppppp"), tasks(..."fppppppppp"))).toMatchObject({
      verdict: "inconclusive",
      reason: "interval includes 0",
    });
  });

  test("one broken task is a regression when three trials on each side agree, unless another was fixed", () => {
    const before = tasks("ppp", "ppp", "ppp", "ppp", "ppp", "fff");

    expect(compare(before, tasks("fff", "ppp", "ppp", "ppp", "ppp", "fff"))).toMatchObject({
      verdict: "regressed",
      reason: "1 task broken and none fixed",
    });
    expect(compare(before, tasks("ppp", "ppp", "ppp", "ppp", "ppp", "ppp"))).toMatchObject({
      verdict: "improved",
      reason: "1 task fixed and none broken",
    });
    expect(compare(before, tasks("fff", "ppp", "ppp", "ppp", "ppp", "ppp"))).toMatchObject({
      verdict: "inconclusive",
    });
  });

  test("two trials, or three of which one was invalid, are too few for that", () => {
    const ten = (word: string) => Array.from({ length: 9 }, () => word);

    expect(compare(tasks("pp", ...ten("pp")), tasks("ff", ...ten("pp"))).verdict).toBe("inconclusive");
    expect(compare(tasks("ppp", ...ten("ppp")), tasks("ffi", ...ten("ppp"))).verdict).toBe("inconclusive");
  });

  test("with strict one broken task is enough, even beside many that were fixed", () => {
    expect(compare(tasks(..."pppppppppp"), tasks(..."fppppppppp"), { isStrict: true })).toMatchObject({
      verdict: "regressed",
      reason: "strict: 1 task broken",
    });
    expect(compare(tasks(..."pffffffff"), tasks(..."fpppppppp"), { isStrict: true }).verdict).toBe(
      "regressed",
    );
    expect(compare(tasks(..."pffffffff"), tasks(..."fpppppppp")).verdict).toBe("improved");
  });

  test("nothing changed, a single task, and no task with results on both sides each say so", () => {
    expect(compare(tasks("pf", "pp"), tasks("fp", "pp"))).toMatchObject({
      verdict: "inconclusive",
      reason: "no task changed",
    });
    expect(compare(tasks("p"), tasks("f"))).toMatchObject({
      verdict: "inconclusive",
      reason: "too few tasks",
      paired: { tasks: 1, meanDelta: -1, interval: null },
    });
    expect(compare({ old: "p" }, { new: "p" })).toMatchObject({
      verdict: "inconclusive",
      reason: "no task with results on both sides",
      paired: { tasks: 0, meanDelta: null, interval: null },
    });
    expect(compare(tasks("p"), tasks("i")).reason).toBe("no task with results on both sides");
  });

  test("the same seed gives the same interval", () => {
    const [before, after] = [tasks(..."ppfpfppfpppf"), tasks(..."pffppppfffpp")];

    expect(compare(before, after, { seed: 7 })).toEqual(compare(before, after, { seed: 7 }));
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

  test("invalid trials count nowhere, and a task without a valid one is left out", () => {
    const { skill, unpaired } = compareSkill(
      makeSide(tasks("pip", "ppp")),
      makeSide(tasks("ffi", "iii")),
      rules,
    );

    expect(skill.paired).toMatchObject({ tasks: 1, broken: ["t0"] });
    expect(unpaired).toBe(1);
  });

  test("an error and a timeout are trials that did not pass", () => {
    expect(compare(tasks("p", "p"), tasks("e", "t")).paired.broken).toEqual(["t0", "t1"]);
  });

  test("a task whose content changed is another task, unless a file does not tell the content", () => {
    const a = makeSide(tasks("p", "p", "p"));
    const b = (caseDigest: (cell: CellResult) => string) =>
      makeSide(tasks("f", "p", "p"), { changed: (cell) => ({ ...cell, caseDigest: caseDigest(cell) }) });
    const changed = b((cell) => (cell.caseId === "t0" ? "sha256:new" : cell.caseDigest));
    const withoutContent = b(() => "");

    const withContent = compareSkill(a, changed, rules);
    expect(withContent.skill.paired).toMatchObject({ tasks: 2, broken: [] });
    expect(withContent.unpaired).toBe(1);
    expect(compareSkill(a, withoutContent, rules).skill.paired).toMatchObject({ tasks: 3, broken: ["t0"] });
  });
});

describe("the sense of a figure", () => {
  const worse = () => compare(tasks(..."pppppppppp"), tasks(..."eeeeeppppp"));

  test("better and worse follow the direction that is good for the figure, once the verdict is decided", () => {
    expect(worse().metrics).toMatchObject({
      completionRate: { a: 1, b: 0.5, delta: -0.5, sense: "worse" },
      errorRate: { a: 0, b: 0.5, delta: 0.5, sense: "worse" },
      latencyP95Ms: { a: 100, b: 100, delta: 0, sense: "same" },
      compositeScore: { sense: "worse" },
    });
    expect(compare(tasks(..."eeeeeppppp"), tasks(..."pppppppppp")).metrics).toMatchObject({
      completionRate: { sense: "better" },
      errorRate: { delta: -0.5, sense: "better" },
    });
  });

  test("without a decision every change is within noise", () => {
    expect(compare(tasks(..."pppppppppp"), tasks(..."eppppppppp")).metrics).toMatchObject({
      completionRate: { delta: -0.1, sense: "within-noise" },
      errorRate: { delta: 0.1, sense: "within-noise" },
    });
  });

  test("latencies of different loads are neither better nor worse", () => {
    const a = makeSide(tasks(..."pppppppppp"));
    const measured = makeSide(tasks(..."fffffppppp"));
    const b = { ...measured, figures: { ...measured.figures, latencyP95Ms: 250.4 } };

    const latencySense = (isLatencyComparable: boolean) =>
      compareSkill(a, b, { ...rules, isLatencyComparable }).skill.metrics.latencyP95Ms;
    expect(latencySense(true)).toEqual({ a: 100, b: 250.4, delta: 150.4, sense: "worse" });
    expect(latencySense(false)).toMatchObject({ delta: 150.4, sense: "within-noise" });
  });

  test("a figure that one side does not know has no change", () => {
    expect(compare(tasks("p", "p"), tasks("i", "i")).metrics.completionRate).toEqual({
      a: 1,
      b: null,
      delta: null,
      sense: "within-noise",
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

test("a skill says what it is, and its figures come in the order of its level, those that are compared", () => {
  const { skill } = compareSkill(makeSide(tasks("p")), makeSide(tasks("f")), rules);

  expect(skill).toMatchObject({
    level: "unit",
    suite: "bench",
    skillId: "skill",
    name: "skill",
    model: null,
  });
  expect(skill).not.toHaveProperty("nameA");
  expect(Object.keys(skill.metrics)).toEqual([
    "completionRate",
    "errorRate",
    "latencyP95Ms",
    "compositeScore",
  ]);
  expect(skill.main).toEqual(["completionRate", "compositeScore"]);
});
