import { type DiagnosticCode, diagnosticRules } from "./diagnostic-rules.ts";
import type { Diagnostic, DiagnosticSeverity, Profile } from "./findings.ts";
import type { SkillKind } from "./skill-facts.ts";

/** Where in a skill something was found. */
export interface DiagnosticLocation {
  /** Relative to the folder of the skill, `/`-separated; `.` for the folder as a whole. */
  file: string;
  line?: number | undefined;
  column?: number | undefined;
  jsonPath?: string | undefined;
}

export interface DiagnosticWords {
  /** Where it differs from what the rule says about the profile. */
  severity?: DiagnosticSeverity | undefined;
  /** Where more can be said than the rule's own hint. */
  hint?: string | undefined;
}

const maxPerRule = 1000;

/** Collects what is found in one folder. Whoever reads or examines a skill adds to it. */
export class Diagnostics {
  readonly profile: Profile;
  /** Known as soon as the folder was recognised. */
  kind: SkillKind | null = null;
  /** The folder's name, until the id is known. */
  skill: string;
  /** How many more were found than are listed. */
  unlisted = 0;
  readonly #found: Omit<Diagnostic, "kind" | "skill">[] = [];
  readonly #counts = new Map<string, number>();

  constructor(profile: Profile, folderName: string) {
    this.profile = profile;
    this.skill = folderName;
  }

  get isStrict(): boolean {
    return this.profile === "strict";
  }

  add(
    code: DiagnosticCode,
    location: DiagnosticLocation,
    message: string,
    words: DiagnosticWords = {},
  ): void {
    const rule = diagnosticRules[code];
    const severity = words.severity ?? rule[this.profile];
    // A thousand warnings must not hide the error after them.
    const count = this.#counts.get(`${code} ${severity}`) ?? 0;
    this.#counts.set(`${code} ${severity}`, count + 1);
    if (count >= maxPerRule) {
      this.unlisted++;
      return;
    }
    this.#found.push({
      code,
      severity,
      file: location.file,
      line: location.line ?? null,
      column: location.column ?? null,
      jsonPath: location.jsonPath ?? null,
      message,
      hint: words.hint ?? rule.hint,
    });
  }

  /** The first of what was found, where reporting all of it would take too long; the rest is counted. */
  takeFirst<Found>(found: readonly Found[], max: number): readonly Found[] {
    this.unlisted += Math.max(0, found.length - max);
    return found.slice(0, max);
  }

  /** Everything found so far, sorted by file, line and code. */
  list(): Diagnostic[] {
    const { kind, skill } = this;
    return this.#found.map((found) => ({ ...found, kind, skill })).sort(byLocation);
  }

  hasErrors(): boolean {
    return this.#found.some(({ severity }) => severity === "error");
  }
}

/** By file, line, code; in code-unit order, which no locale changes. */
export function byLocation(a: Diagnostic, b: Diagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  if (a.line !== b.line) return (a.line ?? 0) - (b.line ?? 0);
  if (a.code !== b.code) return a.code < b.code ? -1 : 1;
  return (a.column ?? 0) - (b.column ?? 0) || (a.message < b.message ? -1 : a.message === b.message ? 0 : 1);
}
