import pc from "picocolors";
import type { AuditFinding, AuditReport, SkillAudit } from "../../contract/audit.ts";
import { type Severity, severities } from "../../contract/findings.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { shorten, visibleText } from "../../shared/text/visible-text.ts";

/** Printed with every audit: rules find only known patterns. */
export const noFindingsIsNotSafe = "No findings does not mean safe: rules only find known patterns.";

const maxLocationColumns = 80;
const maxClean = 10;

/** An audit for people: the skills, the worst first, each with its findings on a line; then what it came to. */
export function auditText(report: AuditReport, color: boolean): string {
  const paint = pc.createColors(color);
  const blocks = report.skills
    .filter(({ findings }) => findings.length > 0)
    .map((skill) => [headLine(skill, paint), ...findingLines(skill, paint)]);
  const clean = report.skills.filter(({ findings }) => findings.length === 0).map(({ folder }) => folder);
  if (clean.length > 0)
    blocks.push([`${paint.bold("no findings")}  ${visibleText(listed(clean, maxClean))}`]);
  blocks.push(closingLines(report, paint));
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

type Paint = ReturnType<typeof pc.createColors>;

function headLine({ skill, folder, risk, status, files }: SkillAudit, paint: Paint): string {
  const facts = `risk ${colored(risk ?? "info", risk ?? "none", paint)}  ${status}`;
  return `${paint.bold(visibleText(skill))}  ${facts}  ${paint.dim(`${visibleText(folder)}, ${pluralize(files, "file")}`)}`;
}

function findingLines({ findings, unlisted }: SkillAudit, paint: Paint): string[] {
  const rows = findings.map((finding) => [
    `  ${finding.severity}`,
    `${finding.rule} ${finding.name}`,
    shorten(findingLocation(finding), maxLocationColumns),
    finding.evidence,
  ]);
  const lines = alignedLines(rows).map((line, row) => {
    const { severity } = findings[row] as AuditFinding;
    return line.replace(severity, colored(severity, severity, paint));
  });
  return unlisted === 0
    ? lines
    : [...lines, `  and ${pluralize(unlisted, "more finding")} of the same rules`];
}

function findingLocation({ file, line }: AuditFinding): string {
  return `${visibleText(file)}${line === null ? "" : `:${line}`}`;
}

function closingLines(
  { skills, counts, status, risk, failOn, exitCode }: AuditReport,
  paint: Paint,
): string[] {
  const found = severities.filter((severity) => counts[severity] > 0);
  const figures = found
    .map((severity) => colored(severity, `${counts[severity]} ${severity}`, paint))
    .join(", ");
  const unlisted = skills.reduce((count, skill) => count + skill.unlisted, 0);
  const more = unlisted === 0 ? "" : `, ${unlisted} more not listed`;
  const looked = `${pluralize(skills.length, "skill")} audited: ${figures === "" ? "no findings" : figures}${more}`;
  const state = status === "complete" ? "" : "; some content could not be scanned (incomplete)";
  const verdict =
    exitCode === 0
      ? `passed: no findings at ${failOn} or above`
      : `${paint.red("failed")}: worst severity is ${risk} (--fail-on ${failOn})`;
  return [`${looked}${state}`, verdict, paint.dim(noFindingsIsNotSafe)];
}

function colored(severity: Severity, text: string, paint: Paint): string {
  if (severity === "critical" || severity === "high") return paint.red(text);
  return severity === "medium" ? paint.yellow(text) : text;
}
