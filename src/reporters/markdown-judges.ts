import type { JudgeFigures, Report } from "../contract/report.ts";
import { fraction, milliseconds, percent, usd } from "./format-numbers.ts";
import { judgeNote } from "./judge-note.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";

/** How far the judges can be trusted and what they took, where models judged. */
export function* judgeSection({ judges = [] }: Report): Generator<string> {
  if (judges.length === 0) return;
  yield "\n## Judges\n\n";
  const columns = [
    wordColumn("Model"),
    numberColumn("Cells"),
    numberColumn("No verdict"),
    numberColumn("Calls"),
    numberColumn("Time"),
    numberColumn("Cost"),
    numberColumn("Canaries answered"),
    numberColumn("Drift"),
    numberColumn("Attacks that worked"),
  ];
  yield* markdownTable(columns, judges.map(judgeRow));
  yield `\nTime and cost of judging are not part of any skill's figures. ${judgeNote}\n`;
}

function judgeRow({
  model,
  cells,
  failureRate,
  calls,
  latencyMs,
  costUsd,
  canaries,
}: JudgeFigures): string[] {
  return [
    model,
    String(cells),
    percent(failureRate),
    String(calls),
    milliseconds(latencyMs),
    usd(costUsd),
    canaries === null ? "not asked" : `${canaries.answered} of ${canaries.asked}`,
    fraction(canaries?.drift ?? null),
    percent(canaries?.flipRate ?? null),
  ];
}
