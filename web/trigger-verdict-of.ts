import type { TriggerCause, TriggerReport } from "../src/contract/trigger-report.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import type { ShownQuery } from "./shown-query.ts";

/** The verdict on a whole report of `trigger`: in two words, the mark that stands for it, and the exit code in words. */
export function triggerVerdictOf(
  report: Pick<TriggerReport, "exitCode" | "gate" | "results">,
  queries: Verdicts,
): { title: string; mark: Verdict; why: string } {
  const { exitCode } = report;
  switch (exitCode) {
    case 0:
      return { title: "Passed", mark: "pass", why: `Exit code 0: ${whyPassed(report, queries)}.` };
    case 1:
      return { title: "Failed", mark: "fail", why: `Exit code 1: ${whyFailed(report, queries)}.` };
    case 3:
      return { title: "No verdict", mark: "invalid", why: `Exit code 3: ${whyOpen(report, queries)}.` };
    default:
      return exitCode satisfies never;
  }
}

function whyPassed({ results }: Pick<TriggerReport, "results">, queries: Verdicts): string {
  const open = openWords(queries);
  if (open.length > 0) return `${listedWords(open)}, accepted as asked`;
  return results.every(({ skipped }) => skipped !== null) ? "nothing was judged" : "every query passed";
}

function whyFailed({ gate, results }: Pick<TriggerReport, "gate" | "results">, queries: Verdicts): string {
  // Not those without a usable answer: they are shown as failed, but never lead to this exit code.
  const failed = queries.filter(({ verdict }) => verdict === "fail").length;
  const below = gate.below.length;
  const skipped = results.filter((result) => result.skipped !== null).length;
  const reasons = [
    ...(failed > 0 ? [`${queriesOf(failed)} failed`] : []),
    ...(below > 0 ? [`${below === 1 ? "1 skill is" : `${below} skills are`} below the gate`] : []),
  ];
  if (reasons.length > 0) return listedWords(reasons);
  return `${skipped === 1 ? "1 skill was" : `${skipped} skills were`} skipped, which --require-triggering forbids`;
}

function whyOpen({ gate }: Pick<TriggerReport, "gate">, queries: Verdicts): string {
  const vague = gate.inconclusive.length;
  const reasons = [
    ...openWords(queries),
    ...(vague > 0
      ? [`the figures of ${vague === 1 ? "1 skill" : `${vague} skills`} are too few for the gate`]
      : []),
  ];
  return reasons.length === 0 ? "no verdict" : `no verdict, since ${listedWords(reasons)}`;
}

type Verdicts = readonly Pick<ShownQuery, "verdict" | "cause">[];

const causeWords: Readonly<Record<TriggerCause, string>> = {
  undecided: "undecided",
  "judge-error": "without enough replies",
  uncalibrated: "judged by a judge that may not decide",
  "no-verdict": "without a usable answer",
};

/** Queries without verdict, by what kept them from one: `2 queries undecided`. */
function openWords(queries: Verdicts): string[] {
  const counts = new Map<TriggerCause, number>();
  for (const { cause } of queries) if (cause !== null) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return (Object.keys(causeWords) as TriggerCause[]).flatMap((cause) => {
    const count = counts.get(cause) ?? 0;
    return count === 0 ? [] : [`${queriesOf(count)} ${count === 1 ? "is" : "are"} ${causeWords[cause]}`];
  });
}

function queriesOf(count: number): string {
  return count === 1 ? "1 query" : `${count} queries`;
}

function listedWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
