import type { Scored, Scorer } from "../contract/scorer.ts";
import type { Json } from "../shared/json/json.ts";
import { describeValue, readNumber, singleAnswer, wrapperHint } from "./answer-value.ts";
import { findDifference } from "./find-difference.ts";
import { type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes an answer that equals the expected value; key order, spaces around a text and `"25.0"` for `25` are forgiven. */
export function exactMatch(request: ScorerRequest): Scorer {
  const { value: expected } = request.task.expectedOutput;
  if (expected === undefined)
    throw vacuous(request, ".expectedOutput.value", "exact_match needs the value it expects");
  const { caseSensitive = true, strict = false } = request.task.evaluator ?? {};
  const tidy = textRule(caseSensitive, strict);

  function difference(output: Json, wanted: Json): string | null {
    const answer = singleAnswer(output, wanted);
    const reading = strict ? null : sameWhenRead(wanted, answer, tidy);
    if (reading === true) return null;
    return reading === false
      ? `expected ${describeValue(wanted)}, got ${describeValue(answer)}`
      : findDifference(wanted, answer, (a, b) => tidy(a) === tidy(b));
  }

  function score(output: Json): Scored {
    const reason = difference(output, expected as Json);
    if (reason === null) return { score: 1, passed: true, reason: null };
    const hint = wrapperHint(output, {
      expected: expected as Json,
      isMatch: (bare, wanted = null) => difference(bare, wanted) === null,
    });
    return { score: 0, passed: false, reason: hint === null ? reason : `${reason} (${hint})` };
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

/** Whether a text equals the number or boolean it is compared with; null if the two are not such a pair. */
function sameWhenRead(a: Json, b: Json, tidy: (text: string) => string): boolean | null {
  const [text, other] = typeof a === "string" ? [a, b] : [b, a];
  if (typeof text !== "string") return null;
  if (typeof other === "number") return readNumber(text) === other;
  if (typeof other === "boolean") return tidy(text) === String(other);
  return null;
}
