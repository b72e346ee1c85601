import { expect, test } from "vitest";
import type { Cell } from "../../contract/cell.ts";
import type { SuiteRun } from "../../contract/level.ts";
import { caseName, KnownVerdicts } from "./known-verdicts.ts";

const subject = { skillId: "ant", model: null, arm: null };
const cell = { level: "unit", suiteId: "basic", subject, case: { id: "t1" } } as unknown as Cell;
const suite = { fileOf: () => "/p/skills/ant/tests/basic.eval.json" } as unknown as SuiteRun;

/** The runs from which the verdict of the cell may be taken, the newest first. */
function acceptedFrom(known: KnownVerdicts): string[] {
  return known.chosen.filter(({ accepts }) => accepts(cell, suite)).map(({ runId }) => runId);
}

test("a whole run takes the place of all before it, one over some of the cases of none", () => {
  const known = new KnownVerdicts();
  known.began("stopped");
  known.began("whole");
  expect(acceptedFrom(known)).toEqual(["whole", "stopped"]);
  expect(known.ended("whole", true)).toEqual(["stopped"]);
  known.began("some");
  expect(known.ended("some", false)).toEqual([]);
  expect(acceptedFrom(known)).toEqual(["some", "whole"]);
});

test("what rests on something that changed, or shall run again, is taken only from runs that began later", () => {
  const known = new KnownVerdicts();
  known.began("first");
  known.outdate(["/p/skills/bee"]);
  expect(acceptedFrom(known)).toEqual(["first"]);
  known.outdate(["/p/skills/ant"]);
  known.began("second");
  expect(acceptedFrom(known)).toEqual(["second"]);
  known.redo([caseName({ ...subject, level: "unit", suite: "basic", caseId: "t1" })]);
  known.began("third");
  expect(acceptedFrom(known)).toEqual(["third"]);
});
