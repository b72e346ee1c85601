import type { CaseReport, Check, DimensionScore, Failure } from "../../contract/agent-report.ts";
import type { Tone } from "../../contract/view.ts";
import { fraction } from "../../report/text/format-numbers.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";

export type DimensionStatus = DimensionScore["status"];
/** What a case can be scored in. */
export type DimensionName = keyof CaseReport["scores"];
type Score = DimensionScore | CaseReport["scores"]["trigger"];

/** In the order they are shown: of a conversation, of an agent, of a pure function, of a judge. */
const dimensionOrder = Object.keys({
  hit: 0,
  protocol: 0,
  calls: 0,
  continuation: 0,
  trigger: 0,
  sequence: 0,
  disclosure: 0,
  security: 0,
  budget: 0,
  output: 0,
  streaming: 0,
  unit: 0,
  rubric: 0,
} satisfies Record<DimensionName, 0>) as DimensionName[];

/** How a dimension ended: a sign, a word, and whether that is good. */
export const dimensionEnds: Readonly<Record<DimensionStatus, { sign: string; word: string; tone: Tone }>> = {
  pass: { sign: "✓", word: "passed", tone: "good" },
  fail: { sign: "✗", word: "failed", tone: "bad" },
  not_observed: { sign: "?", word: "not observed", tone: "warn" },
  not_applicable: { sign: "–", word: "not applicable", tone: "muted" },
};

/** The dimensions that concern a case, with their scores. */
export function applicableScores({
  scores,
}: Pick<CaseReport, "scores">): { name: DimensionName; score: Score }[] {
  return dimensionOrder.flatMap((name) => {
    const score = scores[name];
    return score === undefined || score.status === "not_applicable" ? [] : [{ name, score }];
  });
}

const namedChecks = 3;

/** What a score rests on: how many checks, which of them failed or could not be observed, and which skills were selected. */
export function scoreWords(score: Score): string {
  const { status, checks } = score;
  const failed = checkNames(checks, "fail");
  const unseen = checkNames(checks, "not_observed");
  return [
    ...("selected" in score ? [selectionWords(score)] : []),
    ...(failed.length > 0 ? [`failed: ${listed(failed, namedChecks)}`] : []),
    ...(status === "pass" && unseen.length > 0
      ? [`${checks.length - unseen.length} of ${pluralize(checks.length, "check")}`]
      : []),
    ...(unseen.length > 0 ? [`not observed: ${listed(unseen, namedChecks)}`] : []),
    ...(failed.length + unseen.length === 0 && checks.length > 0 ? [pluralize(checks.length, "check")] : []),
    ...(checks.length === 0 ? [dimensionEnds[status].word] : []),
  ].join("; ");
}

/** `selected pdf-form-filler, precision 1, recall 1`. */
function selectionWords({ selected, rejected, precision, recall }: CaseReport["scores"]["trigger"]): string {
  return [
    selected.length === 0 ? "no skill selected" : `selected ${listed(selected, namedChecks)}`,
    ...(rejected.length === 0 ? [] : [`refused ${listed(rejected, namedChecks)}`]),
    ...(precision === null ? [] : [`precision ${fraction(precision)}`]),
    ...(recall === null ? [] : [`recall ${fraction(recall)}`]),
  ].join(", ");
}

function checkNames(checks: readonly Check[], status: Check["status"]): string[] {
  return checks
    .filter((check) => check.status === status)
    .map(({ name, note }) => (note === undefined ? name : `${name} (${note})`));
}

/** Where in the log a failure is seen: `line 12`, `lines 12–14`; null where it is about no line. */
export function lineWords({ lines }: Pick<Failure, "lines">): string | null {
  const [first, last = first] = lines;
  if (first === undefined || last === undefined) return null;
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

/** The lines of the log that a failure names. */
export function logLines({ events, lines }: Pick<Failure, "events" | "lines">): number[] {
  const named = events.map((id) => Number(id.slice(id.lastIndexOf("#") + 1)));
  return [...new Set([...named, ...lines])].filter(Number.isSafeInteger).toSorted((a, b) => a - b);
}

/** Why a case has no verdict. */
export function noVerdictWords({ no_verdict }: Pick<CaseReport, "no_verdict">): string {
  return no_verdict === null ? "no verdict" : `${no_verdict.code}: ${no_verdict.message}`;
}
