import { type JudgedWord, whyUnjudged } from "../../../cases/ask-about-sentences.ts";
import { type Fault, type Judged, toPass } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import type { CaseReport, DimensionScore, GradedVerdict } from "../../../contract/agent-report.ts";
import { listed } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Contradiction, contradictionsIn } from "./contradictions.ts";
import { whyHidden } from "./hidden-items.ts";
import type { RunView } from "./run-view.ts";

/** Folds the dimensions into the verdict on a case. What was not observed is never a pass. */
export function runVerdict(
  view: RunView,
  judged: readonly Judged[],
  rubric: JudgedRubric | null,
): GradedVerdict {
  const isFailed = judged.some(({ score }) => score.status === "fail") || rubric?.score.status === "fail";
  if (isFailed) return { status: "fail", pass: false, no_verdict: null };
  const why = whyNone(view, judged, rubric);
  if (why !== null) return { status: "invalid", pass: null, no_verdict: why };
  return { status: "pass", pass: true, no_verdict: null };
}

function damagedBy(contradictions: readonly Contradiction[]): NonNullable<CaseReport["no_verdict"]> {
  const words = contradictions.map(({ message, at: [first] }) =>
    first === undefined ? message : `line ${first.seq}: ${message}`,
  );
  return {
    code: "LogDamaged",
    message: `the log contradicts itself: ${listed([...new Set(words)], 3, "; ")}`,
  };
}

function whyNone(
  view: RunView,
  judged: readonly Judged[],
  rubric: JudgedRubric | null,
): CaseReport["no_verdict"] {
  if (view.isCutShort) return describeEnd(view);
  const contradictions = contradictionsIn(view);
  if (contradictions.length > 0) return damagedBy(contradictions);
  const unseen = judged.filter((each) => each.unseen.length > 0);
  if (unseen.length > 0) {
    const words = unseen.map(({ dimension, unseen: whys }) => `${dimension} (${listed(whys, 3, "; ")})`);
    return { code: "NotObserved", message: `not observed: ${words.join(", ")}` };
  }
  if (rubric?.score.status === "not_observed")
    return rubric.unjudged ?? { code: "NotObserved", message: "the rubric was not fully judged" };
  if (!judged.some(({ score }) => score.status === "pass") && rubric?.score.status !== "pass")
    return { code: "NotObserved", message: "no dimension was observed" };
  return null;
}

/** Errors that are more specific than the stop reason of the run. */
const specificErrors: ReadonlySet<string> = new Set([
  "CassetteMiss",
  "SkillChanged",
  "SandboxUnavailable",
  "SandboxHid",
]);

function describeEnd(view: RunView): NonNullable<CaseReport["no_verdict"]> {
  const { stop_reason, status } = view.finished.data;
  const reason = stop_reason ?? status;
  const errors = view.run.events.flatMap(errorIn);
  const known = errors.findLast(({ code }) => specificErrors.has(code));
  const last = known ?? view.of("error_occurred").findLast(({ data }) => data.fatal)?.data;
  const words = last === undefined ? "" : `: ${shownText(last.message, 300)}`;
  return { code: known?.code ?? reason, message: `the run ended with ${shownText(reason)}${words}` };
}

function errorIn(event: AgentEvent): { code: string; message: string }[] {
  switch (event.type) {
    case "error_occurred":
      return [event.data];
    case "model_response":
    case "action_validated":
    case "action_executed":
      return event.data.error === undefined ? [] : [event.data.error];
    default:
      return [];
  }
}

export interface JudgedRubric {
  score: DimensionScore;
  faults: readonly Fault[];
  /** Why the judge gave no decision on a sentence. */
  unjudged: CaseReport["no_verdict"];
}

/** Judges the rubric. Without a judge it is not observed; null for a case without a rubric. */
export function judgeRubric(view: RunView, words: readonly JudgedWord[] | undefined): JudgedRubric | null {
  const { expect } = view.case;
  if (expect.rubric === undefined || expect.rubric.length === 0) return null;
  const checks: DimensionScore["checks"] = [];
  const faults: Fault[] = [];
  const isHidden = whyHidden(view, ["turn"]) !== null;
  for (const [n, sentence] of expect.rubric.entries()) {
    const word = words?.[n];
    const isKnown = word !== undefined && (word.pass === false || (word.pass === true && !isHidden));
    checks.push({
      name: shownText(sentence, 200),
      status: !isKnown ? "not_observed" : word.pass === true ? "pass" : "fail",
      exercised: isKnown,
    });
    if (word?.pass === false)
      faults.push({
        code: "RubricNotMet",
        message: `${shownText(sentence, 200)}: ${shownText(word.reason, 400)}`,
        expected: sentence,
        actual: word.reason,
        at: [view.finished],
      });
  }
  const isUnknown = checks.some(({ status }) => status === "not_observed");
  const status = faults.length > 0 ? "fail" : isUnknown ? "not_observed" : "pass";
  const [unjudged = null] = (words ?? []).flatMap(whyUnjudged);
  return { score: { status, pass: toPass(status), checks }, faults, unjudged };
}

/** Changes when the same run may get another verdict: stored runs are then graded again. */
export const graderVersion = "2";
