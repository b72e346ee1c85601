import type { Answer, Score, Scorer } from "../contract/scorer.ts";
import { UserError } from "../shared/user-error.ts";
import { askCheckedJudge } from "./llm-judge-ask.ts";
import { promptVersion } from "./llm-judge-question.ts";
import { defaultPassThreshold } from "./llm-judge-verdict.ts";
import { memberPath, type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Asks a model how well an answer meets a rubric. Without a usable reply there is no score; none is invented. */
export async function llmJudge(request: ScorerRequest): Promise<Scorer> {
  const { judgePrompt: rubric = "", value: reference } = request.task.expectedOutput;
  if (rubric.trim() === "") throw vacuous(request, ".expectedOutput.judgePrompt", "llm_judge needs a rubric");
  const { passThreshold = defaultPassThreshold } = request.task.evaluator ?? {};
  const judge = await openJudge(request);
  const { model, temperature } = judge;

  async function score({ task, output, trial, signal }: Answer): Promise<Score> {
    const { description, inputData: input } = task;
    const question = { description, input, rubric, reference, output };
    const judgment = await askCheckedJudge(question, judge, { trial, signal });
    if (judgment.score === null) return judgment;
    return { ...judgment, passed: judgment.score >= passThreshold };
  }

  return {
    type: "llm_judge",
    identity: {
      type: "llm_judge",
      rubric,
      ...(reference !== undefined && { reference }),
      passThreshold,
      model: model.identity,
      temperature,
      promptVersion,
    },
    score,
  };
}

/** Opens the judge. An invalid model id is reported as an error of the task that names it. */
async function openJudge({ task, part, file, jsonPath, modelFor }: ScorerRequest) {
  const id = task.evaluator?.model;
  try {
    return await modelFor(id);
  } catch (error) {
    if (!(error instanceof UserError) || id === undefined || error.jsonPath !== null) throw error;
    throw new UserError(error.code, `task ${task.id}: ${error.message}`, {
      path: file,
      jsonPath: `${jsonPath}${memberPath(part, ".evaluator.model")}`,
      hint: error.hint ?? undefined,
      cause: error,
    });
  }
}
