import { advisedBodyTokens, type TokenCosts } from "../../contract/skill-facts.ts";
import type { DoctorReport, ExaminedSkill } from "../../operations/doctor/doctor-report.ts";
import { counted, grouped } from "../../report/text/format-numbers.ts";

/** What examining skills came to: `12 skills: 9 clean, 2 errors, 5 warnings`. */
export function doctorSummary({ counts, skills }: DoctorReport): string {
  const { clean, errors, warnings } = counts;
  const unlisted = skills.reduce((sum, skill) => sum + skill.unlisted, 0);
  const found = [
    `${grouped(clean)} clean`,
    ...(errors === 0 ? [] : [counted(errors, "error")]),
    ...(warnings === 0 ? [] : [counted(warnings, "warning")]),
    ...(unlisted === 0 ? [] : [`${grouped(unlisted)} more not listed`]),
  ];
  return `${counted(counts.skills, "skill")}: ${found.join(", ")}`;
}

/** Whether it passed, and by what rule. */
export function doctorVerdict({ counts, failOn, exitCode }: DoctorReport): string {
  const { errors, warnings } = counts;
  if (exitCode === 0) return warnings === 0 ? "passed" : "passed: no errors (--fail-on error)";
  if (errors > 0) return `failed: ${counted(errors, "error")}`;
  return `failed: ${counted(warnings, "warning")} (--fail-on ${failOn})`;
}

/** What a skill costs: `98 + 1,240 tokens, 5,300 in files`; name and description, instructions, everything else. */
export function tokenWords({ metadata, body, resources, isCapped }: TokenCosts): string {
  const advised = body > advisedBodyTokens ? ` (${grouped(advisedBodyTokens)} recommended)` : "";
  const files = resources === 0 && !isCapped ? "" : `, ${isCapped ? "≥ " : ""}${grouped(resources)} in files`;
  return `${tokenSum({ metadata, body })} tokens${advised}${files}`;
}

/** Name and description, and where there are any the instructions: `98 + 1,240`. */
export function tokenSum({ metadata, body }: Pick<TokenCosts, "metadata" | "body">): string {
  return body === 0 ? grouped(metadata) : `${grouped(metadata)} + ${grouped(body)}`;
}

/** What all of them cost before any is used. */
export function alwaysTokens(skills: readonly ExaminedSkill[]): number {
  return skills.reduce((sum, { tokens }) => sum + (tokens?.metadata ?? 0), 0);
}
