import { expect, test } from "vitest";
import { didYouMean, nearest } from "./nearest.ts";

const known = ["json", "markdown", "html", "csv", "junit"];
const table: [string, string | null][] = [
  ["jsno", "json"],
  ["JSON", "json"],
  ["markdwon", "markdown"],
  ["makdown", "markdown"],
  ["htm", "html"],
  ["cvs", "csv"],
  ["xml", null],
  ["completely-else", null],
  ["", null],
];
for (const [typed, meant] of table) {
  test(`${typed === "" ? "nothing" : typed} is near ${meant ?? "nothing known"}`, () => {
    expect(nearest(typed, known)).toBe(meant);
  });
}

test("a hint names the nearest word, or all there are", () => {
  expect(didYouMean("jsno", known)).toBe("did you mean json?");
  expect(didYouMean("xyzzy", known)).toBe("known: json, markdown, html, csv, junit");
});
