import { expect, test } from "vitest";
import { hostileTexts } from "../../../test/hostile-texts.ts";
import { routerJudge } from "../../../test/sample-query.ts";
import type { CountedShare } from "../../contract/trigger-report.ts";
import type { CatalogDiff, CatalogReport } from "../../operations/catalog/compare/catalog-report.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { sampleInterval } from "../../store/samples.ts";
import { catalogDiffAnnotations } from "./catalog-diff-github.ts";
import { catalogDiffLines } from "./catalog-diff-lines.ts";
import { catalogDiffMarkdown } from "./catalog-diff-markdown.ts";
import { catalogReportLines } from "./catalog-report-lines.ts";

const share = (count: number, of: number): CountedShare => ({
  count,
  of,
  rate: of === 0 ? null : count / of,
  interval: of === 0 ? null : sampleInterval(0, 1, { cases: of, trials: of, nEff: of }),
});

/** A report in which every text is this one. */
function makeReport(text: string): CatalogReport {
  return {
    notLoaded: [],
    duplicates: [],
    judges: [{ ...routerJudge, why: text }],
    ...{ skills: 2, eligible: 1, queries: 4, unanswered: 1, untested: [text] },
    selfRouting: [
      { skillId: text, queries: 3, top1: share(1, 3), selected: share(2, 3), none: share(0, 3) },
      { skillId: "b", queries: 1, top1: null, selected: share(1, 1), none: null },
    ],
    collisions: {
      triggers: [{ name: text, skills: [text, "b"] }],
      tools: [{ name: text, skills: [text, "b"] }],
      terms: [{ skills: [text, "b"], likeness: 0.5, shared: [text] }],
      alikePairs: 3000,
    },
    steals: [
      { from: text, to: "b", share: share(2, 3), queries: [{ queryId: "1", query: text, because: text }] },
    ],
    coSelected: [{ skills: [text, "b"], queries: 2 }],
    closeCalls: [{ skillId: text, queryId: "1", query: text, between: [text, "b"], margin: 0.01 }],
    offTopic: { ...share(1, 2), judge: text, unanswered: 0, queries: [{ query: text, chosen: text }] },
    warnings: [text],
    exitCode: 3,
  };
}

/** A comparison in which every text is this one. */
function makeDiff(text: string): CatalogDiff {
  const compared = { before: share(3, 3), after: share(1, 3) };
  const query = { skillId: text, queryId: "1", query: text, side: "should_match", because: text } as const;
  return {
    notLoaded: [],
    base: text,
    judges: [{ ...routerJudge, why: text }],
    counts: { kept: 1, gained: 0, lost: 1, moved: 1, "still-wrong": 0, unknown: 0 },
    moved: [
      {
        ...{ from: text, to: text, count: 1, of: 3, isEdited: true, isAdded: false, isInconclusive: false },
        sentence: `the edit of \`${text}\` took 1 of 3 queries of \`${text}\``,
        queries: [{ queryId: "1", query: text, because: text }],
      },
    ],
    closer: [{ skills: [text, "b"], before: 0, after: 2 }],
    skills: [
      {
        ...{ skillId: text, isEdited: true, queries: 3, recall: compared, leftAlone: compared },
        ...{ gained: 0, lost: 2, mcnemarP: 0.5, verdict: "worse" },
      },
    ],
    queries: [{ ...query, meantFor: text, change: "lost", before: text, after: text, isDropped: true }],
    newQueries: [
      { skillId: text, queryId: "2", query: text, side: "should_match", isRight: false, chosen: text },
    ],
    added: [text],
    removed: [{ skillId: text, queries: 2 }],
    tools: [{ skillId: text, renamed: [{ from: text, to: text }], removed: [text], added: [text] }],
    flipRate: share(1, 4),
    unanswered: 0,
    warnings: [text],
    exitCode: 1,
  };
}

const plain = { color: false, verbose: false };

test("whatever a skill, a query or a tool is called, text stays text", () => {
  for (const text of hostileTexts) {
    const rendered =
      catalogReportLines(makeReport(text), { ...plain, width: 100 }) +
      catalogDiffLines(makeDiff(text), { ...plain, width: 100 });
    expect(rendered.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    const markdown = [...catalogDiffMarkdown(makeDiff(text))].join("");
    expect(markdown.replaceAll("\n", "")).not.toMatch(/<(?!br>)|(?<!\\)\[|(?<!\\):\/\/|\p{Cc}/u);
    for (const command of catalogDiffAnnotations(makeDiff(text), () => ({ file: text, line: 1 })))
      expect(command).toMatch(/^::error title=[^\n:]*::[^\n]*$/);
  }
});

test.each([60, 80, 120])("every line fits into %i columns, in Chinese too", (width) => {
  for (const text of ["合同审阅与风险提示".repeat(12), "a request of many short words ".repeat(12)]) {
    const lines = [
      ...catalogReportLines(makeReport(text), { ...plain, width }).split("\n"),
      ...catalogDiffLines(makeDiff(text), { ...plain, width }).split("\n"),
    ];
    expect(lines.filter((line) => textWidth(line) > Math.max(width, 76))).toEqual([]);
  }
});

test("only the worst ten are listed, unless all are asked for", () => {
  const report = makeReport("q");
  const steals = Array.from({ length: 25 }, (_, n) => ({
    ...report.steals[0],
    from: `skill-${n}`,
  })) as CatalogReport["steals"];
  const render = (verbose: boolean) =>
    catalogReportLines({ ...report, steals }, { ...plain, width: null, verbose }).match(/takes 2 of/g)
      ?.length;

  expect([render(false), render(true)]).toEqual([10, 25]);
});

test("a catalog in which nothing is wrong, and a comparison in which nothing changed, are reported in a line", () => {
  const none = { triggers: [], tools: [], terms: [], alikePairs: 0 };
  const report: CatalogReport = {
    ...makeReport("a"),
    ...{
      untested: [],
      steals: [],
      coSelected: [],
      closeCalls: [],
      collisions: none,
      unanswered: 0,
      eligible: 2,
    },
    selfRouting: [{ skillId: "a", queries: 4, top1: share(4, 4), selected: share(4, 4), none: share(0, 4) }],
    offTopic: { ...share(0, 40), judge: "router (lexical)", unanswered: 0, queries: [] },
  };
  const empty = {
    moved: [],
    closer: [],
    skills: [],
    queries: [],
    newQueries: [],
    added: [],
    removed: [],
    tools: [],
  };
  const counts = { kept: 4, gained: 0, lost: 0, moved: 0, "still-wrong": 0, unknown: 0 };
  const diff: CatalogDiff = { ...makeDiff("a"), ...empty, counts, flipRate: null, warnings: [] };

  expect(catalogReportLines(report, { ...plain, width: null })).toContain(
    "catalog: 4 of 4 queries get their skill (100.0%)\n",
  );
  expect(catalogDiffLines(diff, { ...plain, width: null })).toContain("routing: nothing moved (4 kept)\n");
  expect([...catalogDiffMarkdown(diff)].join("")).toMatch(
    /^# routing: nothing moved \(4 kept\)\n\nbase a; [^\n]*\n$/,
  );
});
