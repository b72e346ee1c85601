import fc from "fast-check";
import { expect, test } from "vitest";
import type { SkillReport } from "../contract/report.ts";
import { csvReporter } from "./csv.ts";
import { hostileTexts, sampleReport, sampleSkill, unknownSkill } from "./sample-report.ts";

const render = (...reports: SkillReport[]) =>
  [...csvReporter.render(sampleReport({ reports }), () => [])].join("");

/** Rows of a CSV text as any reader of RFC 4180 sees them. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

test("the columns stand in their order, one row per skill, lines end as RFC 4180 wants", () => {
  expect(render(sampleSkill())).toBe(
    "skillId,benchmarkId,completionRate,partialScore,errorRate,p50Ms,p95Ms,compositeScore,p99Ms,consistencyScore," +
      "flakeRate,total,pass,fail,error,timeout,invalid,skillVersion,timestamp\r\n" +
      "my_calc,coding-easy,0.95,0.95,0.0167,96,412,0.9673,10000,0.9592,0.1,60,57,2,0,1,0,1.0.0,2026-03-01T07:24:31.007Z\r\n",
  );
});

test("what is not known is empty, never a zero", () => {
  expect(render(unknownSkill("mystery", 3)).split("\r\n")[1]).toBe(
    "mystery,coding-easy,,,,,,,,,,0,0,0,0,0,3,1.0.0,2026-03-01T07:24:31.007Z",
  );
});

test("no skills are a header without rows", () => {
  expect(render().split("\r\n")).toHaveLength(2);
});

test.each([
  ["=cmd()|' /C calc'!A0", `"'=cmd()|' /C calc'!A0"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  ["\r=1", `"'\r=1"`],
  ['=1,"2"', `"'=1,""2"""`],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["plain-text", "plain-text"],
])("fault row 38: the text %j becomes the cell %j, which no spreadsheet runs", (text, cell) => {
  expect(render(sampleSkill({ skillId: text }))).toContain(`\r\n${cell},coding-easy,`);
});

test("fault row 38: whatever a skill is called, its row has all columns, its text is inert and its numbers are numbers", () => {
  const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), fc.constantFrom(...hostileTexts));
  fc.assert(
    fc.property(text, text, (skillId, skillVersion) => {
      const [header = [], row = [], ...rest] = parseCsv(render(sampleSkill({ skillId, skillVersion })));
      expect(rest).toEqual([]);
      expect(row).toHaveLength(header.length);
      expect(row[0]).not.toMatch(/^[=+\-@\t\r]/);
      expect(row[header.indexOf("skillVersion")]).not.toMatch(/^[=+\-@\t\r]/);
      expect(row.slice(2, 17).map(Number)).not.toContain(Number.NaN);
    }),
  );
});

test("a terminal that shows the file is not steered by it", () => {
  expect(render(sampleSkill({ skillId: "\u001b[31mred\u202e" }))).toContain('"\\e[31mred\\u{202e}",');
});
