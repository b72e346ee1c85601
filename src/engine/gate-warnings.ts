import { subjectName } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import { z95 } from "../shared/statistics/distributions.ts";
import { listed, pluralize } from "../shared/text/phrases.ts";
import { groupedBy } from "../shared/text/sort-and-group.ts";
import type { GateRule } from "./gates.ts";
import { noQuarantine, type Quarantine } from "./quarantine.ts";

/** What is wrong with gates that can be told before the first cell: those that cannot fail, and those that cannot be met. */
export function gateWarnings(
  rules: readonly GateRule[],
  suites: readonly SuiteRun[],
  quarantine: Pick<Quarantine, "casesOf"> = noQuarantine,
): string[] {
  const warnings = rules
    .filter(({ enforced }) => enforced)
    .flatMap((rule) => ruleWarnings(rule, suites, quarantine));
  return [...new Set(warnings)];
}

function ruleWarnings(
  rule: GateRule,
  suites: readonly SuiteRun[],
  quarantine: Pick<Quarantine, "casesOf">,
): string[] {
  const own = suites.filter(({ level }) => level.name === rule.level);
  const metric = own[0]?.level.metrics.find(({ name }) => name === rule.metric);
  if (metric?.unit !== "share") return [];
  const { op, threshold, on } = rule;
  const gate = `the gate on ${metric.label ?? metric.name} at ${percent(threshold)}`;
  if (op === ">=" ? threshold <= 0 : threshold >= 1) return [`${gate} cannot fail`];
  if (on === "point") return [];
  const needed = neededCases(op === ">=" ? threshold : 1 - threshold);
  const short = casesPerSubject(rule, own, quarantine).filter(({ cases }) => cases > 0 && cases < needed);
  const isOne = own.reduce((sum, { subjects }) => sum + subjects.length, 0) === 1;
  return [...groupedBy(short, ({ cases }) => cases)].map(([cases, subjects]) => {
    const nouns = own[0]?.level.nouns.case ?? (["case", "cases"] as const);
    const names =
      isOne || rule.scope === "run"
        ? ""
        : ` (${listed([...new Set(subjects.map(({ name }) => name))], maxNames)})`;
    const outcome = op === ">=" ? "that all pass" : "without an error";
    return `${gate} cannot be met with ${pluralize(cases, ...nouns)}${names}: --gate-on lower takes at least ${needed} ${outcome} for it`;
  });
}

const maxNames = 5;

/** The fewest cases whose interval can lie above a share: n/(n + z²) is its lower bound where all of n pass. */
export function neededCases(share: number): number {
  if (share >= 1) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil((share * z95 ** 2) / (1 - share) - rounding));
}

const rounding = 1e-9;

function casesPerSubject(
  rule: GateRule,
  suites: readonly SuiteRun[],
  quarantine: Pick<Quarantine, "casesOf">,
): { name: string; cases: number }[] {
  const perSubject = suites.flatMap((suite) =>
    suite.subjects
      .filter((subject) => rule.appliesTo?.(subject) ?? true)
      .map((subject) => ({
        name: subjectName(subject),
        cases:
          rule.countCases?.(subject) ??
          suite.casesOf(subject).length - quarantine.casesOf(suite, subject).size,
      })),
  );
  if (rule.scope === "subject") return perSubject;
  return [{ name: "", cases: perSubject.reduce((sum, { cases }) => sum + cases, 0) }];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
