import { describe, expect, test } from "vitest";
import {
  cellReader,
  sampleCells,
  sampleDocument,
  sampleJudgmentCell,
  sampleQueryCase,
  sampleUnitCell,
} from "../../../test/sample-document.ts";
import type { SubjectReport } from "../../contract/document.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import { levels } from "../../levels/levels.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { sampleSubject } from "../../store/samples.ts";
import { comparedSides } from "./compared-side.ts";

const queries = { skillId: "calc", suite: "triggering", level: "trigger", model: "openai/judge" };

/** The only side of a document with this subject and these cells. */
function onlySide(
  subject: Partial<SubjectReport>,
  cells: readonly CellResult[],
  {
    known = levels,
    cases = [],
  }: { known?: readonly Level[]; cases?: ReturnType<typeof sampleQueryCase>[] } = {},
) {
  const document = sampleDocument({ subjects: [sampleSubject({ suite: "coding-easy", ...subject })], cases });
  const [side, ...others] = comparedSides(document, cellReader(cells), known);
  if (side === undefined || others.length > 0) throw new Error("there is one");
  return side;
}

/** Judgments of one query, a letter each. */
const judged = (caseId: string, word: string) =>
  [...word].map((letter, at) =>
    sampleJudgmentCell({
      caseId,
      trial: at + 1,
      ...(letter === "i"
        ? { status: "invalid" as const, cause: "no-verdict" as const }
        : { status: letter === "p" ? ("pass" as const) : ("fail" as const) }),
    }),
  );

test("there is a side for every subject, each with its own cells", () => {
  const sides = comparedSides(sampleDocument(), cellReader(sampleCells), levels);

  expect(sides.map(({ subject, tasks }) => [subject.level, subject.suite, tasks.length])).toEqual([
    ["unit", "coding-easy", 2],
    ["unit", "coding-easy", 2],
    ["trigger", "triggering", 2],
  ]);
  expect(sides[0]?.tasks).toMatchObject([
    { taskId: "a", content: "sha256:a", valid: 2, passed: 2 },
    { taskId: "b", content: "sha256:b", valid: 2, passed: 0 },
  ]);
  expect(sides[1]?.tasks[1]).toMatchObject({ taskId: "b", valid: 0, passed: 0 });
});

test("a side has the name of its subject, and the words of its level", () => {
  const skill = onlySide({ skillId: "calc" }, []);
  const model = onlySide({ skillId: null, level: "agent", model: "openai/a", arm: "installed" }, []);

  expect(skill.subject).toMatchObject({ name: "calc", nouns: { case: ["task", "tasks"], subject: "skill" } });
  expect(model.subject).toMatchObject({
    name: "openai/a",
    arm: "installed",
    nouns: { case: ["case", "cases"], subject: "model" },
  });
});

test("baselines and levels that nobody knows are left out", () => {
  const baseline = sampleSubject({ skillId: null, level: "agent", model: "openai/a", arm: "absent" });
  const document = sampleDocument({ subjects: [baseline, sampleSubject()] });

  expect(comparedSides(document, cellReader([]), levels).map(({ level }) => level.name)).toEqual(["unit"]);
  expect(comparedSides(sampleDocument(), cellReader([]), [unitLevel])).toHaveLength(2);
});

test("cells that the subject counts and the file lacks are noticed", () => {
  const counts = { total: 5, pass: 5, fail: 0, error: 0, timeout: 0, invalid: 1 };
  const cells = [1, 2].map((trial) => sampleUnitCell({ skillId: "skill", trial }));

  expect(onlySide({ counts }, cells).missingCells).toBe(4);
});

