import type { PlanResult } from "../src/contract/planbench-report.ts";
import { grouped, milliseconds } from "../src/reporters/format-numbers.ts";
import { outcomeWords } from "../src/reporters/planbench/sample-words.ts";

/** What is worth knowing of a sample besides its attempts, as name and value; null is left out. */
export function sampleFacts(result: PlanResult): [string, string | null][] {
  const { host, tags, selected, claimedOk, firstMs, tokens, attempts } = result;
  const answered = [...new Set(attempts.map(({ answeredBy }) => answeredBy))].filter((id) => id !== null);
  return [
    ["Case", result.caseId],
    ["Sample", String(result.sample)],
    ["Outcome", outcomeWords(result)],
    ["Route", result.route],
    ["Host", host],
    ["Tags", tags.length === 0 ? null : tags.join(", ")],
    ["Selected", selected === null ? null : selected.join(", ") || "nothing"],
    ["Service said", claimedOk === null ? null : claimedOk ? "ok" : "not ok"],
    ["Answered by", answered.length === 0 ? null : answered.join(", ")],
    ["Time", milliseconds(result.ms)],
    ["First plan", firstMs === null ? null : milliseconds(firstMs)],
    ["Tokens", tokens === null ? null : `${grouped(tokens.first)} first, ${grouped(tokens.repairs)} repairs`],
  ];
}

/** By which a sample is known on every machine. */
export function sampleDigests({ caseDigest, cellKey }: PlanResult): [string, string | null][] {
  return [
    ["Case digest", caseDigest || null],
    ["Cell key", cellKey || null],
  ];
}
