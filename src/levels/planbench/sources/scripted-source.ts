import type { Json } from "../../../shared/json/json.ts";
import type { PlanSource } from "./plan-source.ts";

/** Says its outputs one after the other, attempt by attempt, the last one again and again. */
export function scriptedSource(outputs: readonly Json[]): PlanSource {
  const texts = outputs.map((output) => (typeof output === "string" ? output : JSON.stringify(output)));
  return {
    canRepair: true,
    async generate(attempt) {
      const output = texts[Math.min(attempt, texts.length - 1)] ?? "";
      return { status: "generated", output, ms: 0, tokens: null, answeredBy: null };
    },
  };
}
