import type { SkillReport } from "../contract/report.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { markdownTable, numberColumn } from "./markdown-table.ts";
import { skillFigures } from "./skill-figures.ts";

/** What was tested, how the cells ended, and every figure the summary table has no room for. */
export function* markdownSkillFigures(skill: SkillReport): Generator<string> {
  yield `${testedParts(skill).map(escapeMarkdown).join(", ")}\n\n`;
  yield* countTable(skill);
  yield "\n";
  for (const [name, value] of skillFigures(skill)) yield `- ${name}: ${escapeMarkdown(value)}\n`;
}

/** A file of bare results need not name versions and content. */
function testedParts({ skillVersion, skillDigest, benchmarkId, benchmarkVersion }: SkillReport): string[] {
  return [
    ...(skillVersion === "" ? [] : [`Version ${skillVersion}`]),
    `benchmark ${benchmarkId} ${benchmarkVersion}`.trimEnd(),
    ...(skillDigest === "" ? [] : [`content ${skillDigest}`]),
  ];
}

function* countTable({ counts }: SkillReport): Generator<string> {
  const titles = ["Total", "Pass", "Fail", "Error", "Timeout", "Invalid (not in total)"];
  const { total, pass, fail, error, timeout, invalid } = counts;
  const row = [total, pass, fail, error, timeout, invalid].map(String);
  yield* markdownTable(titles.map(numberColumn), [row]);
}
