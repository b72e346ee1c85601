import { expect, test } from "vitest";
import { contentTerms } from "./content-terms.ts";

test.for([
  ["Checks invoices for wrong totals", ["check", "invoic", "wrong", "total"]],
  ["帮我核对发票", ["我核", "核对", "对发", "发票"]],
  ["不要创建PPT，只要大纲", ["不要", "要创", "创建", "ppt", "只要", "要大", "大纲"]],
  ["ＰＤＦ ﬁle", ["pdf", "file"]],
  ["データ", ["デー", "ータ"]],
  ["don’t use the user's and we're", []],
  ["图", ["图"]],
  ["的", []],
  ["src/foo.py:12", ["src", "foo", "py", "12"]],
  ["… !? 🎉", []],
  ["\ud800 \u0000", []],
] as const)("the content terms of %j are %j", ([text, terms]) => {
  expect([...contentTerms(text)]).toEqual(terms);
});
