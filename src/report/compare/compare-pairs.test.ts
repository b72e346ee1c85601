import { describe, expect, test } from "vitest";
import { subjectName } from "../../contract/cell.ts";
import type { ComparedSubject } from "../../contract/diff.ts";
import type { Level } from "../../contract/level.ts";
import { agentLevel } from "../../levels/agent/level.ts";
import { planbenchLevel } from "../../levels/planbench/level.ts";
import { triggerLevel } from "../../levels/trigger/level.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { pairSides } from "./compare-pairs.ts";
import type { ComparedSide } from "./compared-side.ts";

function side(level: Level, given: Partial<ComparedSubject>, isScripted = false): ComparedSide {
  const named = { suite: "bench", skillId: null, model: null, arm: null, ...given };
  return {
    subject: { level: level.name, ...named, name: subjectName(named), nouns: level.nouns },
    level,
    isScripted,
    isTimed: true,
    tasks: [],
    figures: {},
    details: {},
    missingCells: 0,
  };
}

const skill = (skillId: string, suite = "bench") => side(unitLevel, { skillId, suite });
const agent = (suite: string, model: string) =>
  side(agentLevel, { suite, model, arm: "installed" }, model === "mock" || model === "none");
const stratum = (arm: string, model: string, suite = "plans") =>
  side(
    planbenchLevel,
    { suite, arm, model: arm === "fixed" ? null : model },
    model === "mock" || arm === "fixed",
  );

/** What became of two lists of sides, in words. */
function paired(a: readonly ComparedSide[], b: readonly ComparedSide[]) {
  const words = ({ subject: { level, suite, name } }: ComparedSide) => `${level} ${suite} ${name}`;
  const { pairs, added, removed } = pairSides(a, b);
  return {
    pairs: pairs.map((pair) => [words(pair.a), words(pair.b)]),
    added: added.map(words),
    removed: removed.map(words),
  };
}

describe("skills", () => {
  test("pair by id and suite; the rest was added or removed", () => {
    const a = [skill("x"), skill("x", "other"), skill("gone")];
    const b = [skill("new"), skill("x", "other"), skill("x")];

    expect(paired(a, b)).toEqual({
      pairs: [
        ["unit other x", "unit other x"],
        ["unit bench x", "unit bench x"],
      ],
      added: ["unit bench new"],
      removed: ["unit bench gone"],
    });
  });

  test("a single one on each side pairs under any id, on the same suite", () => {
    expect(paired([skill("v1")], [skill("v2")])).toEqual({
      pairs: [["unit bench v1", "unit bench v2"]],
      added: [],
      removed: [],
    });
    expect(paired([skill("v1")], [skill("v2", "other")]).pairs).toEqual([]);
    expect(paired([skill("v1"), skill("x")], [skill("v2")]).pairs).toEqual([]);
  });

  test("an id cannot pretend to be another id on another suite", () => {
    expect(paired([skill("a", "b|c"), skill("z")], [skill("a|b", "c"), skill("z")]).pairs).toHaveLength(1);
  });

  test("pair whoever judged them: the judge is no part of what they are", () => {
    const judgedBy = (model: string) =>
      ["x", "y"].map((skillId) => side(triggerLevel, { suite: "triggering", skillId, model }));

    expect(paired(judgedBy("openai/a"), judgedBy("openai/b")).pairs).toHaveLength(2);
  });
});

test("levels never pair with each other, and each may have a skill renamed", () => {
  const queries = (skillId: string) => side(triggerLevel, { skillId, model: "openai/judge" });

  expect(paired([skill("v1"), queries("v1")], [queries("v2"), skill("v2")])).toEqual({
    pairs: [
      ["unit bench v1", "unit bench v2"],
      ["trigger bench v1", "trigger bench v2"],
    ],
    added: [],
    removed: [],
  });
  expect(paired([skill("x")], [queries("x")])).toEqual({
    pairs: [],
    added: ["trigger bench x"],
    removed: ["unit bench x"],
  });
});

describe("models", () => {
  test("pair with themselves", () => {
    const a = [agent("smoke", "openai/a"), agent("smoke", "openai/b")];
    const b = [agent("smoke", "openai/b"), agent("smoke", "openai/c")];

    expect(paired(a, b)).toEqual({
      pairs: [["agent smoke openai/b", "agent smoke openai/b"]],
      added: ["agent smoke openai/c"],
      removed: ["agent smoke openai/a"],
    });
  });

  test("one real model on each side pairs across models, in each of its suites", () => {
    const a = [agent("smoke", "openai/a"), agent("live", "openai/a")];
    const b = [agent("live", "openai/b"), agent("smoke", "openai/b")];

    expect(paired(a, b)).toEqual({
      pairs: [
        ["agent live openai/a", "agent live openai/b"],
        ["agent smoke openai/a", "agent smoke openai/b"],
      ],
      added: [],
      removed: [],
    });
  });

  test("beside a real model a script pairs with itself alone", () => {
    const a = [agent("smoke", "mock"), agent("live", "openai/a")];
    const b = [agent("live", "openai/b")];

    expect(paired(a, b)).toEqual({
      pairs: [["agent live openai/a", "agent live openai/b"]],
      added: [],
      removed: ["agent smoke mock"],
    });
    expect(
      paired([agent("s", "mock"), agent("s", "openai/a")], [agent("s", "openai/b"), agent("s", "mock")]),
    ).toEqual({
      pairs: [
        ["agent s openai/a", "agent s openai/b"],
        ["agent s mock", "agent s mock"],
      ],
      added: [],
      removed: [],
    });
  });

  test("cases without a model and those of a script keep apart", () => {
    const sides = [agent("smoke", "none"), agent("smoke", "mock")];

    expect(paired(sides, sides).pairs).toEqual([
      ["agent smoke none", "agent smoke none"],
      ["agent smoke mock", "agent smoke mock"],
    ]);
  });
});

describe("strata of a bench", () => {
  const bench = (model: string) => ["routed", "forced", "fixed"].map((arm) => stratum(arm, model));
  const arms = (a: readonly ComparedSide[], b: readonly ComparedSide[]) =>
    pairSides(a, b).pairs.map((pair) => [pair.a.subject.arm, pair.b.subject.arm]);

  test.each([
    ["one model and another", "openai/a", "openai/b"],
    ["scripted replies and themselves", "mock", "mock"],
    ["scripted replies and a model", "mock", "openai/b"],
  ])("pair with themselves, between %s", (_, before, after) => {
    expect(arms(bench(before), bench(after))).toEqual([
      ["routed", "routed"],
      ["forced", "forced"],
      ["fixed", "fixed"],
    ]);
  });

  test("a stratum alone on each side pairs with the same stratum only", () => {
    expect(arms([stratum("routed", "openai/a")], [stratum("routed", "openai/b")])).toHaveLength(1);
    expect(arms([stratum("routed", "openai/a")], [stratum("fixed", "openai/a")])).toEqual([]);
    expect(arms([stratum("routed", "openai/a")], [stratum("routed", "openai/a", "others")])).toEqual([]);
  });
});
