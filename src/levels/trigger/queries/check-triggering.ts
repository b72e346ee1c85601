import { describingFile } from "../../../contract/describing-file.ts";
import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { Card } from "../../../contract/judge.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import type { Triggering, TriggerQuery } from "../../../contract/triggering.ts";
import { contentTerms } from "../../../shared/text/content-terms.ts";
import { checkQueries } from "./check-queries.ts";
import { makeCard } from "./make-card.ts";
import { foldQuery } from "./make-query.ts";
import type { EvalFile, ReadFile } from "./read-eval-file.ts";
import { readTriggering } from "./read-triggering.ts";

/** A skill whose `triggering` block is checked, with its context. */
interface TriggerSubject {
  skill: DescribedSkill;
  /** Reads files of the skill's folder. */
  readFile: ReadFile;
  /** Every name of the skills of the catalog, of this one too; null where only this one was looked at. */
  siblings: ReadonlySet<string> | null;
  /** What its `meta.yml` says by itself; null where there is none. */
  sidecar: SidecarCard | null;
}

/** Reads and checks the `triggering` block of a skill; null where there is no usable one. */
export async function checkTriggering(
  { skill, readFile, siblings, sidecar }: TriggerSubject,
  diagnostics: Diagnostics,
): Promise<Triggering | null> {
  const read = await readTriggering(skill, readFile, diagnostics);
  if (read === null) return null;
  const { repeated, isWhole, evalFile, ...triggering } = read;
  const card = makeCard(skill);
  checkQueries({ ...read, skill, siblings }, diagnostics);
  if (isWhole) checkSides(read.queries, { card, evalFile }, diagnostics);
  checkCard(skill, card, sidecar, diagnostics);
  return triggering;
}

const minPerSide = 8;
const maxUnequal = 3;

/** What can be wrong with the two sides as a whole: nothing there, too little, too unequal, too easy. */
function checkSides(
  queries: readonly TriggerQuery[],
  { card, evalFile }: { card: Card; evalFile: EvalFile },
  diagnostics: Diagnostics,
): void {
  const location = evalFile.locate(["triggering"]);
  if (queries.length === 0) {
    diagnostics.add("TRG10", location, "both lists are empty; the trigger suite will be skipped");
    return;
  }
  const negatives = queries.filter(({ side }) => side === "should_not_match");
  const [n, m] = [queries.length - negatives.length, negatives.length];
  const hint = whatIsMissing(n, m);
  if (hint !== null) diagnostics.add("TRG12", location, `${n} positive, ${m} negative`, { hint });
  if (m > 0 && !negatives.some(nearMissTest(card)))
    diagnostics.add(
      "TRG13",
      evalFile.locate(["triggering", "should_not_match"]),
      "no negative shares a term with the card",
    );
}

function whatIsMissing(positive: number, negative: number): string | null {
  const few = Math.min(positive, negative);
  if (few === 0)
    return `add ${positive === 0 ? "should_match" : "should_not_match"}, at least ${minPerSide} requests`;
  if (few < minPerSide) return `write at least ${minPerSide} on each side`;
  return Math.max(positive, negative) > maxUnequal * few ? "add to the smaller side" : null;
}

/** Whether a negative shares a term with the card; always true for a card without text. */
function nearMissTest({ description, triggers, notFor }: Card): (query: TriggerQuery) => boolean {
  const terms = contentTerms([description, ...triggers, ...notFor].join("\n"));
  return ({ text }) => terms.size === 0 || [...contentTerms(text)].some((term) => terms.has(term));
}

/** The part of a card that a `meta.yml` holds. */
export interface SidecarCard {
  description: string | null;
  triggers: readonly string[];
  notFor: readonly string[];
}

/** What an agent's index shows of a description. */
const advisedDescription = 1024;

/** What can be wrong with the card that the queries are judged by. */
function checkCard(
  skill: DescribedSkill,
  card: Card,
  sidecar: SidecarCard | null,
  diagnostics: Diagnostics,
): void {
  const own = describingFile(skill);
  const file = own === "." && sidecar !== null ? "meta.yml" : own;
  const length = [...skill.description].length;
  if (skill.description.trim() === "")
    diagnostics.add("TRG07", { file }, "description or summary not found", {
      hint: "say what it does and when to use it",
    });
  for (const cut of card.cuts) diagnostics.add("TRG15", { file }, `card: ${cut}`);
  if (length > advisedDescription && !isLengthReported(card, file, diagnostics))
    diagnostics.add(
      "TRG15",
      { file },
      `card: description has ${length} characters, advised ${advisedDescription}`,
    );
  for (const field of sidecar === null ? [] : contradictions(skill, sidecar))
    diagnostics.add(
      "TRG15",
      { file: "meta.yml", jsonPath: `$.${field}` },
      `card: different ${field} in ${file}`,
      {
        hint: `agents see the one in ${file}; align meta.yml or remove ${field} from it`,
      },
    );
}

/** Whether the length of a description was reported already, because it is cut or in the `SKILL.md`. */
function isLengthReported({ cuts }: Card, describing: string, diagnostics: Diagnostics): boolean {
  const reported = diagnostics.list().filter(({ code, file }) => code === "SKM07" && file === describing);
  return [...cuts, ...reported.map(({ message }) => message)].some((words) =>
    words.startsWith("description "),
  );
}

/** Fields that differ between both files; `meta.yml` has filled the gaps of the manifest already. */
function contradictions(skill: DescribedSkill, sidecar: SidecarCard): string[] {
  const found: string[] = [];
  if (sidecar.description !== null && foldQuery(sidecar.description) !== foldQuery(skill.description))
    found.push("description");
  if (saysOther(sidecar.triggers, skill.triggers)) found.push("triggers");
  if (saysOther(sidecar.notFor, skill.notFor)) found.push("not_for");
  return found;
}

function saysOther(side: readonly string[], main: readonly string[]): boolean {
  if (side.length === 0) return false;
  const [a, b] = [new Set(side.map(foldQuery)), new Set(main.map(foldQuery))];
  return a.size !== b.size || [...a].some((entry) => !b.has(entry));
}
