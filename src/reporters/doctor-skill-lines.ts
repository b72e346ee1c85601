import { basename } from "node:path";
import { visibleText } from "../base/visible-text.ts";
import type { Diagnostic } from "../contract/diagnostic.ts";
import type { ExaminedSkill } from "../contract/doctor-report.ts";
import { type Canvas, findingLines, moreLine, placeOf } from "./doctor-finding-lines.ts";
import { bySeverity } from "./doctor-shared-findings.ts";
import { advisedBodyTokens, tokenWords } from "./doctor-words.ts";
import { textWidth } from "./text-width.ts";

/** A skill with what was found in it: errors first, of each rule at most so many. */
export function skillLines(
  skill: ExaminedSkill,
  findings: readonly Diagnostic[],
  mostOfARule: number,
  canvas: Canvas,
): string[] {
  const counts = new Map<string, number>();
  const isShown = ({ code }: Diagnostic): boolean => {
    counts.set(code, (counts.get(code) ?? 0) + 1);
    return (counts.get(code) ?? 0) <= mostOfARule;
  };
  const sorted = [...findings].sort(bySeverity);
  const shown = sorted.filter(isShown);
  return [
    ...headLines(skill, canvas),
    ...findingLines(
      shown.map((diagnostic) => ({ diagnostic, place: placeOf(diagnostic) })),
      canvas,
    ),
    ...moreLine(
      sorted.filter((diagnostic) => !shown.includes(diagnostic)),
      skill.unlisted,
      canvas,
    ),
  ];
}

/** Its id, folder, kind and what it costs, on one line where there is room. */
function headLines({ id, folder, kind, faces, tokens }: ExaminedSkill, { paint, width }: Canvas): string[] {
  const path = visibleText(folder);
  const name = visibleText(id);
  const isNamedAlike = basename(folder) === id;
  const title = isNamedAlike ? path : `${name}  ${path}`;
  const painted = isNamedAlike
    ? `${paint.dim(path.slice(0, path.length - name.length))}${paint.bold(name)}`
    : `${paint.bold(name)}  ${paint.dim(path)}`;
  const kinds = faces.length > 1 ? faces.join(" and ") : (kind ?? "of no known kind");
  const costs = tokens === null ? "" : `, ${tokenWords(tokens)}`;
  const isHeavy = tokens !== null && tokens.body > advisedBodyTokens;
  const facts = `${paint.dim(kinds)}${isHeavy ? paint.yellow(costs) : paint.dim(costs)}`;
  const fits = width === null || textWidth(`${title}  ${kinds}${costs}`) <= width;
  return fits ? [`${painted}  ${facts}`] : [painted, `  ${facts}`];
}
