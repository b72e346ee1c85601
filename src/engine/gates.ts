import type { GateReport, SubjectReport } from "../contract/document.ts";
import { isMet } from "../contract/gate-met.ts";
import type { MetricValue } from "../contract/level.ts";
import { isWholeInQuarantine } from "./quarantine.ts";

/** A rule on a figure of every subject it applies to, or of the whole run. */
export interface GateRule
  extends Pick<GateReport, "level" | "metric" | "on" | "op" | "threshold" | "enforced"> {
  /** `run`: one figure over all subjects of the level. */
  scope: "subject" | "run";
  appliesTo?(subject: Pick<SubjectReport, "skillId" | "model" | "arm">): boolean;
  /** How many of the cases of a subject its figure is about; left out, all. */
  countCases?(subject: Pick<SubjectReport, "skillId" | "model" | "arm">): number;
  /** Whether nobody asked for this threshold: one of the configuration takes its place. */
  isDefault?: boolean;
  /** With a smaller share of answers the gate is undecided. */
  minCoverage?: number;
}

/** How often a subject may fail, and how slow it may be. */
export interface LimitGates {
  maxErrorRate?: number | null | undefined;
  /** Whether a failed attempt counts as an error even if a later one did not fail. */
  countRetries?: boolean | undefined;
  maxP95Ms?: number | null | undefined;
  gateOn: "point" | "lower";
}

/** The rules for these limits. Whoever wants the lower bound of a rate wants the upper one of errors. */
export function limitGates(
  { maxErrorRate, countRetries = false, maxP95Ms, gateOn }: LimitGates,
  of: Pick<GateRule, "level" | "enforced" | "appliesTo">,
): GateRule[] {
  const shared = { ...of, op: "<=", scope: "subject" } as const;
  const metric = countRetries ? "errorRateWithRetries" : "errorRate";
  const on = gateOn === "lower" ? "upper" : "point";
  return [
    ...(maxErrorRate == null ? [] : [{ ...shared, metric, on, threshold: maxErrorRate } as const]),
    ...(maxP95Ms == null
      ? []
      : [{ ...shared, metric: "latencyP95Ms", on: "point", threshold: maxP95Ms } as const]),
  ];
}

/** The figures that gates check, at full precision. */
interface GatedFigures {
  subjects: readonly SubjectReport[];
  overall: ReadonlyMap<string, Readonly<Record<string, MetricValue>>>;
}

/** Checks every rule. A figure that does not exist is neither above nor below a threshold. */
export function evaluateGates(rules: readonly GateRule[], figures: GatedFigures): GateReport[] {
  return rules.flatMap((rule) =>
    rule.scope === "run" ? [runGate(rule, figures)] : subjectGates(rule, figures),
  );
}

function runGate(rule: GateRule, { subjects, overall }: GatedFigures): GateReport {
  const own = subjects.filter(({ level }) => level === rule.level);
  // No failure among nothing is no pass.
  const isLeft = own.length === 0 || own.some((subject) => !isWholeInQuarantine(subject));
  return gateReport(rule, null, isLeft ? overall.get(rule.level)?.[rule.metric] : undefined);
}

/** A rule that applies to no subject is undecided. */
function subjectGates(rule: GateRule, { subjects }: GatedFigures): GateReport[] {
  const gated = subjects.filter(
    (subject) => subject.level === rule.level && (rule.appliesTo?.(subject) ?? true),
  );
  if (gated.length === 0) return [gateReport(rule, null, undefined)];
  return gated.map((subject) => {
    const { suite, skillId, model, arm, metrics } = subject;
    const isCovered = rule.minCoverage === undefined || (metrics.coverage?.value ?? 0) >= rule.minCoverage;
    return gateReport(
      rule,
      { suite, skillId, model, arm },
      isCovered && !isWholeInQuarantine(subject) ? metrics[rule.metric] : { value: null },
    );
  });
}

function gateReport(
  { level, metric, on, op, threshold, enforced }: GateRule,
  subject: GateReport["subject"],
  figure: MetricValue | undefined,
): GateReport {
  const value = gatedValue(figure, on);
  const passed = enforced ? isMet({ value, op, threshold }) : null;
  return { subject, level, metric, on, op, threshold, value, passed, enforced };
}

function gatedValue(figure: MetricValue | undefined, on: GateReport["on"]): number | null {
  switch (on) {
    case "point":
      return figure?.value ?? null;
    case "lower":
      return figure?.interval?.lower ?? null;
    case "upper":
      return figure?.interval?.upper ?? null;
    default:
      return on satisfies never;
  }
}

export interface RunVerdict {
  gates: readonly GateReport[];
  /** Whether more of a subject is without a verdict than is accepted; an undecided gate never is. */
  isUnknown: boolean;
  /** Planned cells without a result; these are never tolerated. */
  missing?: number;
  /** Whether they are missing because enough others had failed. */
  isCutShort?: boolean;
  /** Cells without a verdict for a reason that no accepted share covers. */
  unacceptable?: number;
  /** Whether figures that cannot be combined were mixed, such as of two versions of a skill. */
  isMixed: boolean;
  /** Whether something was skipped that had to be tested. */
  isMissing: boolean;
  /** How many skills could not be loaded. */
  notLoaded?: number;
}

/** The exit code of a run. A skill that cannot be loaded takes precedence: it is an error of the user, not a result. A missing verdict takes precedence over a failed gate: "failed" must not be reported where the result is unknown. */
export function exitCodeFor(verdict: RunVerdict): 0 | 1 | 2 | 3 {
  const {
    gates,
    isUnknown,
    isCutShort = false,
    missing = 0,
    unacceptable = 0,
    isMixed,
    isMissing,
    notLoaded = 0,
  } = verdict;
  if (notLoaded > 0) return 2;
  if (isCutShort) return 1;
  const enforced = gates.filter((gate) => gate.enforced);
  if (isMixed || isUnknown || missing > 0 || unacceptable > 0) return 3;
  if (enforced.some(({ passed }) => passed === null)) return 3;
  return isMissing || enforced.some(({ passed }) => passed === false) ? 1 : 0;
}
