import type { ReportFile } from "../src/contract/report.ts";
import { isRecorded } from "../src/contract/unrecorded-run.ts";
import { describeReach } from "./describe-reach.ts";
import { FactList } from "./fact-list.tsx";

/** What a reader must know to judge the numbers, and to get them again. */
export function RunFacts({ report: { run, tool } }: { report: ReportFile }) {
  if (!isRecorded(run)) return <p>How these results were made is not recorded in the file they come from.</p>;
  const { level, backend, unproven } = run.containment;
  const facts: [string, string | null][] = [
    ["Run", run.id],
    ["Tool", `${tool.name} ${tool.version}`],
    ["Started", run.startedAt],
    ["Finished", run.finishedAt],
    ["Containment", describeReach(run.containment)],
    ["Contained by", backend ?? (level === "off" ? "nothing" : null)],
    ["Not proven here", unproven.length === 0 ? null : unproven.join(", ")],
    ["Trials per task", String(run.runs)],
    ["Concurrency", String(run.concurrency)],
    ["Retries", String(run.retries)],
    ["Deadline", `${run.timeoutMs} ms`],
    ["Evaluator", run.evaluator],
    ["Seed", String(run.seed)],
    ["Store", run.store],
  ];
  return (
    <section aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <FactList class="facts-wide" facts={facts} />
    </section>
  );
}
