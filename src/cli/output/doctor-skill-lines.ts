import { basename } from "node:path";
import type { Diagnostic } from "../../contract/findings.ts";
import { advisedBodyTokens } from "../../contract/skill-facts.ts";
import type { ExaminedSkill } from "../../operations/doctor/doctor-report.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { type Canvas, findingLines, findingLocation, moreLine } from "./doctor-finding-lines.ts";
import { bySeverity } from "./doctor-shared-findings.ts";
import { tokenWords } from "./doctor-words.ts";

/** A skill with what was found in it: errors first, of each rule at most so many. */
export function skillLines(
  skill: ExaminedSkill,
  findings: readonly Diagnostic[],
  maxPerRule: number,
  canvas: Canvas,
): string[] {
  const counts = new Map<string, number>();
  const isShown = ({ code }: Diagnostic): boolean => {
    counts.set(code, (counts.get(code) ?? 0) + 1);
    return (counts.get(code) ?? 0) <= maxPerRule;
  };
  const sorted = [...findings].sort((a, b) => bySeverity(a, b) || sumsUp(a) - sumsUp(b));
  const shown = sorted.filter(isShown);
  return [
    ...headLines(skill, canvas),
    ...findingLines(
      shown.map((diagnostic) => ({
        diagnostic: withoutFolder(diagnostic, skill.folder),
        location: findingLocation(diagnostic),
      })),
      canvas,
    ),
    ...moreLine(
      sorted.filter((diagnostic) => !shown.includes(diagnostic)),
      skill.unlisted,
      canvas,
    ),
  ];
}

/** Findings that only refer to others come last. */
function sumsUp({ code }: Diagnostic): number {
  return code === "PTS01" ? 1 : 0;
}

/** Findings about the whole folder need not repeat its name. */
function withoutFolder(diagnostic: Diagnostic, folder: string): Diagnostic {
  const { file, message } = diagnostic;
  const isNamed = file === "." && message.startsWith(`${folder}: `);
  return isNamed ? { ...diagnostic, message: message.slice(folder.length + 2) } : diagnostic;
}

/** Skills in which nothing was found, a line for each where there is room. */
export function cleanSkillLines(skills: readonly ExaminedSkill[], { paint, width }: Canvas): string[] {
  const canvas = { paint, width: width === null ? null : width - 2 };
  return skills.flatMap((skill) => {
    const [first, ...more] = headLines(skill, canvas);
    return [`${paint.green("✓")} ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

/** Its id, folder, kind and what it costs, on one line where there is room. */
function headLines(skill: ExaminedSkill, { paint, width }: Canvas): string[] {
  const { id, folder, kind, kinds, tokens, diagnostics } = skill;
  const path = visibleText(folder);
  const name = visibleText(id);
  const isNamedAlike = basename(folder) === id;
  const title = isNamedAlike ? path : `${name}  ${path}`;
  const painted = isNamedAlike
    ? `${paint.dim(path.slice(0, path.length - name.length))}${paint.bold(name)}`
    : `${paint.bold(name)}  ${paint.dim(path)}`;
  const isNone = diagnostics.some(({ code }) => code === "SKD01");
  const kindWords =
    kinds.length > 1 ? kinds.join(" and ") : (kind ?? (isNone ? "not a skill" : "unknown kind"));
  const costs = tokens === null ? "" : `, ${tokenWords(tokens)}`;
  const isHeavy = tokens !== null && tokens.body > advisedBodyTokens;
  const facts = `${paint.dim(kindWords)}${isHeavy ? paint.yellow(costs) : paint.dim(costs)}`;
  const fits = width === null || textWidth(`${title}  ${kindWords}${costs}`) <= width;
  return fits ? [`${painted}  ${facts}`] : [painted, `  ${facts}`];
}
