import { type PlannedCase, type Subject, subjectName } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import type { Level, SuiteRun } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { planCells } from "./plan-cells.ts";
import type { PreparedRun } from "./prepared-run.ts";

/** For runs in which no skill is executed on this machine. */
export const nothingRuns: Containment = { level: "off", backend: null, network: "none", unproven: [] };

/** What a suite must define; the rest has defaults. */
export type PlainSuite<Case extends PlannedCase> = Pick<SuiteRun<Case>, "execute" | "score"> &
  Partial<SuiteRun<Case>> & {
    level: Level;
    id: string;
    subjects: readonly Subject[];
    cases: readonly Case[];
    trials?: number;
    deadlineMs?: number;
    /** What else decides about every cell. */
    keyPart?: Json;
  };

/** A suite in which every subject has every case, unless `casesOf` says otherwise: keys, digests and log lines are derived from it. */
export function plainSuite<Case extends PlannedCase>(facts: PlainSuite<Case>): SuiteRun<Case> {
  const { level, id, subjects, cases, trials = 1, deadlineMs = 30_000, keyPart, ...own } = facts;
  const { casesOf = () => cases } = own;
  const cells = planCells({
    level,
    id,
    subjects,
    casesOf,
    trialsOf: () => trials,
    deadlineOf: () => deadlineMs,
    keyOf: ({ skillId, skillDigest, model, arm }, { id: caseId, digest }, trial) =>
      sha256(
        canonicalJson({
          level: level.name,
          id,
          skillId,
          skillDigest,
          model,
          arm,
          caseId,
          digest,
          trial,
          deadlineMs,
          ...(keyPart !== undefined && { keyPart }),
        }),
      ),
  });
  const planned = own.casesOf === undefined ? cases : subjects.flatMap((subject) => casesOf(subject));
  return {
    level,
    id,
    version: "",
    digest: sha256(canonicalJson(planned.map(({ id: caseId, digest }): Json => [caseId, digest]))),
    subjects,
    casesOf,
    trials: cells.trials,
    cells,
    retries: 0,
    scoring: { scoringMethod: "mean", k: 1, maxLatencyMs: deadlineMs },
    stampOf: () => null,
    lineOf: plainLine,
    isPartial: false,
    ...own,
  };
}

function plainLine(result: CellResult) {
  const { level, suite, caseId, trial, key, status, cause, score, latencyMs, finishedAt } = result;
  const skillId = subjectName(result);
  return {
    kind: level,
    skillId,
    suite,
    caseId,
    trial,
    cellKey: key,
    verdict: status,
    cause,
    score,
    latencyMs,
    ts: finishedAt,
  };
}

/** A prepared run that starts no process and asks no model, but for what is given. */
export function plainRun(given: Pick<PreparedRun, "suites"> & Partial<PreparedRun>): PreparedRun {
  return {
    containment: nothingRuns,
    secrets: [],
    redact: (value) => value,
    warnings: [],
    skipped: [],
    seed: 0,
    skillIds: [],
    models: [],
    conditions: () => ({}),
    settings: () => ({}),
    [Symbol.asyncDispose]: async () => {},
    ...given,
  };
}
