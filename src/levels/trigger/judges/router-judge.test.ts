import { expect, test } from "vitest";
import { fixedRouter, judgedSkill, questionAbout, routedSkill } from "../../../../test/sample-judging.ts";
import type { RoutedSkill, Routing } from "../../../contract/routing.ts";
import { routerJudge } from "./router-judge.ts";

const { signal } = new AbortController();

function judge(skills: RoutedSkill[], facts: Partial<Routing> = {}) {
  const router = fixedRouter(skills, facts);
  return (id: string, rank: "selected" | "top1" = "selected", requireVectors = false) =>
    routerJudge({ router, rank, requireVectors }).judge(questionAbout(judgedSkill(id)), signal);
}

const first = routedSkill("contract-review", {
  ...{ rank: 1, selected: true, score: 0.612345, excluded: null, terms: ["条款", "审阅"] },
  hits: [
    { kind: "trigger", phrase: "合同", negated: false },
    { kind: "trigger", phrase: "违约", negated: false },
    { kind: "tag", phrase: "law", negated: true },
  ],
});
const second = routedSkill("doc-editor", { rank: 2, selected: true, score: 0.3, excluded: null });
const third = routedSkill("slides", { score: 0.154321 });

test("a yes is among the selected, or the first of them; who came first is reported either way", async () => {
  const ask = judge([first, second, third]);

  expect(await ask("contract-review")).toMatchObject({ outcome: "yes", chosen: "contract-review" });
  expect(await ask("doc-editor")).toMatchObject({ outcome: "yes", chosen: "contract-review" });
  expect(await ask("slides")).toMatchObject({ outcome: "no", chosen: "contract-review" });
  expect(await ask("contract-review", "top1")).toMatchObject({ outcome: "yes" });
  expect(await ask("doc-editor", "top1")).toMatchObject({ outcome: "no", chosen: "contract-review" });
});

test.each<[RoutedSkill, string]>([
  [first, "selected 1st, score 0.612: triggers 合同, 违约; terms 条款 审阅"],
  [second, "selected 2nd, score 0.300"],
  [third, "not selected: below-threshold (0.154)"],
  [
    routedSkill("x", { rank: 11, selected: true, score: 1, excluded: null, emb: 0.5, cos: 0.7 }),
    "selected 11th, score 1.000: cosine 0.700",
  ],
  [{ ...first, hits: first.hits.slice(0, 1) }, "selected 1st, score 0.612: trigger 合同; terms 条款 审阅"],
  [routedSkill("x", { excluded: "host" }), "not selected: host"],
  [
    routedSkill("x", { excluded: "negated", hits: [{ kind: "trigger", phrase: "slides", negated: true }] }),
    "not selected: negated (slides)",
  ],
  [
    routedSkill("x", { excluded: "not-for", hits: [{ kind: "not-for", phrase: "explain", negated: false }] }),
    "not selected: not-for (explain)",
  ],
])("the reason is in words: %#", async (routed, reason) => {
  expect(await judge([routed])(routed.id)).toMatchObject({ reason });
});

test("where only the first counts, a second place names who came first", async () => {
  expect(await judge([first, second])("doc-editor", "top1")).toMatchObject({
    reason: "after contract-review: selected 2nd, score 0.300",
  });
});

test("nothing selected is a no with nobody chosen", async () => {
  expect(await judge([third])("slides")).toMatchObject({ outcome: "no", chosen: null });
});

test("with vectors required a choice by words alone is not an answer, and says why", async () => {
  expect(
    await judge([first], { fallbackReason: "timeout" })("contract-review", "selected", true),
  ).toMatchObject({
    outcome: "error",
    code: "transport",
    message: "vectors are required and were not used: timeout",
  });
  const vectors = { mode: "vectors", model: "local/minilm", fallbackReason: null } as const;
  expect(await judge([first], vectors)("contract-review", "selected", true)).toMatchObject({
    outcome: "yes",
  });
});

test("a skill the router does not know is no no", async () => {
  expect(await judge([first])("other")).toMatchObject({
    outcome: "error",
    message: "the router does not know skill other",
  });
});

test("it says which router spoke, and that it costs nothing", () => {
  const of = (facts: Partial<Routing>) =>
    routerJudge({ router: fixedRouter([], facts), rank: "selected", requireVectors: false });

  expect(of({})).toMatchObject({
    ...{ kind: "router", label: "router (lexical)", model: null, prompt: "router/test" },
    ...{ isDeterministic: true, isPaid: false },
  });
  expect(of({ mode: "vectors", model: "a/b, c/d" })).toMatchObject({
    label: "router (vectors: a/b, c/d)",
    model: "a/b, c/d",
  });
});
