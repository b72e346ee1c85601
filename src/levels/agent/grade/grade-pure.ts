import { type Fault, passOf } from "../../../cases/grade/dimension.ts";
import { failureOf } from "../../../cases/grade/failures.ts";
import { idleScores } from "../../../cases/grade/scores.ts";
import { noStats, noTallies } from "../../../cases/grade/tallies.ts";
import type { CaseReport } from "../../../contract/agent-report.ts";
import type { LoadedPureCase } from "../../../contract/loaded-case.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { graderVersion } from "./grader-version.ts";

/** What putting a pure function to the test came to. */
export interface PureFindings {
  /** Where it gave something else than the case expects. */
  faults: readonly Pick<Fault, "code" | "message" | "expected" | "actual">[];
  /** Why nobody can say; null or absent where somebody can. */
  noVerdict?: { code: string; message: string } | null | undefined;
  warnings?: readonly string[] | undefined;
}

/** The report on a case without an agent: one score, `unit`, and seven dimensions that do not concern it. */
export function pureReport(
  { suite, level, kind, case: said }: LoadedPureCase,
  { faults, noVerdict = null, warnings = [] }: PureFindings,
  trial = 1,
): CaseReport {
  const status = faults.length > 0 ? "fail" : noVerdict !== null ? "not_observed" : "pass";
  const name = faults.length === 0 ? kind : `${kind}: ${countOf(faults.length, "difference")}`;
  const check = { name, status, exercised: status !== "not_observed" } as const;
  return {
    suite,
    case_id: said.id,
    run_id: null,
    level,
    trial,
    model: "none",
    status: status === "not_observed" ? "invalid" : status,
    pass: passOf(status),
    no_verdict: status === "not_observed" ? noVerdict : null,
    scores: { ...idleScores(), unit: { status, pass: passOf(status), checks: [check] } },
    failures: faults.map((fault) => failureOf("unit", fault)),
    not_exercised: [],
    warnings: [...warnings],
    stats: noStats,
    tallies: noTallies,
    quotes: {},
    grader: graderVersion,
  };
}
