import { type Subject, subjectName } from "../contract/cell.ts";
import type { QuarantineReport, SubjectReport } from "../contract/document.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { OwnerEntry, Quarantined, QuarantineEntry } from "../contract/quarantine.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { matchesName } from "../skills/folder/path-pattern.ts";

type Named = Pick<Subject, "skillId" | "model" | "arm">;

/** What is in quarantine in one run: it is run and shown, and no figure, count or gate has it. */
export interface Quarantine {
  /** Why a case of a subject decides nothing; null where it decides. */
  find(suite: Pick<SuiteRun, "level" | "id">, subject: Named, caseId: string): Quarantined | null;
  /** The cases of a subject that decide nothing. */
  casesOf(suite: Pick<SuiteRun, "level" | "id">, subject: Named): ReadonlyMap<string, Quarantined>;
  /** What the report says about every entry. */
  entries: readonly QuarantineReport[];
  /** What a person must change: entries that are over, or about nothing. */
  warnings: readonly string[];
}

const none: ReadonlyMap<string, Quarantined> = new Map();

export const noQuarantine: Quarantine = {
  find: () => null,
  casesOf: () => none,
  entries: [],
  warnings: [],
};

/** Finds the cases that entries are about. What counts is the day on which the run began, so that resuming changes nothing. */
export function openQuarantine(
  entries: readonly QuarantineEntry[],
  suites: readonly SuiteRun[],
  startedAt: string,
): Quarantine {
  if (entries.length === 0) return noQuarantine;
  const today = startedAt.slice(0, "2027-01-31".length);
  const reports = entries.map(
    (entry): QuarantineReport => ({ ...entry, cases: 0, isExpired: entry.until < today }),
  );
  const bySubject = new Map<string, Map<string, Quarantined>>();
  for (const suite of suites)
    for (const subject of suite.subjects) {
      const found = matchCases(suite, subject, reports);
      if (found.size > 0) bySubject.set(subjectKey(suite, subject), found);
    }
  const casesOf: Quarantine["casesOf"] = (suite, subject) =>
    bySubject.get(subjectKey(suite, subject)) ?? none;
  return {
    casesOf,
    find: (suite, subject, caseId) => casesOf(suite, subject).get(caseId) ?? null,
    entries: reports,
    warnings: quarantineWarnings(reports, suites),
  };
}

/** The first entry that is not over decides; each counts what it matches. */
function matchCases(
  suite: SuiteRun,
  subject: Subject,
  reports: QuarantineReport[],
): Map<string, Quarantined> {
  const found = new Map<string, Quarantined>();
  const owner = testedName(suite.id, subject);
  const own = reports.filter(({ level }) => level === undefined || level === suite.level.name);
  if (own.length === 0) return found;
  for (const { id } of suite.casesOf(subject))
    for (const report of own) {
      if (!matchesName(report.case, `${owner}/${id}`)) continue;
      report.cases++;
      const { until, reason } = report;
      if (!report.isExpired && !found.has(id)) found.set(id, { until, reason });
    }
  return found;
}

/** What people write before a case: its skill, or its suite where a model is tested with whichever skills it has. */
function testedName(suite: string, { skillId }: Named): string {
  return skillId ?? suite;
}

function subjectKey({ level, id }: Pick<SuiteRun, "level" | "id">, subject: Named): string {
  return JSON.stringify([level.name, id, subjectName(subject)]);
}

function quarantineWarnings(reports: readonly QuarantineReport[], suites: readonly SuiteRun[]): string[] {
  const levels = new Set(suites.map(({ level }) => level.name));
  // A part of a suite lacks cases that are there; entries about other levels are for other runs.
  const isPartial = suites.some((suite) => suite.isPartial);
  return reports.flatMap((report) => {
    const { case: pattern, until, cases, level, isExpired } = report;
    if (isExpired && cases > 0) return [expiredWords(report)];
    if (isExpired && isPartial) return [];
    if (isExpired)
      return [
        `the quarantine of ${pattern} expired after ${until} and matches no case of this run: remove it`,
      ];
    if (cases > 0 || isPartial || (level !== undefined && !levels.has(level))) return [];
    return [`the quarantine of ${pattern} matches no case of this run`];
  });
}

/** That something decides again which nobody decided about. */
function expiredWords({ case: pattern, until, reason, cases }: QuarantineReport): string {
  return `the quarantine of ${pattern} expired after ${until} (${reason}): ${pluralize(cases, "case")} ${cases === 1 ? "decides" : "decide"} again; fix ${cases === 1 ? "it" : "them"}, or set another day`;
}

/** Whether nothing of a subject is left to judge it by. */
export function isWholeInQuarantine({ quarantined, counts }: SubjectReport): boolean {
  return quarantined !== undefined && counts.total + counts.invalid === 0;
}

/** Who looks after a subject, by the first entry that matches. */
export function findOwner(
  owners: readonly OwnerEntry[],
  { suite, ...subject }: Pick<SubjectReport, "suite" | "skillId" | "model" | "arm">,
): string | null {
  const name = testedName(suite, subject);
  return owners.find(({ skill }) => matchesName(skill, name))?.owner ?? null;
}
