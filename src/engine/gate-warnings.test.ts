import { expect, test } from "vitest";
import { sampleSkills, sampleSuite, sampleTasks } from "../../test/sample-suite.ts";
import { unitLevel } from "../levels/unit/level.ts";
import { wilson } from "../shared/statistics/intervals.ts";
import { gateWarnings, neededCases } from "./gate-warnings.ts";
import type { GateRule } from "./gates.ts";

const rule: GateRule = {
  ...{ level: "unit", metric: "completionRate", on: "lower", op: ">=", threshold: 0.8 },
  ...{ enforced: true, scope: "subject" },
};

test.each([
  [0.5, 4],
  [0.7, 9],
  [0.8, 16],
  [0.9, 35],
  [0.95, 73],
])("a lower bound of %d takes %d cases that all pass, and one fewer is too few", (line, cases) => {
  expect(neededCases(line)).toBe(cases);
  expect(wilson(cases, cases)?.lower).toBeGreaterThanOrEqual(line);
  expect(wilson(cases - 1, cases - 1)?.lower).toBeLessThan(line);
});

test.each<[string, Partial<GateRule>, number, string[]]>([
  [
    "a lower bound over too few cases",
    {},
    2,
    [
      "the gate on completion at 80% cannot be met with 2 tasks: --gate-on lower takes at least 16 that all pass for it",
    ],
  ],
  ["a lower bound over enough", {}, 16, []],
  ["a rate itself", { on: "point" }, 2, []],
  [
    "an upper bound of errors over too few",
    { metric: "errorRate", on: "upper", op: "<=", threshold: 0.1 },
    34,
    [
      "the gate on error rate at 10% cannot be met with 34 tasks: --gate-on lower takes at least 35 without an error for it",
    ],
  ],
  ["an upper bound over enough", { metric: "errorRate", on: "upper", op: "<=", threshold: 0.1 }, 35, []],
  ["nothing is below 0", { on: "point", threshold: 0 }, 2, ["the gate on completion at 0% cannot fail"]],
  [
    "nothing is above 1",
    { metric: "errorRate", on: "point", op: "<=", threshold: 1 },
    2,
    ["the gate on error rate at 100% cannot fail"],
  ],
  ["nobody enforces it", { enforced: false, threshold: 0 }, 2, []],
  ["it is about time", { metric: "latencyP95Ms", on: "point", op: "<=", threshold: 1 }, 2, []],
  ["it is about another level", { level: "trigger" }, 2, []],
  [
    "only some cases count",
    { countCases: () => 3, threshold: 0.5 },
    20,
    [
      "the gate on completion at 50% cannot be met with 3 tasks: --gate-on lower takes at least 4 that all pass for it",
    ],
  ],
])("%s", (_, changes, tasks, warnings) => {
  const suite = sampleSuite({ skills: sampleSkills("calc"), tasks: sampleTasks(tasks), level: unitLevel });

  expect(gateWarnings([{ ...rule, ...changes }], [suite])).toEqual(warnings);
});

test("of several skills those are named that have too few", () => {
  const facts = { skills: sampleSkills("left", "right"), tasks: sampleTasks(3), level: unitLevel };
  const appliesTo: GateRule["appliesTo"] = ({ skillId }) => skillId === "left";
  const both = gateWarnings([rule], [sampleSuite(facts)]);

  expect(both).toEqual([expect.stringContaining("with 3 tasks (left, right): ")]);
  expect(gateWarnings([{ ...rule, appliesTo }], [sampleSuite(facts)])[0]).toContain("with 3 tasks (left): ");
});
