import type { Dimension } from "../../contract/agent-case.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { CaseReport, Check, DimensionScore, Failure } from "../../contract/agent-report.ts";
import type { Json } from "../../shared/json/json.ts";

/** What is wrong, with the events that show it. */
export interface Fault {
  code: string;
  message: string;
  expected: Json;
  actual: Json;
  at?: readonly AgentEvent[];
}

/** The result of one check of a run. */
export interface CheckResult {
  /** What is checked, as a report lists it: `forbid write_file`. */
  name: string;
  /** Whether a field of the case requires it. */
  isRequired: boolean;
  /** False where nothing in the run could have failed it. */
  exercised: boolean;
  /** Tried, and refused. */
  attempted?: boolean;
  faults: readonly Fault[];
  /** Only listed: that it is unseen decides nothing. */
  isNote?: boolean;
  /** Why there is no evidence; null where there is. A fault that is seen counts all the same. */
  unseen: string | null;
}

/** For what has to be there: its absence is a fault, or says nothing where the run is silent about such things. */
export function owed(
  isThere: boolean,
  silence: string | null,
  fault: () => Fault,
): Pick<CheckResult, "faults" | "unseen"> {
  if (isThere) return { faults: [], unseen: null };
  return silence === null ? { faults: [fault()], unseen: null } : { faults: [], unseen: silence };
}

/** A dimension as judged, with all that its score leaves out. */
export interface Judged<Name extends Failure["dimension"] = Dimension> {
  dimension: Name;
  score: DimensionScore;
  faults: readonly Fault[];
  /** Checks that the case or the run asserts and that lack evidence, each with the reason. */
  unseen: readonly string[];
  /** Checks that the case asks for and that nothing put to the test. */
  idle: readonly string[];
}

/** Folds check results into the score of a dimension. `isAsserted`: every check must have evidence, whoever asks for it. */
export function judge<Name extends Failure["dimension"]>(
  dimension: Name,
  results: readonly CheckResult[],
  { isAsserted, isDemanded }: { isAsserted: boolean; isDemanded: boolean },
): Judged<Name> {
  const checks = results.map(toCheck);
  const unseen = results.filter(
    ({ isRequired, isNote }, n) => isNote !== true && (isAsserted || isRequired) && isUnseen(checks[n]),
  );
  const status = dimensionStatus(checks, unseen.length > 0, isDemanded);
  return {
    dimension,
    score: { status, pass: toPass(status), checks },
    faults: results.flatMap(({ faults }) => faults),
    unseen:
      status === "not_observed" && checks.length === 0
        ? ["the run has no evidence for it"]
        : unseen.map(({ name, unseen: why }) => `${name}: ${why}`),
    idle: results.filter(({ isRequired, exercised }) => isRequired && !exercised).map(({ name }) => name),
  };
}

/** `pass` beside a status: null where there is neither yes nor no. */
export function toPass(status: DimensionScore["status"]): boolean | null {
  return status === "pass" ? true : status === "fail" ? false : null;
}

function toCheck({ name, exercised, attempted, faults, isNote, unseen }: CheckResult): Check {
  return {
    name,
    status: faults.length > 0 ? "fail" : unseen !== null ? "not_observed" : "pass",
    exercised,
    ...(attempted === true && { attempted }),
    ...(isNote === true && unseen !== null && { note: unseen }),
  };
}

function dimensionStatus(
  checks: readonly Check[],
  lacksEvidence: boolean,
  isDemanded: boolean,
): DimensionScore["status"] {
  if (checks.some(({ status }) => status === "fail")) return "fail";
  // What a case demands to see and a run does not show was not observed, also where nothing else asks for it.
  if (checks.length === 0) return isDemanded ? "not_observed" : "not_applicable";
  if (lacksEvidence || checks.every(isUnseen)) return "not_observed";
  return "pass";
}

function isUnseen(check: Check | undefined): boolean {
  return check?.status === "not_observed";
}

/** Seven dimensions of which nothing is known. */
export function unseenScores(): CaseReport["scores"] {
  return uniformScores("not_observed");
}

/** Seven dimensions that do not concern a case. */
export function idleScores(): CaseReport["scores"] {
  return uniformScores("not_applicable");
}

function uniformScores(status: "not_observed" | "not_applicable"): CaseReport["scores"] {
  const score = (): DimensionScore => ({ status, pass: null, checks: [] });
  return {
    trigger: { status, pass: null, precision: null, recall: null, selected: [], rejected: [], checks: [] },
    sequence: score(),
    disclosure: score(),
    security: score(),
    budget: score(),
    output: score(),
    streaming: score(),
  };
}
