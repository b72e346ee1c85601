import type { CaseReport } from "../../contract/agent-report.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import { markdownTable, wordColumn } from "../markdown-table.ts";
import { caseFacts } from "./case-facts.ts";
import { caseName, noVerdictWords } from "./cell-words.ts";
import { dimensionMarks, scoreKinds, scoreNames, statusWords } from "./dimension-words.ts";
import { markdownFailures } from "./markdown-cells.ts";
import { scoreWords } from "./score-words.ts";

/** What a grader says about one run, as Markdown. */
export function caseMarkdown(report: CaseReport): string {
  return [...pieces(report)].join("");
}

function* pieces(report: CaseReport): Generator<string> {
  const { status, run_id, model, trial, scores, failures, not_exercised, warnings } = report;
  const about = [...(run_id === null ? [] : [`run ${run_id}`]), `model ${model}`, `trial ${trial}`];
  yield `# ${escapeMarkdown(caseName(report))}: ${status === "invalid" ? "no verdict" : status}\n\n`;
  yield `${escapeMarkdown([...about, ...caseFacts(report)].join(", "))}\n\n`;
  if (status === "invalid") yield `**${escapeMarkdown(noVerdictWords(report))}**\n\n`;
  yield* markdownTable(
    [wordColumn("Dimension"), wordColumn("Status"), wordColumn("Checks")],
    scoreNames(scoreKinds({ scores })).flatMap((name) => {
      const score = scores[name];
      if (score === undefined) return [];
      const { status: of } = score;
      return [
        [name, `${dimensionMarks[of]} ${statusWords[of]}`, of === "not_applicable" ? "" : scoreWords(score)],
      ];
    }),
  );
  if (failures.length > 0) yield "\n## Failures\n\n";
  yield* markdownFailures(report);
  yield* list("Checks never exercised", not_exercised);
  yield* list("Warnings", warnings);
}

function* list(title: string, items: readonly string[]): Generator<string> {
  if (items.length === 0) return;
  yield `\n## ${title}\n\n`;
  for (const item of items) yield `- ${escapeMarkdown(item)}\n`;
}
