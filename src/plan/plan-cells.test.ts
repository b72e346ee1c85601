import { expect, test } from "vitest";
import { sampleScorer, sampleSkill, sampleSkillWithTimeout, sampleTask } from "../../test/sample-cell.ts";
import { canonicalJson, sha256 } from "../base/canonical-json.ts";
import type { ResolvedTask } from "../contract/cell.ts";
import type { UnitSkill } from "../contract/unit-skill.ts";
import { type PlanRequest, planCells, scorerDigest } from "./plan-cells.ts";

function plan(changes: Partial<PlanRequest> = {}) {
  return planCells({
    suiteId: "bench",
    skills: [sampleSkill()],
    tasks: [sampleTask()],
    trials: 1,
    deadlineOf: () => 1000,
    ...changes,
  });
}

function onlyKey(changes: Partial<PlanRequest> = {}): string {
  const [cell] = plan(changes);
  return cell?.key ?? "";
}

function onlyKeyFor(skill: UnitSkill, task: ResolvedTask): string {
  return onlyKey({ skills: [skill], tasks: [task] });
}

test("cells come by trial, then skill, then task, and count from 0", () => {
  const skills = ["s1", "s2"].map((id) => sampleSkill({ id }));
  const tasks = ["t1", "t2"].map((id) => sampleTask({ id }));

  const cells = [...plan({ skills, tasks, trials: 2 })];

  expect(
    cells.map(({ trial, skill, task, position }) => `${position} ${trial} ${skill.id} ${task.task.id}`),
  ).toEqual([
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

test("a plan knows its size without being unfolded", () => {
  const tasks = Array.from({ length: 1000 }, (_, n) => sampleTask({ id: `t${n}` }));

  expect(plan({ tasks, trials: 1000 }).size).toBe(1_000_000);
});

test("cells are made one at a time, as they are asked for", () => {
  let made = 0;
  const cells = plan({
    trials: 1000,
    deadlineOf: () => {
      made++;
      return 1000;
    },
  })[Symbol.iterator]();

  cells.next();
  cells.next();

  expect(made).toBe(2);
});

test("a plan unfolds the same way every time", () => {
  const once = plan({ trials: 3 });

  expect([...once].map(({ key }) => key)).toEqual([...once].map(({ key }) => key));
});

test("the deadline of a cell is asked for its skill and task", () => {
  const [cell] = plan({ deadlineOf: ({ id }, { task }) => id.length * 100 + task.id.length });

  expect(cell?.deadlineMs).toBe(402);
});

test("a key is the same on every machine and in every version that keeps stores", () => {
  expect(onlyKey()).toBe("sha256:dc46d34442b92504f01c1b65818bd1eb7b27ab76c35a5540a4a47c00894099d9");
});

test("every cell of a plan has a key of its own", () => {
  const skills = ["a", "b"].map((letter) => sampleSkill({ id: letter, digest: `sha256:${letter}` }));
  const tasks = ["c", "d"].map((letter) => sampleTask({ id: letter }, { digest: `sha256:${letter}` }));

  expect(new Set([...plan({ skills, tasks, trials: 5 })].map(({ key }) => key)).size).toBe(20);
});

test.each<[string, () => string]>([
  ["the skill's files", () => onlyKeyFor(sampleSkill({ digest: "sha256:other" }), sampleTask())],
  ["the adapter configuration", () => onlyKeyFor(sampleSkillWithTimeout(5), sampleTask())],
  [
    "the entrypoint",
    () => {
      const { adapter } = sampleSkill();
      return onlyKeyFor(sampleSkill({ adapter: { ...adapter, entrypoint: "node other.mjs" } }), sampleTask());
    },
  ],
  ["the content of the task", () => onlyKeyFor(sampleSkill(), sampleTask({}, { digest: "sha256:other" }))],
  ["the scorer", () => onlyKeyFor(sampleSkill(), sampleTask({}, { scorerDigest: "sha256:other" }))],
  ["the deadline", () => onlyKey({ deadlineOf: () => 1001 })],
  ["the trial", () => [...plan({ trials: 2 })][1]?.key ?? ""],
])("a key changes with %s", (_, keyOf) => {
  expect(keyOf()).not.toBe(onlyKey());
});

test.each<[string, () => string]>([
  [
    "where the skill lies",
    () => onlyKeyFor(sampleSkill({ dir: "/elsewhere", manifest: "/elsewhere/skill.json" }), sampleTask()),
  ],
  [
    "the neighbours in the plan",
    () => [...plan({ tasks: [sampleTask(), sampleTask({ id: "t2" })] })][0]?.key ?? "",
  ],
  [
    "the place in the plan",
    () => {
      const first = sampleTask({ id: "t0" }, { digest: "sha256:first" });
      return [...plan({ tasks: [first, sampleTask()] })][1]?.key ?? "";
    },
  ],
  ["how many trials there are", () => onlyKey({ trials: 9 })],
])("a key does not change with %s", (_, keyOf) => {
  expect(keyOf()).toBe(onlyKey());
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

test("a key is the hash of the canonical JSON of what decides the result", () => {
  const skill = sampleSkill();
  const { digest, scorerDigest: scorer } = sampleTask();

  expect(onlyKey()).toBe(
    sha256(
      canonicalJson({
        trial: 1,
        task: digest,
        skill: skill.digest,
        scorer,
        deadlineMs: 1000,
        adapter: sha256(canonicalJson(skill.adapter)),
      }),
    ),
  );
});
