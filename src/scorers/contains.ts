import type { Scorer } from "../contract/scorer.ts";
import type { Json } from "../shared/json/json.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import { type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes an answer whose values, at any depth, hold every keyword; names of members do not count. */
export function contains(request: ScorerRequest): Scorer {
  const keywords = readKeywords(request);
  const { caseSensitive = false } = request.task.evaluator ?? {};
  const tidy = (text: string) => (caseSensitive ? text : text.toLowerCase());
  const wanted = keywords.map(tidy);
  const findMissing = (output: Json) => {
    const texts = scalarTexts(output).map(tidy);
    return keywords.filter((_, at) => !texts.some((text) => text.includes(wanted[at] as string)));
  };

  return {
    type: "contains",
    identity: { type: "contains", keywords, caseSensitive },
    probing: {
      member: ".expectedOutput.keywords",
      accepts: (answer) => findMissing(answer).length === 0,
      isRight: (answer) => scalarTexts(answer).some((text) => wanted.includes(tidy(text))),
      advice: "add longer keywords, or use exact",
    },
    score({ output }) {
      const missing = findMissing(output);
      return {
        score: (keywords.length - missing.length) / keywords.length,
        passed: missing.length === 0,
        reason: missing.length === 0 ? null : shortenWords(`missing: ${missing.map(quote).join(", ")}`, 400),
      };
    },
  };
}

function readKeywords(request: ScorerRequest): string[] {
  const { keywords = [] } = request.task.expectedOutput;
  if (keywords.length === 0)
    throw vacuous(request, ".expectedOutput.keywords", "contains needs at least one keyword");
  const empty = keywords.indexOf("");
  if (empty !== -1)
    throw vacuous(request, `.expectedOutput.keywords[${empty}]`, "an empty keyword matches any text");
  const letter = keywords.find((keyword) => singleLetter.test(keyword));
  if (letter !== undefined)
    request.warn?.(`task ${request.task.id}: most texts contain the keyword ${quote(letter)}`);
  return keywords;
}

/** One letter of an alphabet; a sign of Chinese or Japanese is a word. */
const singleLetter = /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\p{L}$/u;

/** The text of every scalar inside a value. Never recurses. */
function scalarTexts(value: Json): string[] {
  const texts: string[] = [];
  const open: Json[] = [value];
  while (open.length > 0) {
    const next = open.pop() as Json;
    if (next === null || typeof next !== "object") texts.push(String(next));
    else for (const member of Object.values(next)) open.push(member);
  }
  return texts;
}

function quote(keyword: string): string {
  return shortenWords(JSON.stringify(keyword), 80);
}
