import type { Report } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { markdownTable, wordColumn } from "./markdown-table.ts";
import { runFacts } from "./run-facts.ts";

/** The facts of the run, a row for each. */
export function* markdownRunFacts(report: Report): Generator<string> {
  if (!isRecorded(report.run)) {
    yield "How these results were made is not recorded in the file they come from.\n";
    return;
  }
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], runFacts(report));
}
