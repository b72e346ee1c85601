import type { ReportDiff, SkillDiff } from "../../contract/diff.ts";
import { percent } from "../text/format-numbers.ts";
import { countedReasons, diffTitle, subjectTitle } from "./diff-words.ts";

/** What of a comparison is a failure; without any of these, nothing is. */
export interface DiffGates {
  failOnRegression: boolean;
  failOnInconclusive: boolean;
  failOnSlower: boolean;
  failOnErrors: boolean;
  failOnCost: boolean;
  /** The share of the first report's cases that has to be compared, by subject. */
  minCoverage(skill: Pick<SkillDiff, "level" | "skillId">): number;
}

type Judged = Pick<ReportDiff, "failures" | "exitCode">;

/** Judges a comparison. Where something cannot be told, that is worse than a failure: it hides what else there is. */
export function judgeDiff(
  { labels, skills, removed, leftOut }: Pick<ReportDiff, "labels" | "skills" | "removed" | "leftOut">,
  gates: DiffGates,
): Judged {
  const { failOnRegression, failOnInconclusive, failOnSlower, failOnErrors, failOnCost } = gates;
  const isGated = failOnRegression || failOnInconclusive || failOnSlower || failOnErrors || failOnCost;
  if (!isGated) return { failures: [], exitCode: 0 };
  const failed = [
    ...skills
      .filter(({ verdict }) => verdict === "regressed")
      .map((skill) => `${diffTitle(skill)} regressed`),
    ...removed.map((name) => `${subjectTitle(name)} was removed`),
    ...skills.flatMap((skill) => worseRows(skill, gates)),
  ];
  const unknown = [
    ...skills.flatMap((skill) => unknownCases(skill, gates, labels)),
    ...leftOut.map((name) => `${subjectTitle(name)} was left out: one run was limited with --case`),
    ...skills.flatMap((skill) => untestedRows(skill, gates)),
  ];
  return {
    failures: [...failed, ...unknown],
    exitCode: unknown.length > 0 ? 3 : failed.length > 0 ? 1 : 0,
  };
}

function unknownCases(
  skill: SkillDiff,
  { minCoverage: minCoverageOf, failOnInconclusive }: DiffGates,
  labels: ReportDiff["labels"],
): string[] {
  const { verdict, paired, reason } = skill;
  const name = diffTitle(skill);
  if (verdict === "not-comparable") return [`${name} is not comparable: ${reason}`];
  const minCoverage = minCoverageOf(skill);
  const { coverage, decided } = paired;
  if (coverage === null || coverage < minCoverage - 1e-9)
    return [
      `only ${percent(coverage)} of the ${skill.nouns.case[1]} of ${name} were compared, ${percent(minCoverage)} required${countedReasons(paired.notCompared, labels)}`,
    ];
  if (decided !== null && decided < minCoverage - 1e-9)
    return [
      `only ${percent(decided)} of the trials of ${name} have a verdict in one report, ${percent(minCoverage)} required`,
    ];
  return failOnInconclusive && verdict === "inconclusive" ? [`${name} is inconclusive: ${reason}`] : [];
}

/** The rows that a gate is about, what a failure of it is called, and what it asks about. */
function gatedRows(gates: DiffGates): { rows: readonly string[]; words: string; subject: string }[] {
  return [
    ...(gates.failOnErrors
      ? [{ rows: ["errorRate"], words: "fails more often", subject: "error rate" }]
      : []),
    ...(gates.failOnSlower
      ? [{ rows: ["latencyMs", "latencyP95Ms"], words: "is slower", subject: "latency" }]
      : []),
    ...(gates.failOnCost ? [{ rows: ["costUsd", "tokens"], words: "costs more", subject: "cost" }] : []),
  ];
}

function worseRows(skill: SkillDiff, gates: DiffGates): string[] {
  return gatedRows(gates)
    .filter(({ rows }) => rows.some((row) => skill.metrics[row]?.sense === "worse"))
    .map(({ words }) => `${diffTitle(skill)} ${words}`);
}

/** A row that was not tested says nothing, even where both values are the same. The first row of a gate is the one that counts. */
function untestedRows(skill: SkillDiff, gates: DiffGates): string[] {
  if (skill.verdict === "not-comparable") return [];
  return gatedRows(gates).flatMap(({ rows: [first = ""], subject }) => {
    const row = skill.metrics[first];
    if (row !== undefined && row.test !== null) return [];
    return [
      `the ${subject} of ${diffTitle(skill)} was not tested: ${row?.reason ?? `no ${subject} is recorded`}`,
    ];
  });
}
