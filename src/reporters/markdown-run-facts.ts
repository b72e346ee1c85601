import { describeContainment } from "../contract/containment.ts";
import type { Report } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { markdownTable, wordColumn } from "./markdown-table.ts";

/** What a reader must know to judge the numbers, and to get them again. */
export function* runFacts({ run, tool }: Report): Generator<string> {
  if (!isRecorded(run)) {
    yield "How these results were made is not recorded in the file they come from.\n";
    return;
  }
  const { backend, unproven } = run.containment;
  const facts: [string, string | null][] = [
    ["Run", run.id],
    ["Started", run.startedAt],
    ["Finished", run.finishedAt],
    ["Contained by", backend],
    ["Not proven", unproven.length === 0 ? null : unproven.join(", ")],
    ["Trials per task", String(run.runs)],
    ["Concurrency", String(run.concurrency)],
    ["Retries", String(run.retries)],
    ["Deadline", `${run.timeoutMs} ms`],
    ["Evaluator", run.evaluator],
    ["Seed", String(run.seed)],
    ["Store", run.store],
    ["Tool", `${tool.name} ${tool.version}`],
  ];
  const known = facts.flatMap(([fact, value]) => (value === null ? [] : [[fact, value]]));
  yield `${escapeMarkdown(describeContainment(run.containment))}\n\n`;
  yield* markdownTable([wordColumn("Fact"), wordColumn("Value")], known);
}
