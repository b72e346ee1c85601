import type { Scorer } from "../contract/scorer.ts";
import type { Json } from "../shared/json/json.ts";
import { describeValue, readNumber, singleAnswer } from "./answer-value.ts";
import { type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes a number within the tolerance: |a − v| ≤ max(absTol, relTol · |v|). */
export function closeTo(request: ScorerRequest): Scorer {
  const { value, absTol = 1e-6, relTol = 0 } = request.task.expectedOutput;
  if (typeof value !== "number" || !Number.isFinite(value))
    throw vacuous(request, ".expectedOutput.value", "close_to needs a number as the value it expects");
  const tolerance = Math.max(absTol, relTol * Math.abs(value));
  const distance = Math.max(1, Math.abs(value));
  const target = value;

  function isClose(answer: Json): boolean {
    const number = answerNumber(answer);
    return number !== null && Math.abs(number - target) <= tolerance;
  }

  return {
    type: "close_to",
    identity: { type: "close_to", value, absTol, relTol },
    probing: {
      member: relTol * Math.abs(value) > absTol ? ".expectedOutput.relTol" : ".expectedOutput.absTol",
      near: [value - distance, value + distance],
      accepts: (answer) => isClose(answer),
      advice: "use a smaller tolerance",
    },
    score({ output }) {
      const answer = singleAnswer(output, value);
      const passed = isClose(answer);
      const reason = passed ? null : `expected ${value} ± ${tolerance}, got ${describeValue(answer)}`;
      return { score: passed ? 1 : 0, passed, reason };
    },
  };
}

function answerNumber(answer: Json): number | null {
  if (typeof answer === "number") return answer;
  return typeof answer === "string" ? readNumber(answer) : null;
}
