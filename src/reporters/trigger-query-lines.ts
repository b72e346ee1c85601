import { shownText, visibleText } from "../base/visible-text.ts";
import type { QueryLine } from "../contract/trigger-report.ts";
import { describeQuery, standingOf } from "./describe-query.ts";
import { fitWidth, textWidth } from "./text-width.ts";
import type { TextTerms } from "./trigger-skill-lines.ts";
import { wrappedWords } from "./wrapped-words.ts";

const textLimit = 300;
const idLimit = 40;
const indent = "    ";

/** A query that did not pass: what was asked, what came of it, what the judge said. */
export function triggerQueryLines(query: QueryLine, { paint, width }: TextTerms): string[] {
  const isFailed = standingOf(query) === "failed";
  const tone = isFailed ? paint.red : paint.yellow;
  const room = width === null ? Number.POSITIVE_INFINITY : Math.max(20, width - indent.length);
  const wrapped = (text: string) => (width === null ? [text] : wrappedWords(text, room));
  const id = shownText(query.queryId, idLimit);
  const text = fitWidth(shownText(query.query, textLimit), room - textWidth(id) - 2);
  const outcome = wrapped(visibleText(describeQuery(query)));
  const reason =
    query.reason === null || query.reason === "" ? [] : [fitWidth(shownText(query.reason, textLimit), room)];
  return [
    `  ${tone(isFailed ? "✗" : "?")} ${paint.bold(text)}  ${paint.dim(id)}`,
    ...outcome.map((line) => `${indent}${tone(line)}`),
    ...reason.map((line) => `${indent}${paint.dim(line)}`),
  ];
}
