import type { Probing } from "../contract/probing.ts";
import type { Score, Scorer, Unscored } from "../contract/scorer.ts";
import type { Json } from "../shared/json/json.ts";
import { matchInThread, matchLimitMs } from "../shared/json/match-in-thread.ts";
import { shorten, shortenWords } from "../shared/text/visible-text.ts";
import { singleAnswer } from "./answer-value.ts";
import { invalid, type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes an answer whose text every pattern matches; each match runs in a thread that can be stopped. */
export function regex(request: ScorerRequest): Scorer {
  const { flags = "" } = request.task.evaluator ?? {};
  const patterns = readPatterns(request, flags);

  async function score(output: Json): Promise<Score> {
    const text = searchedText(output);
    const { missed, problem } = await findMissed(patterns, flags, text);
    if (problem !== null) return problem;
    return {
      score: (patterns.length - missed.length) / patterns.length,
      passed: missed.length === 0,
      reason: missed.length === 0 ? null : shortenWords(`no match for ${missed.join(", ")}`, 400),
    };
  }

  return {
    type: "regex",
    identity: { type: "regex", patterns, flags },
    probing: {
      ...patternProbing(patterns, flags, searchedText),
      member: ".expectedOutput.patterns",
    },
    score: ({ output }) => score(output),
  };
}

function searchedText(output: Json): string {
  const answer = singleAnswer(output, null);
  return typeof answer === "string" ? answer : JSON.stringify(answer);
}

/** How patterns are tried: all of them have to match the text of an answer. */
export function patternProbing(
  patterns: readonly string[],
  flags: string,
  textOf: (answer: Json) => string | null,
): Omit<Probing, "member"> {
  let expressions: RegExp[] | null = null;
  const exact = patterns.flatMap((pattern) => literal.exec(pattern)?.[1] ?? []);
  return {
    accepts(answer) {
      const text = textOf(answer);
      if (text === null) return false;
      expressions ??= patterns.map((pattern) => new RegExp(pattern, flags));
      return expressions.every((expression) => {
        expression.lastIndex = 0;
        return expression.test(text);
      });
    },
    isRight: (answer) => exact.includes(textOf(answer) ?? ""),
    mayTakeLong: true,
    advice: "anchor the pattern with ^ and $ and name more of the answer, or add a second one",
  };
}

/** A pattern that is one text, whole. */
const literal = /^\^([^\\.*+?()[\]{}|^$]*)\$$/;

/** The patterns that do not match a text, or why that cannot be determined. */
export async function findMissed(
  patterns: readonly string[],
  flags: string,
  text: string,
): Promise<{ missed: string[]; problem: Unscored | null }> {
  const missed: string[] = [];
  const broken = (problem: Unscored) => ({ missed, problem });
  for (const pattern of patterns) {
    const end = await matchInThread({ pattern, flags, text });
    if (end.status === "overran")
      return broken(unscored("scorer-timeout", `${show(pattern)} ran longer than ${matchLimitMs} ms`));
    if (end.status === "broken")
      return broken(unscored("scorer-crashed", `${show(pattern)}: ${end.problem}`));
    if (!end.isMatch) missed.push(show(pattern));
  }
  return { missed, problem: null };
}

const maxPatternLength = 1000;

/** The patterns of a task; each compiles, and none is empty. */
export function readPatterns(request: ScorerRequest, flags: string): string[] {
  const { patterns = [] } = request.task.expectedOutput;
  if (patterns.length === 0)
    throw vacuous(request, ".expectedOutput.patterns", "`patterns` needs at least one pattern");
  const flagProblem = compileProblem("", flags);
  if (flagProblem !== null) throw invalid(request, ".evaluator.flags", flagProblem);
  for (const [index, pattern] of patterns.entries()) {
    const path = `.expectedOutput.patterns[${index}]`;
    if (pattern === "") throw vacuous(request, path, "an empty pattern matches any text");
    if (pattern.length > maxPatternLength)
      throw invalid(request, path, `the pattern is longer than ${maxPatternLength} characters`);
    const problem = compileProblem(pattern, flags);
    if (problem !== null) throw invalid(request, path, problem);
  }
  return patterns;
}

function compileProblem(pattern: string, flags: string): string | null {
  try {
    new RegExp(pattern, flags);
    return null;
  } catch (error) {
    return shortenWords((error as Error).message, 300);
  }
}

function unscored(cause: "scorer-timeout" | "scorer-crashed", message: string): Unscored {
  return { score: null, cause, message: shortenWords(message, 400) };
}

function show(pattern: string): string {
  return shorten(`/${pattern}/`, 80);
}
