import { isMap } from "../base/is-map.ts";
import { parseStrictJson } from "../base/strict-json.ts";
import { shorten } from "../base/visible-text.ts";
import type { Score, Unscored } from "../contract/score.ts";

/** Reads what `scorer-process.mjs` says about a module: its answer, or that it threw. */
export function readModuleReply(text: string, passThreshold: number): Score {
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return badResult(parsed.problem);
  const { kind, value, message } = parsed.value as { kind: string; value?: unknown; message?: string };
  if (kind === "answer") return readScore(value, passThreshold);
  if (kind === "threw")
    return { score: null, cause: "scorer-crashed", message: shorten(`the scorer threw: ${message}`, 500) };
  return badResult(`its answer cannot be read: ${message}`);
}

/** Reads what a command printed. */
export function readScoreText(text: string, passThreshold: number): Score {
  if (text.trim() === "") return badResult("it printed nothing");
  const parsed = parseStrictJson(text);
  return parsed.ok
    ? readScore(parsed.value, passThreshold)
    : badResult(`its reply is no JSON: ${parsed.problem}`);
}

/** The failure of a scorer that answered with something other than a score. */
export function badResult(problem: string): Unscored {
  return { score: null, cause: "scorer-bad-result", message: shorten(problem, 500) };
}

/** boolean | number | {score, passed?, reason?}, and nothing that merely resembles it. */
function readScore(answer: unknown, passThreshold: number): Score {
  if (typeof answer === "boolean") return { score: answer ? 1 : 0, passed: answer, reason: null };
  const {
    score,
    passed,
    reason = null,
  }: Record<string, unknown> = isMap(answer) ? answer : { score: answer };
  if (typeof score !== "number" || !(score >= 0 && score <= 1))
    return badResult(`a score is a number from 0 to 1, not ${show(score)}`);
  if (passed !== undefined && typeof passed !== "boolean")
    return badResult(`passed is true or false, not ${show(passed)}`);
  if (reason !== null && typeof reason !== "string")
    return badResult(`a reason is a text, not ${show(reason)}`);
  return {
    score,
    passed: passed ?? score >= passThreshold,
    reason: reason === null ? null : shorten(reason, 1000),
  };
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const { notJson } = Object(value) as { notJson?: unknown };
  return typeof notJson === "string" ? notJson : shorten(JSON.stringify(value), 80);
}
