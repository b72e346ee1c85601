import { expect, test } from "vitest";
import { sampleScorer, sampleSkill, sampleTask, sampleUnitSubject } from "../../test/sample-cell.ts";
import type { ResolvedTask } from "../contract/cell.ts";
import { unitLevel } from "../levels/unit/level.ts";
import type { UnitSubject } from "../levels/unit/suite.ts";
import { planCells, scorerDigest } from "./plan-cells.ts";

type Planned = Parameters<typeof planCells<ResolvedTask, UnitSubject>>[0];

function plan({
  skills = ["calc"],
  tasks = ["t1"],
  trials = 1,
  ...changes
}: { skills?: string[]; tasks?: string[]; trials?: number } & Partial<Planned> = {}) {
  const cases = tasks.map((id) => sampleTask({ id }));
  return planCells<ResolvedTask, UnitSubject>({
    level: unitLevel,
    id: "bench",
    subjects: skills.map((id) => sampleUnitSubject(sampleSkill({ id }))),
    casesOf: () => cases,
    trialsOf: () => trials,
    deadlineOf: () => 1000,
    keyOf: ({ skillId }, { id }, trial, deadlineMs) => `${skillId} ${id} ${trial} ${deadlineMs}`,
    ...changes,
  });
}

const shown = (
  cells: Iterable<{ position: number; trial: number; subject: UnitSubject; case: ResolvedTask }>,
) => [...cells].map((cell) => `${cell.position} ${cell.trial} ${cell.subject.skillId} ${cell.case.id}`);

test("cells come by trial, then subject, then case, and count from 0", () => {
  const cells = plan({ skills: ["s1", "s2"], tasks: ["t1", "t2"], trials: 2 });

  expect(shown(cells)).toEqual([
    "0 1 s1 t1",
    "1 1 s1 t2",
    "2 1 s2 t1",
    "3 1 s2 t2",
    "4 2 s1 t1",
    "5 2 s1 t2",
    "6 2 s2 t1",
    "7 2 s2 t2",
  ]);
});

test("a cell says its level and suite, and what it tests", () => {
  const [cell] = plan();

  expect(cell).toMatchObject({
    key: "calc t1 1 1000",
    level: "unit",
    suiteId: "bench",
    subject: { skillId: "calc" },
    case: { id: "t1" },
    deadlineMs: 1000,
  });
});

test("subjects may have cases of their own, and cases their own number of trials", () => {
  const cells = plan({
    skills: ["s1", "s2"],
    casesOf: ({ skillId }) => (skillId === "s1" ? ["a", "b"] : ["c"]).map((id) => sampleTask({ id })),
    trialsOf: (_, { id }) => (id === "b" ? 3 : 1),
  });

  expect(shown(cells)).toEqual(["0 1 s1 a", "1 1 s1 b", "2 1 s2 c", "3 2 s1 b", "4 3 s1 b"]);
  expect(cells).toMatchObject({ size: 5, trials: 3 });
});

test("a plan knows its size without being unfolded", () => {
  let made = 0;
  const tasks = Array.from({ length: 1000 }, (_, n) => `t${n}`);
  const cells = plan({ tasks, trials: 1000, keyOf: () => `${made++}` });

  expect(cells.size).toBe(1_000_000);
  expect(made).toBe(0);
});

test("cells are made one at a time, as they are asked for", () => {
  let [made, hashed] = [0, 0];
  const cells = plan({
    trials: 1000,
    deadlineOf: () => ++made,
    keyOf: () => `${++hashed}`,
  })[Symbol.iterator]();

  cells.next();
  cells.next();

  expect([made, hashed]).toEqual([2, 2]);
});

test("a plan unfolds the same way every time", () => {
  const once = plan({ trials: 3 });

  expect([...once]).toEqual([...once]);
});

test("the deadline of a cell is asked for its subject and case, and is part of what its key is made of", () => {
  const [cell] = plan({ deadlineOf: ({ skillId }, { id }) => skillId.length * 100 + id.length });

  expect(cell).toMatchObject({ deadlineMs: 402, key: "calc t1 1 402" });
});

test("a suite without subjects or cases has no cells", () => {
  expect(plan({ skills: [] }).size).toBe(0);
  expect([...plan({ tasks: [] })]).toEqual([]);
});

test("the digest of a scorer changes with its type and with its settings", () => {
  const digests = [
    scorerDigest(sampleScorer),
    scorerDigest({ ...sampleScorer, type: "contains" }),
    scorerDigest({ ...sampleScorer, identity: { caseSensitive: false } }),
    scorerDigest({ ...sampleScorer, identity: null }),
  ];

  expect(new Set(digests).size).toBe(4);
});

test("the digest of a scorer does not depend on the order of its settings", () => {
  const left = { ...sampleScorer, identity: { a: 1, b: [1, { c: 2, d: 3 }] } };
  const right = { ...sampleScorer, identity: { b: [1, { d: 3, c: 2 }], a: 1 } };

  expect(scorerDigest(left)).toBe(scorerDigest(right));
});
