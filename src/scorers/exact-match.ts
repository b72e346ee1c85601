import type { Json } from "../contract/json.ts";
import type { Scored } from "../contract/score.ts";
import type { Scorer } from "../contract/scorer.ts";
import { describeValue } from "./describe-value.ts";
import { findDifference } from "./find-difference.ts";
import { readNumber } from "./read-number.ts";
import { type ScorerRequest, vacuous } from "./scorer-request.ts";
import { singleAnswer } from "./single-answer.ts";

/** Passes an answer that equals the expected value; key order, spaces around a text and `"25.0"` for `25` are forgiven. */
export function exactMatch(request: ScorerRequest): Scorer {
  const { value: expected } = request.task.expectedOutput;
  if (expected === undefined)
    throw vacuous(request, ".expectedOutput.value", "exact_match needs the value it expects");
  const { caseSensitive = true, strict = false } = request.task.evaluator ?? {};
  const tidy = textRule(caseSensitive, strict);

  function score(output: Json): Scored {
    const answer = singleAnswer(output, expected as Json);
    const reading = strict ? null : sameWhenRead(expected as Json, answer, tidy);
    if (reading === true) return { score: 1, passed: true, reason: null };
    const reason =
      reading === false
        ? `expected ${describeValue(expected as Json)}, got ${describeValue(answer)}`
        : findDifference(expected as Json, answer, (a, b) => tidy(a) === tidy(b));
    return { score: reason === null ? 1 : 0, passed: reason === null, reason };
  }

  return {
    type: "exact_match",
    identity: { type: "exact_match", value: expected, caseSensitive, strict },
    score: ({ output }) => score(output),
  };
}

function textRule(caseSensitive: boolean, strict: boolean): (text: string) => string {
  return (text) => {
    const trimmed = strict ? text : text.trim();
    return caseSensitive ? trimmed : trimmed.toLowerCase();
  };
}

/** Whether a text says the number or boolean it is compared with; null where the two are no such pair. */
function sameWhenRead(a: Json, b: Json, tidy: (text: string) => string): boolean | null {
  const [text, other] = typeof a === "string" ? [a, b] : [b, a];
  if (typeof text !== "string") return null;
  if (typeof other === "number") return readNumber(text) === other;
  if (typeof other === "boolean") return tidy(text) === String(other);
  return null;
}
