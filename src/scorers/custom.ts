import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import * as z from "zod";
import type { ProgramProbing } from "../contract/probing.ts";
import type { Answer, Score, Scorer, Unscored } from "../contract/scorer.ts";
import { type SeenOutcome, seenOutcomes } from "../contract/seen-outcome.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { findScorerProgram, type ScorerProgram } from "./find-scorer-program.ts";
import { isOneOf } from "./probe-expectation.ts";
import {
  replyAfter,
  runScorerProcess,
  type ScorerEnd,
  scorerCommand,
  wholeReply,
} from "./run-scorer-process.ts";
import { badResult, readModuleReply, readProbeReply, readScoreText } from "./score-reply.ts";
import { invalid, type ScorerRequest } from "./scorer-request.ts";
import { steadyFiles } from "./steady-files.ts";

/** Asks a module or a command of the suite's author for the score, in a process of its own for every answer. */
export async function custom(request: ScorerRequest): Promise<Scorer> {
  const program = await findScorerProgram(request);
  const { timeoutMs = 5000, passThreshold = 1 } = request.task.evaluator ?? {};
  const steadily = steadyFiles(program.files, dirname(request.file));
  const asked = { program, request, timeoutMs };
  const sees = request.task.evaluator?.sees ?? (await exportedSees(asked));

  async function scoreOnce(answer: Answer): Promise<Score> {
    const end = await ask(asked, describeAnswer(answer), []);
    if (end.status !== "replied") return withoutReply(end, timeoutMs);
    return program.kind === "module"
      ? unlessHindered(readModuleReply(end.text, passThreshold, dirname(request.file)), asked)
      : readScoreText(end.text, passThreshold);
  }

  return {
    type: "custom",
    identity: {
      type: "custom",
      ...program.identity,
      passThreshold,
      timeoutMs,
      ...(sees && { sees: [...sees] }),
    },
    ...(sees && { sees }),
    ...(!request.sandbox.startsNothing && { programProbing: programProbing(asked, passThreshold) }),
    score: (answer) => steadily(() => scoreOnce(answer)),
  };
}

interface ProgramRequest {
  program: ScorerProgram;
  request: ScorerRequest;
  timeoutMs: number;
}

/** A module that threw for want of something that the sandbox hides. */
function unlessHindered(score: Score, { program, request, timeoutMs }: ProgramRequest): Score {
  if (score.score !== null || score.cause !== "scorer-crashed") return score;
  const command = scorerCommand({ ...program, cwd: dirname(request.file), timeoutMs });
  const hindrance = request.sandbox.explain?.(command, { words: score.message });
  if (!hindrance) return score;
  return { ...score, cause: "sandbox-hid", message: `${hindrance.why} (${score.message})` };
}

function ask(
  { program, request, timeoutMs }: ProgramRequest,
  question: unknown,
  options: readonly string[],
): Promise<ScorerEnd> {
  const nonce = randomBytes(16).toString("hex");
  const text = JSON.stringify(question);
  return runScorerProcess({
    sandbox: request.sandbox,
    argv: [...program.argv, ...options],
    cwd: dirname(request.file),
    reads: program.reads,
    timeoutMs,
    input: program.kind === "module" ? `${nonce}\n${text}` : text,
    collector: program.kind === "module" ? replyAfter(nonce) : wholeReply(),
  });
}

