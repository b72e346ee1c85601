import pc from "picocolors";
import { diagnosticRules } from "../../contract/diagnostic-rules.ts";
import type { Diagnostic } from "../../contract/findings.ts";
import type { DoctorReport, ExaminedSkill } from "../../operations/doctor/doctor-report.ts";
import { counted, grouped } from "../../report/text/format-numbers.ts";
import { wrappedWords } from "../../report/text/text-width.ts";
import { listed } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { type Canvas, columnsLeft, findingLines } from "./doctor-finding-lines.ts";
import { ruleTable } from "./doctor-rule-table.ts";
import { type SharedFinding, sharedFindings } from "./doctor-shared-findings.ts";
import { cleanSkillLines, skillLines } from "./doctor-skill-lines.ts";
import { alwaysTokens, doctorSummary, doctorVerdict } from "./doctor-words.ts";

export interface DoctorLayout {
  color: boolean;
  /** Columns of the terminal; null where lines are not wrapped. */
  width: number | null;
  /** Whether everything is listed, however long. */
  isWhole: boolean;
  /** What else fails the command. */
  otherFailure?: string | undefined;
  /** Findings that `--fix` could fix. */
  fixable?: { files: number; codes: readonly string[] } | undefined;
}

/** Above this many findings, details are left out. */
const fewFindings = 100;
const maxSkills = 30;
const maxPerRule = 5;
const maxSharers = 20;
const maxClean = 20;
/** Up to this many skills are each shown, clean or not. */
const fewSkills = 5;

/** What was found in skills, for people: skill by skill, the worst first; shared findings; the summary. */
export function doctorText(report: DoctorReport, layout: DoctorLayout): string {
  const { color, width, isWhole } = layout;
  const canvas: Canvas = { paint: pc.createColors(color), width };
  const { skills, counts } = report;
  const isMuch = !isWhole && counts.errors + counts.warnings > fewFindings;
  const shared = isWhole ? [] : sharedFindings(skills, isMuch);
  const own = skillsWithTheirOwn(skills, new Set(shared.flatMap(({ findings }) => findings)));
  const shown = own.slice(0, isMuch ? maxSkills : own.length);
  const ofARule = isWhole ? Number.POSITIVE_INFINITY : maxPerRule;
  const clean = skills.filter(({ errors, warnings }) => errors + warnings === 0);
  const blocks = [
    ...shown.map(({ skill, findings }) => skillLines(skill, findings, ofARule, canvas)),
    restLines(own.length - shown.length, canvas),
    sharedLines(shared, isMuch, canvas),
    isMuch ? ruleTable(skills, canvas) : [],
    skills.length <= fewSkills
      ? cleanSkillLines(clean, canvas)
      : cleanLines(clean, isWhole ? clean.length : maxClean, canvas),
    closingLines(report, layout, canvas),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

/** The skills with findings of their own, the worst first. */
function skillsWithTheirOwn(skills: readonly ExaminedSkill[], shared: ReadonlySet<Diagnostic>) {
  return skills
    .map((skill) => ({ skill, findings: skill.diagnostics.filter((one) => !shared.has(one)) }))
    .filter(({ findings }) => findings.length > 0)
    .sort((a, b) => worstFirst(a.findings, b.findings) || (a.skill.folder < b.skill.folder ? -1 : 1));
}

function worstFirst(a: readonly Diagnostic[], b: readonly Diagnostic[]): number {
  const errorsIn = (findings: readonly Diagnostic[]) =>
    findings.filter(({ severity }) => severity === "error").length;
  return errorsIn(b) - errorsIn(a) || b.length - a.length;
}

function restLines(count: number, { paint }: Canvas): string[] {
  if (count === 0) return [];
  const advice = paint.dim("--verbose shows all, --format json is machine-readable");
  return [`and ${counted(count, "more skill")} with findings of their own`, advice];
}

/** Findings that many skills share: how many skills, the finding, and their ids. */
function sharedLines(shared: readonly SharedFinding[], isMuch: boolean, canvas: Canvas): string[] {
  if (shared.length === 0) return [];
  const findings = shared.map(({ example, isAlike, skills, findings: all }) => ({
    diagnostic: {
      ...example,
      message: isAlike ? `${example.message}, and similar` : example.message,
      // A hint for one skill need not fit the others.
      hint: all.every(({ hint }) => hint === example.hint)
        ? example.hint
        : diagnosticRules[example.code].hint,
    },
    location: counted(skills.length, "skill"),
    below: isMuch ? undefined : listed(skills.map(visibleText), maxSharers),
  }));
  return [canvas.paint.bold("in many skills"), ...findingLines(findings, canvas)];
}

function cleanLines(clean: readonly ExaminedSkill[], atMost: number, canvas: Canvas): string[] {
  if (clean.length === 0) return [];
  const { paint } = canvas;
  const ids = clean.map(({ id }) => visibleText(id));
  const [first = "", ...more] = wrappedWords(listed(ids, atMost), columnsLeft(9, canvas));
  return [
    `${paint.green("✓")} ${paint.bold("clean")}  ${first}`,
    ...more.map((line) => `${" ".repeat(9)}${line}`),
  ];
}

function closingLines(
  report: DoctorReport,
  { otherFailure, fixable }: DoctorLayout,
  { paint }: Canvas,
): string[] {
  const { skills, exitCode } = report;
  const always = alwaysTokens(skills);
  const costs =
    skills.length < 2 || always === 0 ? [] : [`all names and descriptions: ${grouped(always)} tokens`];
  const isPassed = exitCode === 0 && otherFailure === undefined;
  const words =
    exitCode === 0 && otherFailure !== undefined ? `failed: ${otherFailure}` : doctorVerdict(report);
  const [word = "", ...rest] = words.split(":");
  const verdict = [isPassed ? paint.green(word) : paint.red(word), ...rest].join(":");
  const repairs =
    fixable === undefined || fixable.files === 0
      ? []
      : [`--fix can fix ${fixable.codes.join(", ")} in ${counted(fixable.files, "file")}`];
  const notes = report.notes.map(({ code, message }) => paint.dim(`${code}: ${message}`));
  return [doctorSummary(report), ...notes, ...repairs, ...costs.map(paint.dim), verdict];
}
