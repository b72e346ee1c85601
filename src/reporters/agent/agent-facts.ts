import type { AgentReport } from "../../contract/agent-report.ts";
import { describeReach } from "../describe-containment.ts";

type Told = Pick<AgentReport, "run" | "tool">;

/** What a reader of a report on agent runs must know to judge it, and to get it again; what does not apply is left out. */
export function agentRunFacts({ run, tool }: Told): [string, string][] {
  const { backend, unproven } = run.isolation;
  const facts: [string, string][] = [
    ["Run", run.id],
    ["Tool", `${tool.name} ${tool.version}`],
    ["Started", run.startedAt],
    ["Finished", run.finishedAt],
    ["Models", modelWords({ run })],
    ["Isolation", isolationWords({ run })],
    ["Contained by", backend ?? ""],
    ["Not proven", unproven.join(", ")],
    ["Seed", String(run.seed)],
    ["Concurrency", String(run.concurrency)],
    ["Run directories", run.runs_dir],
    ["Store", run.store],
  ];
  return facts.filter(([, value]) => value !== "");
}

/** Who decided; nobody where only pure functions were tested. */
export function modelWords({ run }: Pick<AgentReport, "run">): string {
  return run.models.length === 0 ? "none" : run.models.join(", ");
}

/** What scripts could reach: `process, network: open, answer keys readable`. */
export function isolationWords({ run }: { run: Pick<AgentReport["run"], "isolation"> }): string {
  const { level, network } = run.isolation;
  const isListed = Array.isArray(network) && network.every((host) => typeof host === "string");
  return describeReach({
    level,
    network: isListed ? network : typeof network === "string" ? network : JSON.stringify(network),
  });
}
