import pc from "picocolors";
import type { ReportView } from "../../contract/format.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { verdictMark } from "../../report/view/verdict-words.ts";
import { cutWords, limitLines, oneLine, wrapText } from "../../report/view/wrap-words.ts";
import type { VerdictChange } from "./verdict-changes.ts";

interface Screen {
  color: boolean;
  width: number | null;
}

const defaultWidth = 100;
const minWidth = 40;
const maxChanges = 20;
const maxReasonLines = 4;

/** The verdicts that changed, what failed first: `✗ unit  slug basic_001  passed → failed`, and why. */
export function changeLines(changes: readonly VerdictChange[], { color, width: columns }: Screen): string[] {
  const { green, red, dim } = pc.createColors(color);
  const width = Math.max(minWidth, columns ?? defaultWidth);
  const shown = changes.slice(0, maxChanges);
  const names = shown.map(({ level, name }) => oneLine(`${level}  ${name}`));
  const widest = Math.min(Math.max(0, ...names.map(textWidth)), Math.floor(width / 2));
  return [
    ...shown.flatMap(({ isPassed, words, reason }, at) => {
      const name = cutWords(names[at] ?? "", widest);
      const line = `${name}${" ".repeat(Math.max(0, widest - textWidth(name)))}  ${words}`;
      if (isPassed) return [green(`✓ ${line}`)];
      const why = reason === null ? [] : limitLines(wrapText(reason, width - 4), maxReasonLines);
      return [red(`✗ ${line}`), ...why.map((text) => `    ${text}`)];
    }),
    ...(changes.length > maxChanges ? [dim(`… and ${changes.length - maxChanges} more`)] : []),
    ...(changes.length === 0 ? [dim("no verdict changed")] : []),
  ];
}

/** What the run came to as a whole. */
export function verdictLine(view: ReportView, { color }: Screen): string {
  const { green, red, yellow, bold } = pc.createColors(color);
  const tone = { passed: green, failed: red, unknown: yellow }[view.verdict.state];
  return bold(tone(`${verdictMark(view)} ${oneLine(view.verdict.words)}`));
}