/** A module is asked about all answers in one process, a program in one for each, so fewer of its cases are tried. */
function programProbing(asked: ProgramRequest, passThreshold: number): ProgramProbing {
  const { program, request, timeoutMs } = asked;
  const { task } = request;
  const { value } = task.expectedOutput;
  const question = (output: Json) =>
    describeAnswer({ task, output, latencyMs: 0, trial: 1, signal: new AbortController().signal });
  const inEvaluator = task.evaluator?.customScorerPath !== undefined;
  const isModule = program.kind === "module";
  return {
    member: isModule
      ? `.${inEvaluator ? "evaluator" : "expectedOutput"}.customScorerPath`
      : ".evaluator.command",
    program: canonicalJson(program.identity),
    maxCases: isModule ? 20 : 1,
    isRight: value === undefined ? () => false : isOneOf([value]),
    readsWrappers: isModule,
    advice: "compare the answer with what is expected",
    async ask(answers) {
      const questions = answers.map(question);
      const nothing = answers.map(() => null);
      if (isModule) {
        const end = await ask(asked, questions, ["--probe"]);
        if (end.status !== "replied")
          return { passed: nothing, problem: withoutReply(end, timeoutMs).message };
        const read = readProbeReply(end.text, passThreshold);
        return typeof read === "string" ? { passed: nothing, problem: read } : read;
      }
      const scores = await Promise.all(
        questions.map(async (one) => {
          const end = await ask(asked, one, []);
          return end.status === "replied"
            ? readScoreText(end.text, passThreshold)
            : withoutReply(end, timeoutMs);
        }),
      );
      const [problem = null] = scores.flatMap((score) => (score.score === null ? [score.message] : []));
      return { passed: scores.map((score) => (score.score === null ? null : score.passed)), problem };
    },
  };
}

/** What the export `sees` of a module says. Only a module whose text has the word is started for it, once per run. */
async function exportedSees(asked: ProgramRequest): Promise<readonly SeenOutcome[] | undefined> {
  const { program, request } = asked;
  if (program.kind !== "module" || !program.mentionsSees || request.sandbox.startsNothing) return undefined;
  const known = declared.get(request.sandbox) ?? new Map<string, Promise<ScorerEnd>>();
  declared.set(request.sandbox, known);
  const key = canonicalJson(program.identity);
  const asking = known.get(key) ?? ask({ ...asked, timeoutMs: describingMs }, [], ["--probe"]);
  known.set(key, asking);
  const end = await asking;
  const read =
    end.status === "replied" ? readProbeReply(end.text, 1) : withoutReply(end, describingMs).message;
  const refuse = (problem: string) => invalid(request, "", `the scorer ${program.argv.at(-1)}: ${problem}`);
  if (typeof read === "string") throw refuse(`its export \`sees\` could not be read: ${read}`);
  if (read.sees === null) return undefined;
  const parsed = SeesExport.safeParse(read.sees);
  if (parsed.success) return parsed.data;
  throw refuse(`\`sees\` is a list of ${seenOutcomes.join(", ")}`);
}

const describingMs = 10_000;
const SeesExport = z.array(z.enum(seenOutcomes)).min(1);
/** A program is asked once per run, however many tasks it scores. */
const declared = new WeakMap<ScorerRequest["sandbox"], Map<string, Promise<ScorerEnd>>>();

function describeAnswer({ task, output, failure, latencyMs }: Answer) {
  const expected = task.expectedOutput?.value ?? null;
  return { task, input: task.inputData, output, outcome: describeOutcome(failure), expected, latencyMs };
}

function describeOutcome(failure: Answer["failure"]) {
  if (failure === undefined) return { status: "answer", code: null, message: null, httpStatus: null };
  const { status, code, message, statusCode } = failure;
  return { status, code, message, httpStatus: code === "http-status" ? statusCode : null };
}

function withoutReply(end: Exclude<ScorerEnd, { status: "replied" }>, timeoutMs: number): Unscored {
  switch (end.status) {
    case "overran":
      return {
        score: null,
        cause: "scorer-timeout",
        message: `the scorer gave no answer within ${timeoutMs} ms`,
      };
    case "refused":
      return { score: null, cause: "sandbox-refused", message: end.message };
    case "hindered":
      return { score: null, cause: "sandbox-hid", message: end.message };
    case "crashed":
      return { score: null, cause: "scorer-crashed", message: end.message };
    case "unreadable":
      return badResult(end.message);
    default:
      return end satisfies never;
  }
}
