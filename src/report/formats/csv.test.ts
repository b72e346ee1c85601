import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fewHostileTexts } from "../../../test/hostile-texts.ts";
import { parseCsv } from "../../../test/parse-csv.ts";
import { cellReader, sampleCells, sampleDocument, sampleUnitCell } from "../../../test/sample-document.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Column } from "../../contract/view.ts";
import { sampleInterval, sampleSubject } from "../../store/samples.ts";
import { viewReport } from "../view/view-report.ts";
import { csvFormat } from "./csv.ts";

const makeLevel = (name: string, columns: readonly Column[]): Level => ({
  name,
  nouns: { case: ["case", "cases"], subject: "skill" },
  details: z.any(),
  metrics: [
    { name: "errorRate", unit: "share", better: "down" },
    { name: "completionRate", unit: "share", better: "up" },
  ],
  view: { columns },
});

const levels = [
  makeLevel("unit", [
    { id: "letters", label: "Letters", value: ({ caseId }) => caseId.length },
    { id: "isNew", label: "New", isHidden: true, value: () => true },
  ]),
  makeLevel("trigger", [
    { id: "letters", label: "Letters", value: () => -1 },
    { id: "trial", label: "Repeat", value: () => "own" },
  ]),
];

/** The rows as records, as a spreadsheet sees them. */
function readRows(text: string): Record<string, string>[] {
  const [head = [], ...rows] = parseCsv(text);
  for (const row of rows) expect(row).toHaveLength(head.length);
  return rows.map((row) => Object.fromEntries(head.map((id, at) => [id, row[at] ?? ""])));
}

describe("a row per cell", () => {
  const render = (cells: readonly CellResult[]) =>
    [...csvFormat.render(viewReport(sampleDocument(), cellReader(cells), levels))].join("");

  test("in plan order, with the columns of every level, empty where another level has them alone", () => {
    const rows = readRows(render(sampleCells));

    expect(rows.map(({ level, caseId, trial, status }) => `${level} ${caseId} ${trial} ${status}`)).toEqual([
      "unit a 1 pass",
      "unit b 1 fail",
      "unit a 2 pass",
      "unit b 2 timeout",
      "unit a 1 pass",
      "unit b 1 invalid",
      "trigger q0 own pass",
      "trigger q1 own fail",
    ]);
    expect(rows[3]).toMatchObject({ score: "0", cause: "deadline", reason: "deadline: no answer" });
    expect(rows[5]).toMatchObject({ score: "", model: "", isNew: "true", letters: "1" });
    expect(rows[7]).toMatchObject({ model: "openai/judge", isNew: "", letters: "-1" });
  });

  test("a pass on a later attempt differs from others", () => {
    const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: "exit 1" } as const;
    const attempts = [attempt, { ...attempt, n: 2, status: "answered", code: null } as const];

    expect(readRows(render([sampleUnitCell({ attempts })]))[0]).toMatchObject({
      status: "pass",
      ended: "passed on attempt 2",
      attempts: "2",
    });
  });

  test("lines end as RFC 4180 wants, numbers are whole", () => {
    const text = render([sampleUnitCell({ latencyMs: 1234.567, costUsd: 0.000012 })]);

    expect(text.match(/\r\n/g)).toHaveLength(2);
    expect(readRows(text)[0]).toMatchObject({ latencyMs: "1234.567", costUsd: "0.000012" });
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
    ["\u001b[31mred\u202e", '"\\e[31mred\\u{202e}"'],
    ["plain-text", "plain-text"],
  ])("fault row 38: the text %j becomes the cell %j, which no spreadsheet runs", (text, cell) => {
    expect(render([sampleUnitCell({ reason: text })])).toContain(`,${cell},100,`);
  });

  test("fault row 38: whatever a skill says, its row has all columns and its text is inert", () => {
    const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(...fewHostileTexts));
    fc.assert(
      fc.property(text, text, (skillId, reason) => {
        const [row, ...rest] = readRows(render([sampleUnitCell({ skillId, reason, suite: reason })]));
        expect(rest).toEqual([]);
        for (const name of ["skillId", "subject", "reason", "suite"])
          expect(row?.[name]).not.toMatch(/^[=+\-@\t\r]/);
        expect(row?.latencyMs).toBe("100");
      }),
    );
  });

  test("cells are read one at a time, and none before its turn", () => {
    const count = 20_000;
    const text = JSON.stringify(sampleUnitCell());
    let [pulled, written, maxAhead] = [0, 0, 0];
    function* cells() {
      for (; pulled < count; ) {
        pulled++;
        yield text;
      }
    }

    for (const _ of csvFormat.render(viewReport(sampleDocument(), cells, levels)))
      maxAhead = Math.max(maxAhead, pulled - written++);

    expect(written).toBe(count + 1);
    expect(maxAhead).toBe(0);
  });
});

describe("a row per subject", () => {
  const render = (subjects = sampleDocument().subjects) => {
    const report = sampleDocument({ subjects });
    const view = viewReport(report, cellReader([]), levels, { csvRows: "subjects" });
    return [...csvFormat.render(view)].join("");
  };

  test("in the order of the report, with its counts and state", () => {
    const rows = readRows(render());

    expect(rows.map(({ subject, level, state }) => [subject?.slice(0, 9), level, state])).toEqual([
      ["calc", "unit", "failed"],
      ["</script>", "unit", "unknown"],
      ["calc", "trigger", "failed"],
    ]);
    expect(rows[0]).toMatchObject({ trials: "2", total: "4", pass: "2", fail: "1", timeout: "1", arm: "" });
  });

  test("figures come in the order of their level, the others after them, bounds where there are any", () => {
    const interval = sampleInterval(0.1, 0.9);
    const metric = (value: number | null) => ({ value, interval: null, n: 3, better: "up" }) as const;
    const text = render([
      sampleSubject({ metrics: { extra: metric(2), completionRate: { ...metric(0.5), interval } } }),
      sampleSubject({ metrics: { another: metric(null), completionRate: metric(1) } }),
    ]);

    expect(text.split("\r\n")[0]).toMatch(
      /,invalid,completionRate,completionRateLower,completionRateUpper,another,extra,intervals$/,
    );
    expect(
      text.split("\r\n").map((line) =>
        line
          .split(/,(?! few)/)
          .slice(-6)
          .join(","),
      ),
    ).toEqual([
      "completionRate,completionRateLower,completionRateUpper,another,extra,intervals",
      '0.5,0.1,0.9,,2,"95% intervals for cases like these (3 cases), few cases"',
      "1,,,,,",
      "",
    ]);
  });
});