describe("of a case is known", () => {
  test("how long its answers took, and how long all of its trials with a verdict", () => {
    const cells = (["pass", "fail", "timeout", "invalid"] as const).map((status, at) =>
      sampleUnitCell({ skillId: "skill", trial: at + 1, status, latencyMs: at + 1 }),
    );

    expect(onlySide({}, cells).tasks).toMatchObject([
      { answeredMs: [1, 2], allMs: [1, 2, 3], errors: 1, valid: 3 },
    ]);
  });

  test("what it cost in all, and nothing where one trial does not say", () => {
    const usage = { promptTokens: 10, completionTokens: 2, totalTokens: null, costUsd: null };
    const cell = (trial: number, given: Partial<CellResult>) =>
      sampleUnitCell({ skillId: "skill", trial, ...given });

    expect(
      onlySide({}, [cell(1, { usage, costUsd: 0.5 }), cell(2, { usage, costUsd: 1 })]).tasks,
    ).toMatchObject([{ costUsd: 1.5, tokens: 24 }]);
    expect(onlySide({}, [cell(1, { usage, costUsd: 0.5 }), cell(2, {})]).tasks).toMatchObject([
      { costUsd: null, tokens: null },
    ]);
  });

  test("what its level counts besides", () => {
    expect(onlySide(queries, judged("q", "ppf")).tasks[0]?.own).toEqual({ recall: { hits: 2, trials: 3 } });
  });
});

describe("what a script or a rule decides", () => {
  const scripted = { details: { isScripted: true } };

  test("has no latency to compare where it stands for a model; the router that judges a skill has", () => {
    const asModel = { ...scripted, skillId: null, model: "mock" };

    expect(onlySide(asModel, []).isTimed).toBe(false);
    expect(onlySide(scripted, []).isTimed).toBe(true);
  });

  test("is no matter of luck: one trial is worth as many as anyone wants", () => {
    const cells = [sampleUnitCell({ skillId: "skill" })];

    expect(onlySide(scripted, cells).tasks[0]).toMatchObject({ valid: 1, worth: Number.POSITIVE_INFINITY });
    expect(onlySide({}, cells).tasks[0]).not.toHaveProperty("worth");
  });
});

describe("trials", () => {
  test("without a verdict count nowhere; errors and timeouts are trials that did not pass", () => {
    const statuses = ["pass", "fail", "error", "timeout", "invalid"] as const;
    const cells = statuses.map((status, at) => sampleUnitCell({ skillId: "skill", trial: at + 1, status }));

    expect(onlySide({}, cells).tasks).toMatchObject([{ taskId: "a", valid: 4, passed: 1 }]);
  });

  test("of a case whose content changed on the way are those of another case", () => {
    const cells = ["sha256:old", "sha256:new"].map((caseDigest, at) =>
      sampleUnitCell({ skillId: "skill", trial: at + 1, caseDigest }),
    );

    expect(onlySide({}, cells).tasks.map(({ content }) => content)).toEqual(["sha256:old", "sha256:new"]);
  });

  test("quorum: a case with too few valid ones counts nowhere", () => {
    const cells = [...judged("enough", "ppppi"), ...judged("few", "pppii"), ...judged("once", "p")];

    expect(onlySide(queries, cells).tasks).toMatchObject([
      { taskId: "enough", valid: 4, passed: 4 },
      { taskId: "few", valid: 0, passed: 0 },
      { taskId: "once", valid: 1, passed: 1 },
    ]);
  });

  test("without a quorum one valid trial is enough", () => {
    const cells = [1, 2, 3].map((trial) =>
      sampleUnitCell({ skillId: "skill", trial, status: trial === 1 ? "pass" : "invalid" }),
    );

    expect(onlySide({}, cells).tasks).toMatchObject([{ valid: 1, passed: 1 }]);
  });
});

describe("the title of a case", () => {
  test("is the request of a query and its side, whether the query belongs to one skill or to all", () => {
    const cells = [...judged("q0", "p"), ...judged("q1", "p"), ...judged("q2", "p")];
    const cases = [
      sampleQueryCase("q0", "tidy this up"),
      { ...sampleQueryCase("q1", "what is it", "should_not_match"), skillId: "calc" },
      { ...sampleQueryCase("q2", "of another skill"), skillId: "other" },
    ];

    expect(onlySide(queries, cells, { cases }).tasks.map(({ title }) => title)).toEqual([
      "should_match “tidy this up”",
      "should_not_match “what is it”",
      undefined,
    ]);
  });

  test("is not repeated for tasks, whose ids people chose", () => {
    const [task] = comparedSides(sampleDocument(), cellReader(sampleCells), levels)[0]?.tasks ?? [];

    expect(task).toMatchObject({ taskId: "a", title: undefined });
  });
});
