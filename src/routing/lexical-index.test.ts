import { describe, expect, test } from "vitest";
import { sampleSkill } from "../../test/builders/sample-catalog.ts";
import type { RoutableSkill } from "../contract/routing.ts";
import { LexicalIndex } from "./lexical-index.ts";
import { termsBy } from "./query-text.ts";
import { routingText } from "./routing-text.ts";

function score(query: string, ...skills: RoutableSkill[]) {
  const texts = skills.map((skill) => routingText(skill).written);
  return new LexicalIndex(skills, texts, termsBy("bigrams")).score(query).get(0);
}

const idf = (n: number, df: number) => Math.min(4, Math.log(1 + (50 + n - df + 0.5) / (df + 0.5)));
const textOf = (...weights: number[]) => 1 - Math.exp(-weights.reduce((a, b) => a + b, 0) / 10);

describe("points for phrases", () => {
  test.for<[string, Partial<RoutableSkill>, string, number]>([
    ["an id", {}, "try zz9 now", 1.2],
    ["a name", { name: "Zed" }, "try zed now", 1],
    ["a name that is the id is one hit", { name: "ZZ9" }, "zz9", 1.2],
    ["id and name", { name: "Zed" }, "zz9 zed", 2.2],
    ["a trigger", { triggers: ["pay it"] }, "pay it", 0.45],
    ["a trigger said twice is one", { triggers: ["pay it", "Pay  it"] }, "pay it and pay it", 0.45],
    ["six triggers are more than enough", { triggers: [..."abcdef"] }, "a b c d e f", 2.5],
    ["the 21st trigger is not read", { triggers: [...fillers(20), "pay"] }, "pay", 0],
    ["a tag", { tags: ["tax"] }, "tax", 0.18],
    ["an intent", { intents: ["audit"] }, "audit", 0.18],
    ["a word that is tag, intent and trigger", { tags: ["x"], intents: ["x"], triggers: ["x"] }, "x", 0.81],
    ["the 21st tag is not read", { tags: [...fillers(20), "tax"] }, "tax", 0],
    ["a negated tag gives nothing", { tags: ["tax"] }, "no tax", 0],
    ["a negative trigger gives nothing", { notFor: ["tax"] }, "tax", 0],
    ["more than enough is one", { name: "Zed", tags: ["x"], triggers: [..."abc"] }, "zz9 zed a b c x", 2.5],
    ["a phrase of 301 characters is not read", { triggers: ["x".repeat(301)] }, "x".repeat(301), 0],
  ])("%s", ([, skill, query, points]) => {
    expect(score(query, sampleSkill({ id: "zz9", ...skill }))?.phrase ?? 0).toBeCloseTo(points / 2.5, 12);
  });
});

test("terms weigh by how few skills have them, at most 4, and one alone never reaches 0.2", () => {
  const many = Array.from({ length: 300 }, (_, n) => sampleSkill({ id: `s${n}`, description: "ledger" }));
  const rare = score("quasar", sampleSkill({ id: "z", description: "quasars" }), ...many);
  const common = score("ledger", ...many);

  expect(rare?.text).toBeCloseTo(textOf(4), 12);
  expect(rare?.lex).toBeLessThan(0.2);
  expect(common?.text).toBeCloseTo(textOf(idf(300, 300)), 12);
});

test("a catalog of one still tells: two terms are enough", () => {
  const found = score("check the invoice", sampleSkill({ id: "z", description: "Checking invoices" }));

  expect(found?.terms).toEqual(["check", "invoic"]);
  expect(found?.text).toBeCloseTo(textOf(idf(1, 1), idf(1, 1)), 12);
  expect(found?.lex).toBeCloseTo(0.6 * textOf(idf(1, 1), idf(1, 1)), 12);
});

test("words and phrases add up, and the weightiest term comes first", () => {
  const found = score(
    "审合同的付款条款",
    sampleSkill({ id: "z", description: "付款条款", triggers: ["审合同"] }),
    sampleSkill({ id: "y", description: "付款" }),
  );
  const text = textOf(...["审合", "合同", "款条", "条款"].map(() => idf(2, 1)), idf(2, 2));

  expect(found?.terms).toEqual(["合同", "审合", "条款", "款条", "付款"]);
  expect(found?.hits).toEqual([{ kind: "trigger", phrase: "审合同", negated: false }]);
  expect(found?.lex).toBeCloseTo(1 - (1 - 0.18) * (1 - 0.6 * text), 12);
});

test("the mark of a cut text is not a term", () => {
  expect(score("truncated", sampleSkill({ id: "z", description: "x ".repeat(2000) }))).toBeUndefined();
});

test("a segmenter finds words instead of pairs", () => {
  const skills = [sampleSkill({ id: "z", description: "合同审阅" })];
  const texts = skills.map((skill) => routingText(skill).written);
  const terms = (cjk: "bigrams" | "segment") =>
    new LexicalIndex(skills, texts, termsBy(cjk)).score("合同审阅").get(0)?.terms;

  expect(terms("bigrams")).toEqual(["合同", "同审", "审阅"]);
  expect(terms("segment")).toContain("合同");
  expect(terms("segment")).not.toContain("同审");
});

function fillers(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `filler${n}`);
}
