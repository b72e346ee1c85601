import type { CaseReport, DimensionScore, Failure } from "../contract/agent-report.ts";
import type { HarnessFault } from "../contract/cause.ts";
import type { LoadedCase } from "../contract/loaded-case.ts";
import type { JudgeRecord } from "../contract/result.ts";
import type { Judges } from "../engine/open-judges.ts";
import { askCheckedJudge, type JudgeModel, sumRecords } from "../scorers/llm-judge-ask.ts";
import { defaultPassThreshold } from "../scorers/llm-judge-verdict.ts";
import { UserError } from "../shared/user-error.ts";

/** A judge's decision on one sentence; null where there is none. */
export interface JudgedWord {
  pass: boolean | null;
  reason: string;
  /** Why there is no decision. */
  cause?: HarnessFault;
}

/** Why there is no verdict on a case with such a sentence. */
export function whyUnjudged({ cause, reason }: JudgedWord): NonNullable<CaseReport["no_verdict"]>[] {
  return cause === undefined ? [] : [{ code: cause, message: reason }];
}

/** The decisions on several sentences, and the effort of asking; null if no judge was asked. */
export interface JudgedSentences {
  words: JudgedWord[];
  judge: JudgeRecord | null;
}

interface SentenceRequest {
  title: string | undefined;
  request: string;
  sentences: readonly string[];
  /** Without an answer no judge is asked. */
  answer: string | null;
}

/** Puts each sentence to a judge, with the request and the answer. */
export async function askAboutSentences(
  { title, request, sentences, answer }: SentenceRequest,
  judge: JudgeModel,
  asking: { trial: number; signal: AbortSignal },
): Promise<JudgedSentences> {
  const words: JudgedWord[] = [];
  const records: JudgeRecord[] = [];
  for (const rubric of answer === null ? [] : sentences) {
    const question = { description: title, input: request, rubric, reference: undefined, output: answer };
    const judgment = await askCheckedJudge(question, judge, asking);
    records.push(judgment.judge);
    if (judgment.score === null) words.push({ pass: null, reason: judgment.message, cause: judgment.cause });
    else words.push({ pass: judgment.score >= defaultPassThreshold, reason: judgment.reason ?? "" });
  }
  return { words, judge: records.length === 0 ? null : sumRecords(judge.model.id, records) };
}

/** The decisions from an earlier grading: a judge is not asked twice about the same answer. */
export function storedWords(
  checks: DimensionScore["checks"] | undefined,
  failures: CaseReport["failures"],
  isOfJudge: (failure: Failure) => boolean,
): JudgedWord[] | undefined {
  const reasons = failures.filter(isOfJudge).map(({ actual }) => String(actual));
  return checks?.map(({ status }) => ({
    pass: status === "not_observed" ? null : status === "pass",
    reason: status === "fail" ? (reasons.shift() ?? "") : "",
  }));
}

/** Who judges a case; null where it needs no judge, or there is none. */
export type JudgeOfCase = (loaded: LoadedCase) => JudgeModel | null;

/** Opens the judges that cases name, and the one of the run for those that need one and name none. */
export async function openCaseJudges(
  cases: readonly LoadedCase[],
  ofRun: string | null,
  judges: Judges,
): Promise<JudgeOfCase> {
  const opened = new Map<string, JudgeModel>();
  for (const loaded of cases) {
    const id = judgeName(loaded, ofRun);
    if (id !== null && !opened.has(id)) opened.set(id, await openNamed(id, loaded, ofRun, judges));
  }
  return (loaded) => opened.get(judgeName(loaded, ofRun) ?? "") ?? null;
}

function judgeName(loaded: LoadedCase, ofRun: string | null): string | null {
  switch (loaded.kind) {
    case "agent":
      return (loaded.case.expect.rubric ?? []).length > 0 ? ofRun : null;
    case "conversation": {
      const { contract = false, judge = ofRun } = loaded.case.expect.output ?? {};
      return contract ? judge : null;
    }
    default:
      return null;
  }
}

async function openNamed(id: string, loaded: LoadedCase, ofRun: string | null, judges: Judges) {
  try {
    return await judges.modelFor(id);
  } catch (error) {
    if (!(error instanceof UserError) || id === ofRun || error.jsonPath !== null) throw error;
    const { shown, jsonPath } = loaded;
    throw new UserError(error.code, `${shown}: case ${loaded.case.id}: ${error.message}`, {
      path: shown,
      jsonPath: `${jsonPath}.expect.output.judge`,
      hint: error.hint ?? undefined,
      cause: error,
    });
  }
}
