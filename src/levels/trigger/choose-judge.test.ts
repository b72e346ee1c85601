import { expect, test } from "vitest";
import type { JudgeKind } from "../../contract/judge-kind.ts";
import type { Triggering } from "../../contract/triggering.ts";
import { chooseJudge } from "./choose-judge.ts";

const none = { kind: null, model: null, agent: null };

function block(judge: Triggering["judge"], defaultModel: string | null = null): Triggering {
  return { queries: [], judge, gate: {}, defaultModel, imports: [] };
}

test.each<[string, { kind?: JudgeKind; model?: string }, Triggering | null, string]>([
  ["nothing named: the router", {}, null, "router null, no model configured"],
  [
    "a flag names a model",
    { model: "flag" },
    block({ model: "file" }, "default"),
    "model flag, a model is named",
  ],
  ["the block before the defaults", {}, block({ model: "file" }, "default"), "model file, a model is named"],
  ["the defaults of the file", {}, block({}, "default"), "model default, a model is named"],
  ["the kind of the block", {}, block({ kind: "catalog", model: "file" }), "catalog file, eval.yaml"],
  [
    "the kind of the flag",
    { kind: "catalog" },
    block({ kind: "router", model: "file" }),
    "catalog file, --judge",
  ],
  [
    "a router asks no model, even where one is named",
    { kind: "router" },
    block({ model: "file" }),
    "router null, --judge",
  ],
])("%s", (_, flags, triggering, expected) => {
  const { kind, model, why } = chooseJudge({ judge: { ...none, ...flags } }, triggering, "crane");

  expect(`${kind} ${model}, ${why}`).toBe(expected);
});

test("what a block says about re-asking, rank and agreement counts; what it leaves out has a default", () => {
  const triggering = block({ reask: 2, rank: "top1", min_kappa: 0.8 });

  expect(chooseJudge({ judge: none }, triggering, "crane")).toMatchObject({
    reask: 2,
    rank: "top1",
    minKappa: 0.8,
  });
  expect(chooseJudge({ judge: none }, null, "crane")).toMatchObject({
    reask: 0,
    rank: "selected",
    minKappa: 0.6,
  });
});
