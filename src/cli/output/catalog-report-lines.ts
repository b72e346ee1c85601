import type { CatalogReport, SharedName, Steal } from "../../operations/catalog/compare/catalog-report.ts";
import { counted, grouped } from "../../report/text/format-numbers.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { selfRoutingLines } from "./catalog-self-routing.ts";
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
  shareWords,
} from "./catalog-text.ts";
import { countQueries, describeCatalog, describeJudge } from "./catalog-words.ts";

const queriesPerSteal = 3;
const namesPerLine = 10;

/** What skills that are installed together do to each other, for people, worst first. */
export function catalogReportLines(report: CatalogReport, layout: CatalogLayout): string {
  const terms = catalogTerms(layout);
  const { triggers, tools } = report.collisions;
  const blocks = [
    headLines(report, terms),
    selfRoutingLines(report.selfRouting, terms),
    untestedLines(report, terms),
    section(
      "Steals",
      firstLines(report.steals, (steal) => stealLines(steal, terms), terms),
      terms,
    ),
    section("Shared triggers", sharedLines(triggers, terms), terms),
    section("Shared tool names", sharedLines(tools, terms), terms),
    likenessLines(report, terms),
    coSelectedLines(report, terms),
    closeCallLines(report, terms),
    offTopicLines(report, terms),
    closingLines(report, terms),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function headLines({ judges, skills, eligible, queries }: CatalogReport, terms: CatalogTerms): string[] {
  const part = eligible === skills ? "" : `, ${grouped(eligible)} eligible`;
  const who = judges.map((judge) => `judge: ${shownText(describeJudge(judge), 200)}`);
  const facts = [
    `${counted(skills, "skill")}${part}`,
    `${countQueries(queries)} that a skill should handle`,
    ...who,
  ];
  return factLines(facts, terms);
}

function untestedLines({ untested }: CatalogReport, terms: CatalogTerms): string[] {
  if (untested.length === 0) return [];
  const names = listed(untested.map(idWords), terms.atMost);
  const verb = untested.length === 1 ? "has" : "have";
  const words = `${counted(untested.length, "skill")} ${verb} no queries: ${names}`;
  return sentenceLines(words, terms).map((line) => terms.paint.yellow(line));
}

function stealLines({ from, to, share, queries }: Steal, terms: CatalogTerms): string[] {
  const words = `${idWords(to)} takes ${share.count} of ${countQueries(share.of)} of ${idWords(from)}, ${shareWords(share)}`;
  const inner = {
    ...terms,
    atMost: terms.atMost === Number.POSITIVE_INFINITY ? terms.atMost : queriesPerSteal,
  };
  return [
    ...sentenceLines(words, terms, "  ").map((line) => terms.paint.red(line)),
    ...firstLines(queries, ({ query, because }) => queryLines(query, because, terms), inner),
  ];
}

function sharedLines(names: readonly SharedName[], terms: CatalogTerms): string[] {
  return firstLines(
    names,
    ({ name, skills }) =>
      sentenceLines(`${shownText(name)}: ${listed(skills.map(idWords), namesPerLine)}`, terms, "  "),
    terms,
  );
}

function likenessLines({ collisions }: CatalogReport, terms: CatalogTerms): string[] {
  const lines = firstLines(
    collisions.terms,
    ({ skills: [a, b], likeness, shared }) =>
      sentenceLines(
        `${likeness.toFixed(2)}  ${idWords(a)} and ${idWords(b)}: ${shownText(shared.join(" "), 120)}`,
        terms,
        "  ",
      ),
    terms,
    collisions.alikePairs,
  );
  return section("Similar wording", lines, terms);
}

function coSelectedLines({ coSelected }: CatalogReport, terms: CatalogTerms): string[] {
  const lines = firstLines(
    coSelected,
    ({ skills: [a, b], queries }) =>
      sentenceLines(`${idWords(a)} and ${idWords(b)} for ${countQueries(queries)}`, terms, "  "),
    terms,
  );
  return section("Selected together", lines, terms);
}

function closeCallLines({ closeCalls }: CatalogReport, terms: CatalogTerms): string[] {
  const lines = firstLines(
    closeCalls,
    ({ skillId, query, between: [a, b], margin }) =>
      queryLines(
        query,
        `for ${idWords(skillId)}: ${idWords(a)} and ${idWords(b)} are ${margin.toFixed(3)} apart`,
        terms,
      ),
    terms,
  );
  return section("Close calls", lines, terms);
}

function offTopicLines({ offTopic }: CatalogReport, terms: CatalogTerms): string[] {
  const { count, of, unanswered, judge, queries } = offTopic;
  if (of + unanswered === 0) return [];
  const missing = unanswered === 0 ? "" : `, ${unanswered} got no answer`;
  const title = `Off-topic: ${count} of ${pluralize(of, "off-topic request")} ${count === 1 ? "loads" : "load"} a skill, ${shareWords(offTopic)}${missing}; ${shownText(judge, 200)}`;
  const lines = firstLines(
    queries,
    ({ query, chosen }) => queryLines(query, `loads ${idWords(chosen)}`, terms),
    terms,
  );
  return lines.length === 0
    ? sentenceLines(title, terms).map((line) => terms.paint.bold(line))
    : section(title, lines, terms);
}

function closingLines(report: CatalogReport, terms: CatalogTerms): string[] {
  const { paint } = terms;
  const { words, isClean, isUnknown } = describeCatalog(report);
  const tone = isUnknown ? paint.yellow : isClean ? paint.green : paint.red;
  return sentenceLines(words, terms).map((line) => paint.bold(tone(line)));
}
