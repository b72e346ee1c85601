import type { GateReport, SkippedReport } from "../../contract/document.ts";
import type { SuiteRun } from "../../contract/level.ts";
import type { TriggerGate } from "../../contract/triggering.ts";
import type { GateRule } from "../../engine/gates.ts";
import { triggerLevel } from "./level.ts";
import type { TriggerSuite } from "./suite.ts";

/** Gates for the figures of every skill, overriding its own file. */
export interface TriggerGateOptions {
  lines: TriggerGate;
  on: Extract<GateReport["on"], "point" | "lower">;
  enforced: boolean;
}

const gatedFigures = ["recall", "precision", "mcc"] as const;

/** The lines of a skill's own file, each replaced by the option of its name where there is one. */
export function mergeGates(written: TriggerGate, options: TriggerGate): TriggerGate {
  const lines: TriggerGate = {};
  for (const figure of gatedFigures) {
    const line = options[figure] ?? written[figure];
    if (line !== undefined) lines[figure] = line;
  }
  return lines;
}

/** What trigger tests must reach: the lines of each skill, and that no query fails. */
export function triggerGates(suites: readonly SuiteRun[], options: TriggerGateOptions): GateRule[] {
  if (suites.filter(isTriggerSuite).every(({ subjects }) => subjects.length === 0)) return [];
  const noneFailed: GateRule = {
    level: triggerLevel.name,
    enforced: options.enforced,
    scope: "run",
    metric: "failedQueries",
    on: "point",
    op: "<=",
    threshold: 0,
  };
  return [...writtenGates(suites, options), noneFailed];
}

/** The lines of each skill alone. */
export function writtenGates(suites: readonly SuiteRun[], options: TriggerGateOptions): GateRule[] {
  const subjects = suites.filter(isTriggerSuite).flatMap(({ subjects }) => subjects);
  const { lines, on, enforced } = options;
  const shared = { level: triggerLevel.name, enforced };
  return subjects.flatMap(({ skillId, tested }) => {
    const meant = tested.queries.filter(({ side }) => side === "should_match").length;
    const thresholds = mergeGates(tested.gate, lines);
    return gatedFigures.flatMap((metric): GateRule[] => {
      const threshold = thresholds[metric];
      if (threshold === undefined) return [];
      const appliesTo: GateRule["appliesTo"] = (subject) => subject.skillId === skillId;
      const limits = {
        ...(triggerLevel.gateCoverage !== undefined && { minCoverage: triggerLevel.gateCoverage }),
        ...(metric === "recall" && { countCases: () => meant }),
      };
      return [{ ...shared, scope: "subject", metric, on, op: ">=", threshold, appliesTo, ...limits }];
    });
  });
}

/** Whether a skill was skipped for another reason than `--case`. */
export function hasForbiddenSkip(skipped: readonly SkippedReport[]): boolean {
  return skipped.some(({ level, reason }) => level === triggerLevel.name && reason !== "single-case");
}

function isTriggerSuite(suite: SuiteRun): suite is TriggerSuite {
  return suite.level === triggerLevel;
}
