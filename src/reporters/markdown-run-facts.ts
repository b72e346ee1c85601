import type { Report } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { describeContainment } from "./describe-containment.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { markdownTable, wordColumn } from "./markdown-table.ts";
import { runFacts } from "./run-facts.ts";

/** The facts of the run; the containment, on which everything rests, first and in the words the terminal has for it. */
export function* markdownRunFacts(report: Report): Generator<string> {
  const { run } = report;
  if (!isRecorded(run)) {
    yield "How these results were made is not recorded in the file they come from.\n";
    return;
  }
  yield `${escapeMarkdown(describeContainment(run.containment))}\n\n`;
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], runFacts(report));
}
