import type { PlanTable } from "../../contract/planbench-report.ts";
import { grouped } from "../format-numbers.ts";
import { textWidth } from "../text-width.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";

type Paint = TextTerms["paint"];

interface Part {
  count: number;
  words: string;
  /** A letter of its own, so that nobody has to tell parts apart by colour. */
  mark: string;
  tone: (paint: Paint) => (text: string) => string;
}

function partsOf({ buckets }: Pick<PlanTable, "buckets">): Part[] {
  const late = buckets["3"] + buckets["4"] + buckets["5"];
  const all: Part[] = [
    { count: buckets["0"], words: "at once", mark: "█", tone: (paint) => paint.green },
    { count: buckets["1"], words: "after 1", mark: "▓", tone: (paint) => paint.cyan },
    { count: buckets["2"], words: "after 2", mark: "▒", tone: (paint) => paint.blue },
    { count: late, words: "after 3 or more", mark: "░", tone: (paint) => paint.magenta },
    { count: buckets.fail, words: "failed", mark: "×", tone: (paint) => paint.red },
  ];
  return all.filter(({ count }) => count > 0);
}

/** Samples by how many repairs they took, as one bar in parts, and what the parts mean in as many lines as it takes. */
export function bucketBar(
  table: Pick<PlanTable, "buckets">,
  { paint, columns, room }: { paint: Paint; columns: number; room: number | null },
): { bar: string; legend: string[] } {
  const parts = partsOf(table);
  const widths = shareOut(
    parts.map(({ count }) => count),
    columns,
  );
  const bar = parts.map(({ mark, tone }, at) => tone(paint)(mark.repeat(widths[at] ?? 0))).join("");
  return { bar, legend: legendOf(parts, paint, room) };
}

function legendOf(parts: readonly Part[], paint: Paint, room: number | null): string[] {
  const lines: { text: string; width: number }[] = [];
  for (const { mark, count, words, tone } of parts) {
    const plain = `${mark} ${grouped(count)} ${words}`;
    const painted = `${tone(paint)(mark)} ${grouped(count)} ${paint.dim(words)}`;
    const width = textWidth(plain);
    const last = lines.at(-1);
    if (last !== undefined && (room === null || last.width + 2 + width <= room)) {
      last.text += `  ${painted}`;
      last.width += 2 + width;
    } else lines.push({ text: painted, width });
  }
  return lines.map(({ text }) => text);
}

/** Columns in the proportion of counts, at least one for each: what is rare must be seen too. */
function shareOut(counts: readonly number[], columns: number): number[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const widths = counts.map((count) => Math.max(1, Math.round((count / all) * columns)));
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - columns; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = Math.max(1, (widths[widest] ?? 1) - 1);
  }
  return widths;
}
