import type { PlanAttempt, PlanResult } from "../src/contract/planbench-report.ts";

export const wrongAnchor = { pointer: "/actions/2/anchor", reason: "must be equal to constant" };
export const noTitle = { pointer: "/actions/0/title", reason: "is required" };

export function sampleAttempt(given: Partial<PlanAttempt> = {}): PlanAttempt {
  const { violations = [] } = given;
  return {
    valid: violations.length === 0,
    ms: 840,
    tokens: 412,
    violations,
    executed: null,
    answeredBy: "gpt-5-mini-2026-01-15",
    ...given,
  };
}

/** A sample whose first plan was valid, but for what is given; its outcome follows from its status and its attempts. */
export function samplePlanResult(given: Partial<PlanResult> = {}): PlanResult {
  const { caseId = "wps-block", sample = 1, attempts = [sampleAttempt()], outcome = "ok" } = given;
  const repairs = outcome === "ok" ? attempts.length - 1 : null;
  const ms = attempts.reduce((sum, attempt) => sum + (attempt.ms ?? 0), 0);
  return {
    caseId,
    sample,
    route: "routed",
    host: "wps",
    tags: ["block"],
    outcome,
    repairs,
    status: outcome === "ok" ? "pass" : outcome === "fail" ? "fail" : "invalid",
    cause: outcome === "error" ? "provider-error" : null,
    problem: outcome === "error" ? "HTTP 500 from api.example.com" : null,
    ms,
    firstMs: attempts[0]?.ms ?? null,
    tokens: sumTokens(attempts),
    claimedOk: null,
    selected: given.route === "fixed" ? null : ["doc-formatter"],
    attempts,
    violations: attempts.at(-1)?.violations ?? [],
    caseDigest: `sha256:${caseId}`,
    cellKey: `sha256:${caseId}${sample}`,
    ...given,
  };
}

function sumTokens(attempts: readonly PlanAttempt[]): PlanResult["tokens"] {
  const known = attempts.map(({ tokens }) => tokens).filter((tokens) => tokens !== null);
  if (known.length < attempts.length || attempts.length === 0) return null;
  const total = known.reduce((sum, tokens) => sum + tokens, 0);
  const first = known[0] ?? 0;
  return { first, repairs: total - first, total };
}
