import type { DiagnosticLocation, Diagnostics } from "../../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { querySides, type TriggerQuery } from "../../../contract/triggering.ts";
import { nearest } from "../../../shared/text/nearest.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import { findAlike } from "./alike-texts.ts";
import { foldQuery } from "./make-query.ts";
import type { ReadTriggering } from "./read-triggering.ts";

interface Subject extends Pick<ReadTriggering, "queries" | "repeated" | "evalFile"> {
  skill: DescribedSkill;
  siblings: ReadonlySet<string> | null;
}

/** What can be wrong with single queries and pairs of them. */
export function checkQueries(subject: Subject, diagnostics: Diagnostics): void {
  reportBothSides(subject.queries, diagnostics);
  reportSharedIds(subject.queries, diagnostics);
  reportStrangers(subject, diagnostics);
  for (const { first, dropped } of subject.repeated) reportAlike(first, dropped, 1, diagnostics);
  reportNearDuplicates(subject, diagnostics);
  for (const { query, phrase } of findLeaks(subject.queries, subject.skill))
    diagnostics.add("TRG14", query.location, `${quote(query.text)} quotes trigger ${quote(phrase)}`);
}

function reportBothSides(queries: readonly TriggerQuery[], diagnostics: Diagnostics): void {
  const positive = new Set(queries.filter(({ side }) => side === "should_match").map(folded));
  for (const query of queries)
    if (query.side === "should_not_match" && positive.has(folded(query)))
      diagnostics.add("TRG05", query.location, `${quote(query.text)} in both lists`);
}

/** Results are stored by id. Generated ids are shared only by a query on both sides, which is reported already. */
function reportSharedIds(queries: readonly TriggerQuery[], diagnostics: Diagnostics): void {
  const first = new Map<string, TriggerQuery>();
  for (const query of queries) {
    const other = first.get(query.id);
    if (other === undefined) first.set(query.id, query);
    else if (folded(other) !== folded(query))
      diagnostics.add(
        "TRG03",
        query.location,
        `${queryLocation(query.location)}: duplicate id ${quote(query.id)}, also in ${queryLocation(other.location)}`,
        {
          hint: "give each query an id of its own, or none",
        },
      );
  }
}

/** Each is compared with every skill of a catalog. */
const maxGuesses = 20;

function reportStrangers({ queries, skill, siblings }: Subject, diagnostics: Diagnostics): void {
  const itself = [skill.id, ...skill.aliases];
  let guesses = maxGuesses;
  for (const { belongsTo, location } of queries) {
    if (belongsTo === null) continue;
    if (itself.includes(belongsTo))
      diagnostics.add("TRG07", location, `sibling ${belongsTo} not found: it is this skill`, {
        hint: "belongs_to names another skill",
      });
    else if (siblings !== null && !siblings.has(belongsTo)) {
      const others = guesses-- > 0 ? [...siblings].filter((name) => !itself.includes(name)) : [];
      const near = nearest(belongsTo, others);
      diagnostics.add("TRG07", location, `sibling ${shorten(belongsTo, 80)} not found`, {
        hint: near === null ? "name an installed skill in belongs_to" : `did you mean ${near}?`,
      });
    }
  }
}

function reportNearDuplicates({ queries, evalFile }: Subject, diagnostics: Diagnostics): void {
  for (const side of querySides) {
    const ofSide = queries.filter((query) => query.side === side);
    const { pairs, isWhole } = findAlike(ofSide.map(folded));
    for (const { first, second, likeness } of pairs)
      reportAlike(ofSide[first] as TriggerQuery, ofSide[second] as TriggerQuery, likeness, diagnostics);
    if (!isWhole)
      diagnostics.add(
        "TRG11",
        evalFile.locate(["triggering", side]),
        `${side}: too many queries to compare them all`,
      );
  }
}

function reportAlike(a: TriggerQuery, b: TriggerQuery, likeness: number, diagnostics: Diagnostics): void {
  const message = `${queryLocation(a.location)} and ${queryLocation(b.location)} are alike (${likeness.toFixed(2)})`;
  diagnostics.add("TRG11", b.location, message);
}

function folded({ text }: TriggerQuery): string {
  return foldQuery(text);
}

function quote(text: string): string {
  return `"${shorten(text, 80)}"`;
}

/** `should_match[3]`, or with its file where it was imported. */
function queryLocation({ file, jsonPath = "$" }: DiagnosticLocation): string {
  const inBlock = "$.triggering.";
  return jsonPath.startsWith(inBlock) ? jsonPath.slice(inBlock.length) : `${file}${jsonPath.slice(1)}`;
}

interface Leak {
  query: TriggerQuery;
  /** The trigger or example it contains. */
  phrase: string;
}

/** Further entries are not on the card. */
const maxPhrases = 40;
const minSpaced = 12;
const minUnspaced = 6;

/** Positive queries that contain a trigger or a routing example: they test that the card was copied, not that it is good. */
function findLeaks(
  queries: readonly TriggerQuery[],
  { triggers, examples }: Pick<DescribedSkill, "triggers" | "examples">,
): Leak[] {
  const phrases = [...triggers.slice(0, maxPhrases), ...examples.slice(0, maxPhrases)]
    .map((phrase) => ({ phrase, folded: foldQuery(phrase) }))
    .filter(({ folded }) => isLong(folded));
  return queries
    .filter(({ side }) => side === "should_match")
    .flatMap((query) => {
      const text = foldQuery(query.text);
      const found = phrases.find(({ folded }) => text.includes(folded));
      return found === undefined ? [] : [{ query, phrase: found.phrase }];
    });
}

/** A short phrase occurs in many requests by chance; a Chinese or Japanese character says more than a letter. */
function isLong(phrase: string): boolean {
  const unspaced = phrase.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return unspaced >= minUnspaced || [...phrase].length - unspaced >= minSpaced;
}
