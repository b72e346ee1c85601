import pc from "picocolors";
import type { JudgeCalibration } from "../../levels/trigger/calibrate-judge.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";

const maxListed = 10;

/** How far a judge agrees with people, as text for stdout. */
export function calibrationLines(facts: JudgeCalibration, color: boolean): string {
  const { judge, calibration, disagreements, minKappa } = facts;
  const paint = pc.createColors(color);
  const { labels, unanswered, agreement, kappa, interval } = calibration;
  const bounds =
    interval === null
      ? ""
      : ` [${interval.lower.toFixed(3)}–${interval.upper.toFixed(3)}] for labels like these`;
  const verdict = kappa !== null && kappa >= minKappa ? paint.green : paint.red;
  const name = [judge.label ?? judge.kind, judge.model ?? ""].join(" ").trim();
  const head = alignedLines([
    ["judge", visibleText(name)],
    ["labels", `${labels}${unanswered === 0 ? "" : `, ${unanswered} without a usable answer`}`],
    ["agreement", agreement === null ? "undefined" : `${(100 * agreement).toFixed(1)} %`],
    ["kappa", verdict(`${kappa === null ? "undefined" : kappa.toFixed(3)}${bounds}`)],
  ]);
  const rows = disagreements
    .slice(0, maxListed)
    .map(({ skill, query, label, answer, why }) => [
      `  ${visibleText(skill)}`,
      `people: ${label}, judge: ${answer ?? "no answer"}`,
      shownText(query, 60),
      shownText(why, 60),
    ]);
  const more = disagreements.length - rows.length;
  const rest = more > 0 ? [paint.dim(`  … and ${pluralize(more, "more")}`.replace(/s$/, ""))] : [];
  const listed =
    rows.length === 0 ? [] : ["", paint.bold("where they differ"), ...alignedLines(rows), ...rest];
  return `${[...head, ...listed].join("\n")}\n`;
}
