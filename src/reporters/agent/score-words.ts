import { countOf } from "../../base/count-of.ts";
import { listed } from "../../base/listed.ts";
import type { CaseReport, Check, DimensionScore } from "../../contract/agent-report.ts";
import { fraction } from "../format-numbers.ts";
import { statusWords } from "./dimension-words.ts";

type Score = DimensionScore | CaseReport["scores"]["trigger"];

const namedAtMost = 3;

/** What a score rests on: how many checks, which of them failed or lacked evidence, and of triggering what was chosen. */
export function scoreWords(score: Score): string {
  const { status, checks } = score;
  if (status === "not_applicable") return statusWords.not_applicable;
  const chosen = "selected" in score ? [triggerWords(score)] : [];
  const failed = namesOf(checks, "fail");
  const unseen = namesOf(checks, "not_observed");
  return [
    ...chosen,
    ...(failed.length > 0 ? [`failed: ${listed(failed, namedAtMost)}`] : []),
    ...(status === "pass" && unseen.length > 0
      ? [`${checks.length - unseen.length} of ${countOf(checks.length, "check")}`]
      : []),
    ...(unseen.length > 0 ? [`not observed: ${listed(unseen, namedAtMost)}`] : []),
    ...(failed.length + unseen.length === 0 && checks.length > 0 ? [countOf(checks.length, "check")] : []),
    ...(checks.length === 0 ? [statusWords[status]] : []),
  ].join("; ");
}

/** What was chosen, and how well: `selected pdf-form-filler, precision 1, recall 1`. */
function triggerWords({ selected, rejected, precision, recall }: CaseReport["scores"]["trigger"]): string {
  return [
    selected.length === 0 ? "selected nothing" : `selected ${listed(selected, namedAtMost)}`,
    ...(rejected.length === 0 ? [] : [`refused ${listed(rejected, namedAtMost)}`]),
    ...(precision === null ? [] : [`precision ${fraction(precision)}`]),
    ...(recall === null ? [] : [`recall ${fraction(recall)}`]),
  ].join(", ");
}

function namesOf(checks: readonly Check[], status: Check["status"]): string[] {
  return checks.filter((check) => check.status === status).map(({ name }) => name);
}
