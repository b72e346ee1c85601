import { type CauseCode, reportedFaults } from "../contract/cause.ts";
import type { Probing } from "../contract/probing.ts";
import type { Score, Scorer, SeenFailure } from "../contract/scorer.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import { findMissed, patternProbing, readPatterns } from "./regex.ts";
import { invalid, type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes a call that fails as the task demands. It decides about every outcome, so none is retried. */
export function expectedError(request: ScorerRequest): Scorer {
  const expected = readExpectation(request);
  const { codes, statuses, texts, patterns, flags, retryable, caseSensitive } = expected;
  const wanted = describeExpectation(expected);

  async function score(failure: SeenFailure | undefined): Promise<Score> {
    if (failure === undefined) return unmet(`answered, but an error was expected: ${wanted}`);
    const { missed, problem } = await findMissed(patterns, flags, failure.message);
    if (problem !== null) return problem;
    const isMet = isMeant(failure, codes) && differs(failure) === null && missed.length === 0;
    if (isMet) return { score: 1, passed: true, reason: "failed as expected" };
    return unmet(`expected ${wanted}; got ${describeFailure(failure)}`);
  }

  function differs({ statusCode, message, isRetryable }: SeenFailure): string | null {
    if (statuses.length > 0 && (statusCode === null || !statuses.includes(statusCode))) return "status";
    if (retryable !== null && retryable !== isRetryable) return "retryable";
    const tidy = (text: string) => (caseSensitive ? text : text.toLowerCase());
    const said = tidy(message);
    return texts.every((text) => said.includes(tidy(text))) ? null : "message";
  }

  return {
    type: "error",
    identity: { type: "error", ...expected },
    sees: ["answer", "error", "timeout"],
    ...(codes.length === 0 && statuses.length === 0 && { probing: messageProbing(expected) }),
    score: ({ failure }) => score(failure),
  };
}

interface ExpectedError {
  codes: string[];
  statuses: number[];
  texts: string[];
  patterns: string[];
  flags: string;
  retryable: boolean | null;
  caseSensitive: boolean;
}

/** Errors with a code or a status are told apart by it; with words alone, any message may turn out to have them. */
function messageProbing({ texts, patterns, flags, caseSensitive }: ExpectedError): Probing {
  const matches = patternProbing(patterns, flags, (message) =>
    typeof message === "string" ? message : null,
  );
  const tidy = (text: string) => (caseSensitive ? text : text.toLowerCase());
  return {
    member: patterns.length > 0 ? ".expectedOutput.patterns" : ".expectedOutput.contains",
    accepts: (message) =>
      typeof message === "string" &&
      texts.every((text) => tidy(message).includes(tidy(text))) &&
      matches.accepts(message),
    others: ["HTTP 500: Internal Server Error", "Internal error (code -32603)"],
    mayTakeLong: patterns.length > 0,
    advice: "name the code or the status too",
  };
}

/** Failures that the skill did not report are expected by their name alone. */
function isMeant({ code, isReported }: SeenFailure, codes: readonly string[]): boolean {
  return codes.length === 0 ? isReported : codes.includes(code) && (isReported || isUnreported(code));
}

function unmet(reason: string): Score {
  return { score: 0, passed: false, reason: shortenWords(reason, 500) };
}

const quote = (text: string) => JSON.stringify(text);

function describeExpectation(expected: ExpectedError): string {
  const { codes, statuses, texts, patterns, retryable } = expected;
  const parts = [
    ...(codes.length === 0 ? [] : [codes.join(" or ")]),
    ...(statuses.length === 0 ? [] : [`status ${statuses.join(" or ")}`]),
    ...(texts.length === 0 ? [] : [`a message with ${texts.map(quote).join(" and ")}`]),
    ...(patterns.length === 0
      ? []
      : [`a message that matches ${patterns.map((one) => `/${one}/`).join(" and ")}`]),
    ...(retryable === null ? [] : [retryable ? "retryable" : "not retryable"]),
  ];
  return shortenWords(parts.join(", "), 250);
}

function describeFailure({ code, statusCode, message, isRetryable }: SeenFailure): string {
  const status = statusCode === null ? "" : `, status ${statusCode}`;
  return `${code}${status}${isRetryable ? ", retryable" : ""}: ${message}`;
}

/** What a skill does not report can be expected too, where the task names it. */
const unreportedCodes = ["deadline", "crash", "tool-crashed"] as const satisfies readonly CauseCode[];
const knownCodes: readonly string[] = [...reportedFaults, ...unreportedCodes];

function isUnreported(code: string): boolean {
  return (unreportedCodes as readonly string[]).includes(code);
}

/** A model reads `timeout` where a tool passed its deadline, so tasks may call it that. */
const otherNames: ReadonlyMap<string, string> = new Map([["timeout", "deadline"]]);

function readExpectation(request: ScorerRequest): ExpectedError {
  const { code, status, contains, patterns, retryable = null } = request.task.expectedOutput;
  const { caseSensitive = false, flags = "" } = request.task.evaluator ?? {};
  const member = (name: string) => `.expectedOutput.${name}`;
  if (code === undefined && status === undefined && contains === undefined && patterns === undefined)
    throw vacuous(
      request,
      ".expectedOutput",
      "an expected error needs a code, a status, or contains or patterns for its message",
    );
  const { adapters } = request;
  if (adapters !== undefined && adapters.length === 0)
    throw invalid(request, "", "an error is expected of a skill that is never called");
  const list = <Value>(value: Value | Value[] | undefined, name: string): Value[] => {
    const all = value === undefined ? [] : Array.isArray(value) ? value : [value];
    if (value !== undefined && all.length === 0) throw vacuous(request, member(name), `\`${name}\` is empty`);
    return all;
  };
  const codes = list(code, "code").map((one) => {
    if (one === "") throw vacuous(request, member("code"), "`code` is empty");
    const known = otherNames.get(one) ?? one;
    if (knownCodes.includes(known)) return known;
    throw invalid(
      request,
      member("code"),
      `no skill reports the error ${JSON.stringify(one)}`,
      didYouMean(one, [...knownCodes, ...otherNames.keys()]),
    );
  });
  const texts = list(contains, "contains");
  if (texts.includes("")) throw vacuous(request, member("contains"), "an empty text matches any message");
  const statuses = list(status, "status");
  const wantsMessage = texts.length > 0 || patterns !== undefined;
  if (codes.includes("crash") && statuses.length === 0 && !wantsMessage)
    throw vacuous(
      request,
      member("code"),
      "any crash would do: a broken skill passes",
      "add its exit code as `status`, or `contains` with words of its message",
    );
  return {
    codes,
    statuses,
    texts,
    patterns: patterns === undefined ? [] : readPatterns(request, flags),
    flags,
    retryable,
    caseSensitive,
  };
}
