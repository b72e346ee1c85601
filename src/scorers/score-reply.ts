import type { Score, Unscored } from "../contract/scorer.ts";
import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shortenWords } from "../shared/text/visible-text.ts";

/** Reads what `scorer-process.mjs` says about a module: its answer, or that it threw. */
export function readModuleReply(text: string, passThreshold: number, folder: string): Score {
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return badResult(parsed.problem);
  const { kind, value, message, stack } = parsed.value as ModuleReply;
  if (kind === "answer") return readScore(value, passThreshold);
  if (kind === "threw") return threw(message ?? "", stack ?? "", folder);
  return badResult(`cannot read the scorer's answer: ${message}`);
}

/** What a module said to several answers, and which outcomes it declares to see. */
export interface ProbedModule {
  sees: unknown;
  /** Null where it broke instead of answering. */
  passed: (boolean | null)[];
  /** The first thing that went wrong; null if nothing did. */
  problem: string | null;
}

/** Reads the reply to several questions at once. */
export function readProbeReply(text: string, passThreshold: number): ProbedModule | string {
  const parsed = parseStrictJson(text);
  if (!parsed.ok) return parsed.problem;
  const { kind, value, message } = parsed.value as ModuleReply;
  if (kind === "threw") return `it threw: ${message}`;
  if (kind !== "probed") return `cannot read its answer: ${message}`;
  const { sees, values } = value as { sees: unknown; values: { threw?: string }[] };
  const scores = values.map((one) => (one.threw === undefined ? readScore(one, passThreshold) : one.threw));
  const [problem] = scores.flatMap((score) =>
    typeof score === "string" ? [`it threw: ${score}`] : score.score === null ? [score.message] : [],
  );
  return {
    sees,
    passed: scores.map((score) => (typeof score === "string" || score.score === null ? null : score.passed)),
    problem: problem ?? null,
  };
}

interface ModuleReply {
  kind: string;
  value?: unknown;
  message?: string;
  stack?: string;
}

/** Where a strict sandbox shows the folder of the suite. */
const shownFolder = "file:///skill/";

/** Where a scorer threw is in the message; the frames of its stack, without those of ours, are for `--verbose`. */
function threw(message: string, stack: string, folder: string): Unscored {
  const frames = stack
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at ") && !/node:internal|scorer-process\.mjs/.test(line))
    .map((line) => line.replaceAll(shownFolder, "").replaceAll("file://", "").replaceAll(`${folder}/`, ""));
  const [, at] = /([^\s()]+:\d+:\d+)\)?$/.exec(frames[0] ?? "") ?? [];
  const where = at === undefined ? "" : ` (at ${at})`;
  return {
    score: null,
    cause: "scorer-crashed",
    message: `${shortenWords(`the scorer threw: ${message}`, 500)}${where}`,
    ...(frames.length > 0 && { details: { scorerStack: frames.join("\n") } }),
  };
}

/** Reads what a command printed. */
export function readScoreText(text: string, passThreshold: number): Score {
  if (text.trim() === "") return badResult("the scorer printed nothing");
  const parsed = parseStrictJson(text);
  return parsed.ok
    ? readScore(parsed.value, passThreshold)
    : badResult(`the scorer's output is not JSON: ${parsed.problem}`);
}

/** The failure of a scorer that answered with something other than a score. */
export function badResult(problem: string): Unscored {
  return { score: null, cause: "scorer-bad-result", message: shortenWords(problem, 500) };
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
    return badResult(`score must be a number from 0 to 1, got ${show(score)}`);
  if (passed !== undefined && typeof passed !== "boolean")
    return badResult(`passed must be true or false, got ${show(passed)}`);
  if (reason !== null && typeof reason !== "string")
    return badResult(`reason must be a string, got ${show(reason)}`);
  if (passed === true && score === 0)
    return {
      score: null,
      cause: "scorer-contradiction",
      message: "the scorer says passed: true with score 0; make it score what it passes",
    };
  return {
    score,
    passed: passed ?? score >= passThreshold,
    reason: reason === null ? null : shortenWords(reason, 1000),
  };
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const { notJson } = Object(value) as { notJson?: unknown };
  return typeof notJson === "string" ? notJson : shortenWords(JSON.stringify(value), 80);
}
