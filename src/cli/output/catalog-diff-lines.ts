import type {
  CatalogDiff,
  ComparedQuery,
  MovedQueries,
  NewQuery,
} from "../../operations/catalog/compare/catalog-report.ts";
import { listed } from "../../shared/text/phrases.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";
import { catalogSkillLines } from "./catalog-diff-skills.ts";
import {
  type CatalogLayout,
  type CatalogTerms,
  catalogTerms,
  factLines,
  firstLines,
  idWords,
  queryLines,
  section,
  sentenceLines,
} from "./catalog-text.ts";
import {
  countQueries,
  describeCatalogDiff,
  describeFlipRate,
  describeJudge,
  describeNewQueries,
  describeTools,
} from "./catalog-words.ts";

const queriesPerPair = 5;

/** A comparison of two catalogs as text: which queries moved, figures per skill, what was added or removed, the verdict. */
export function catalogDiffLines(diff: CatalogDiff, layout: CatalogLayout): string {
  const terms = catalogTerms(layout);
  const changed = (change: ComparedQuery["change"]) =>
    diff.queries.filter((query) => query.change === change);
  const blocks = [
    headLines(diff, terms),
    section(
      "Moved",
      firstLines(diff.moved, (pair) => movedLines(pair, terms, layout.verbose), terms),
      terms,
    ),
    section("Now selected together", closerLines(diff, terms), terms),
    section("Lost", changedLines(changed("lost"), terms), terms),
    section("Gained", changedLines(changed("gained"), terms), terms),
    layout.verbose ? section("Still wrong", changedLines(changed("still-wrong"), terms), terms) : [],
    section("Without an answer", changedLines(changed("unknown"), terms), terms),
    catalogSkillLines(diff.skills, terms, layout.verbose),
    newLines(diff.newQueries, terms),
    catalogLines(diff, terms),
    closingLines(diff, terms),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function headLines({ base, judges, queries }: CatalogDiff, terms: CatalogTerms): string[] {
  const who = judges.map((judge) => `judge: ${shownText(describeJudge(judge), 200)}`);
  const facts = [`base ${shownText(base, 120)}`, countQueries(queries.length), ...who];
  return factLines(facts, terms);
}

function movedLines(pair: MovedQueries, terms: CatalogTerms, verbose: boolean): string[] {
  const { paint } = terms;
  const sentence = visibleText(pair.sentence);
  const words = pair.isInconclusive ? `inconclusive: ${sentence}` : sentence;
  const inner = { ...terms, atMost: verbose ? terms.atMost : queriesPerPair };
  return [
    ...sentenceLines(words, terms, "  ").map(pair.isInconclusive ? paint.yellow : paint.red),
    ...firstLines(pair.queries, ({ query, because }) => queryLines(query, because, terms), inner),
  ];
}

function closerLines({ closer }: CatalogDiff, terms: CatalogTerms): string[] {
  return firstLines(
    closer,
    ({ skills: [a, b], before, after }) =>
      sentenceLines(
        `${idWords(a)} and ${idWords(b)} for ${countQueries(after)}, before ${before}`,
        terms,
        "  ",
      ),
    terms,
  );
}

function changedLines(queries: readonly ComparedQuery[], terms: CatalogTerms): string[] {
  return firstLines(queries, (query) => queryLines(query.query, changeAside(query), terms), terms);
}

/** Whose request it is, who has it now, and why. */
function changeAside({ skillId, meantFor, after, because, change, isDropped }: ComparedQuery): string {
  const whose = meantFor === null ? `not for ${idWords(skillId)}` : `for ${idWords(meantFor)}`;
  const isShown = after !== undefined && after !== meantFor && change !== "unknown";
  const now = isShown ? `, now ${after === null ? "none" : idWords(after)}` : "";
  const gone = isDropped ? ", no longer among its tests" : "";
  return `${whose}${now}${gone}${because === null || because === "" ? "" : `: ${because}`}`;
}

function newLines(queries: readonly NewQuery[], terms: CatalogTerms): string[] {
  if (queries.length === 0) return [];
  const open = queries.filter(({ isRight }) => isRight !== true);
  const lines = firstLines(open, (query) => queryLines(query.query, newAside(query), terms), terms);
  const title = describeNewQueries(queries);
  return lines.length === 0 ? [terms.paint.bold(title)] : section(title, lines, terms);
}

function newAside({ skillId, side, isRight, chosen }: NewQuery): string {
  const whose = `${side === "should_match" ? "for" : "not for"} ${idWords(skillId)}`;
  if (isRight === null) return `${whose}, no answer`;
  return chosen === undefined ? whose : `${whose}, got ${chosen === null ? "none" : idWords(chosen)}`;
}

/** What else is different: skills and tools that came or went. */
function catalogLines({ added, removed, tools }: CatalogDiff, terms: CatalogTerms): string[] {
  const gone = removed.map(({ skillId, queries }) => `${idWords(skillId)} (${countQueries(queries)})`);
  const lines = [
    ...(added.length > 0 ? [`added: ${listed(added.map(idWords), terms.atMost)}`] : []),
    ...(gone.length > 0 ? [`removed: ${listed(gone, terms.atMost)}`] : []),
    ...tools
      .slice(0, terms.atMost)
      .map((change) => `tools of ${idWords(change.skillId)}: ${visibleText(describeTools(change))}`),
  ];
  return section(
    "Skills and tools",
    lines.flatMap((line) => sentenceLines(line, terms, "  ")),
    terms,
  );
}

function closingLines(diff: CatalogDiff, terms: CatalogTerms): string[] {
  const { paint } = terms;
  const flips = describeFlipRate(diff);
  const isStolen = diff.moved.some(({ isInconclusive }) => !isInconclusive);
  const tone = diff.unanswered > 0 ? paint.yellow : isStolen ? paint.red : paint.green;
  return [
    ...(flips === null ? [] : sentenceLines(flips, terms).map((line) => paint.dim(line))),
    ...sentenceLines(describeCatalogDiff(diff), terms).map((line) => paint.bold(tone(line))),
  ];
}
