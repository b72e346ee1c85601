import type { Diagnostic } from "../../contract/findings.ts";
import type { ExaminedSkill } from "../../operations/doctor/doctor-report.ts";
import { shownMessage } from "./doctor-finding-lines.ts";

/** One thing that was found in many skills. */
export interface SharedFinding {
  /** The first of them. */
  example: Diagnostic;
  /** Whether the others differ only in names, numbers and paths. */
  isAlike: boolean;
  /** The skills that have it, by id. */
  skills: string[];
  findings: Diagnostic[];
}

/** From this many skills on, equal findings are listed once. */
const sameWordsFrom = 5;
/** In long reports also findings that differ only in names, numbers and paths. */
const alikeFrom = 25;

/** What many skills have in common: errors first, that of the most skills first. */
export function sharedFindings(skills: readonly ExaminedSkill[], isMuch: boolean): SharedFinding[] {
  const same = inManySkills(skills, findingWords, sameWordsFrom, false);
  const folded = new Set(same.flatMap(({ findings }) => findings));
  const rest = skills.map(({ id, diagnostics }) => ({
    id,
    diagnostics: diagnostics.filter((diagnostic) => !folded.has(diagnostic)),
  }));
  const alike = isMuch ? inManySkills(rest, kindOfWords, alikeFrom, true) : [];
  return [...same, ...alike].sort(
    (a, b) => bySeverity(a.example, b.example) || b.skills.length - a.skills.length,
  );
}

/** Errors before warnings. */
export function bySeverity(a: Pick<Diagnostic, "severity">, b: Pick<Diagnostic, "severity">): number {
  return a.severity === b.severity ? 0 : a.severity === "error" ? -1 : 1;
}

function inManySkills(
  skills: readonly Pick<ExaminedSkill, "id" | "diagnostics">[],
  makeKey: (diagnostic: Diagnostic) => string,
  from: number,
  isAlike: boolean,
): SharedFinding[] {
  const found = new Map<string, SharedFinding & { last: number }>();
  for (const [at, { id, diagnostics }] of skills.entries())
    for (const diagnostic of diagnostics) {
      const key = makeKey(diagnostic);
      const shared = found.get(key) ?? { example: diagnostic, isAlike, skills: [], findings: [], last: -1 };
      found.set(key, shared);
      shared.findings.push(diagnostic);
      if (shared.last !== at) shared.skills.push(id);
      shared.last = at;
    }
  return [...found.values()].filter((shared) => shared.skills.length >= from);
}

function findingWords(diagnostic: Diagnostic): string {
  return `${diagnostic.severity} ${diagnostic.code} ${shownMessage(diagnostic)}`;
}

function kindOfWords(diagnostic: Diagnostic): string {
  return findingWords(diagnostic)
    .replace(/"[^"]*"/g, '""')
    .replace(/\d+/g, "0")
    .split(" ")
    .map((word) => (word.includes("/") ? "/" : word))
    .join(" ");
}
