import type { Report } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { describeReach } from "./describe-containment.ts";

/** What a reader must know to judge the numbers, and to get them again; what does not apply is left out. */
export function runFacts({ run, tool, judges = [] }: Report): [string, string][] {
  const made: [string, string] = ["Tool", `${tool.name} ${tool.version}`];
  if (!isRecorded(run)) return [["Run", "not recorded in the file these results come from"], made];
  const { backend, unproven, hint } = run.containment;
  const facts: [string, string][] = [
    ["Run", run.id],
    made,
    ["Started", run.startedAt],
    ["Finished", run.finishedAt],
    ["Containment", describeReach(run.containment)],
    ["Contained by", backend ?? ""],
    ["Not proven", unproven.join(", ")],
    ["Stronger with", hint ?? ""],
    ["Trials per task", String(run.runs)],
    ["Concurrency", String(run.concurrency)],
    ["Retries", String(run.retries)],
    ["Deadline", `${run.timeoutMs} ms`],
    ["Evaluator", run.evaluator],
    ["Judged by", judges.map(({ model }) => model).join(", ")],
    ["Seed", String(run.seed)],
    ["Store", run.store],
  ];
  return facts.filter(([, value]) => value !== "");
}
