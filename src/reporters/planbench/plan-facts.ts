import type { PlanReport } from "../../contract/planbench-report.ts";
import { isolationWords } from "../agent/agent-facts.ts";

type Told = Pick<PlanReport, "run" | "tool">;

/** What a reader of a report on plans must know to judge it, and to get it again; what does not apply is left out. */
export function planRunFacts({ run, tool }: Told): [string, string][] {
  const { isolation } = run;
  const facts: [string, string][] = [
    ["Run", run.id],
    ["Tool", `${tool.name} ${tool.version}`],
    ["Started", run.startedAt],
    ["Finished", run.finishedAt],
    ["Bench", run.bench],
    ["Model", run.model],
    ["Answered by", run.answeredBy.join(", ")],
    ["Parameters", parameterWords({ run })],
    ["Samples per case", String(run.samples)],
    ["Repairs at most", String(run.maxRepairs)],
    ["Schema", run.schema.name],
    ["Schema digest", run.schema.digest],
    ["Skills", skillWords({ run })],
    ["Isolation", isolation === null ? "" : isolationWords({ run: { isolation } })],
    ["Contained by", isolation?.backend ?? ""],
    ["Not proven", isolation?.unproven.join(", ") ?? ""],
    ["Seed", String(run.seed)],
    ["Concurrency", String(run.concurrency)],
    ["Store", run.store],
  ];
  return facts.filter(([, value]) => value !== "");
}

/** What the model was asked with; empty where nothing was set. */
export function parameterWords({ run }: Pick<PlanReport, "run">): string {
  const { parameters } = run;
  if (parameters === null || typeof parameters !== "object")
    return parameters === null ? "" : String(parameters);
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function skillWords({ run }: Pick<PlanReport, "run">): string {
  return Object.entries(run.skills)
    .map(([id, digest]) => `${id} ${digest}`)
    .join(", ");
}
