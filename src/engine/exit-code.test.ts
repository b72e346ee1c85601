import { expect, test } from "vitest";
import type { GateReport } from "../contract/document.ts";
import { exitCodeFor, type RunVerdict } from "./gates.ts";

const clean: RunVerdict = { gates: [], isUnknown: false, isMixed: false, isMissing: false };

function gate(passed: boolean | null, enforced = true): GateReport {
  return {
    subject: null,
    level: "unit",
    metric: "completionRate",
    on: "point",
    op: ">=",
    threshold: 0.7,
    value: passed === null ? null : Number(passed),
    passed,
    enforced,
  };
}

test.each<[string, Partial<RunVerdict>, 0 | 1 | 2 | 3]>([
  ["a run that nothing is asked of", {}, 0],
  ["every gate met", { gates: [gate(true), gate(true)] }, 0],
  ["one gate not met", { gates: [gate(true), gate(false)] }, 1],
  ["a gate that nobody enforces not met", { gates: [gate(false, false)] }, 0],
  ["a gate that nobody enforces and nobody can decide", { gates: [gate(null, false)] }, 0],
  ["a gate that nobody can decide", { gates: [gate(true), gate(null)] }, 3],
  ["an undecided gate beside one not met", { gates: [gate(false), gate(null)] }, 3],
  ["too much without a verdict", { isUnknown: true }, 3],
  ["too much without a verdict and every gate met", { isUnknown: true, gates: [gate(true)] }, 3],
  ["too much without a verdict beside a gate not met", { isUnknown: true, gates: [gate(false)] }, 3],
  ["too much without a verdict beside a missing suite", { isUnknown: true, isMissing: true }, 3],
  ["something missing that had to be tested", { isMissing: true }, 1],
  ["something missing although every gate is met", { isMissing: true, gates: [gate(true)] }, 1],
  ["something missing beside an undecided gate", { isMissing: true, gates: [gate(null)] }, 3],
  ["a skill that cannot be loaded", { notLoaded: 1 }, 2],
  [
    "a skill that cannot be loaded beside whatever else",
    { notLoaded: 1, isUnknown: true, gates: [gate(false)] },
    2,
  ],
  ["figures that must not be mixed", { isMixed: true }, 3],
  ["mixed figures beside a gate not met", { isMixed: true, gates: [gate(false)] }, 3],
])("%s", (_, changes, code) => {
  expect(exitCodeFor({ ...clean, ...changes })).toBe(code);
});
