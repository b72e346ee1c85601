import type { AgentSummary } from "../../aggregate/agent/agent-fold.ts";
import type { AgentReport } from "../../contract/agent-report.ts";
import type { Json } from "../../contract/json.ts";
import type { AgentOutput, AgentPlan } from "./agent-request.ts";
import type { ReadyAgents } from "./prepare-agents.ts";

export interface AgentReportFacts {
  run: Pick<AgentReport["run"], "id" | "startedAt" | "finishedAt">;
  plan: Pick<AgentPlan, "seed">;
  ready: Pick<ReadyAgents, "jobs" | "skipped" | "isolation">;
  summary: AgentSummary;
  version: string;
  warnings: string[];
  files: string[];
  runsDir: string;
  /** Ids of skills whose files changed between the cells. */
  mixedSkills: string[];
}

/** Puts the document together: sums over the cells, the gates, the exit code. */
export function makeAgentReport(facts: AgentReportFacts, output: AgentOutput): AgentReport {
  const { ready, summary } = facts;
  const { level, backend, network, unproven } = ready.isolation;
  const models = [...new Set(ready.jobs.map(({ model }) => model))].filter((model) => model !== "none");
  const cases = new Set(ready.jobs.map(({ loaded }) => JSON.stringify([loaded.suite, loaded.case.id])));
  return {
    schemaVersion: 1,
    command: "agent eval",
    tool: { name: "eval-skills", version: facts.version },
    suite: [...new Set(ready.jobs.map(({ loaded }) => loaded.suite))].join(", "),
    run: {
      ...facts.run,
      models,
      seed: facts.plan.seed,
      concurrency: output.concurrency,
      store: output.store,
      runs_dir: facts.runsDir,
      isolation: { level, backend, network: network as Json, unproven },
    },
    totals: {
      cases: cases.size + ready.skipped.length,
      skipped: ready.skipped.length,
      ...summary.totals,
    },
    pass_rate: summary.pass_rate,
    metrics: summary.metrics,
    ...(summary.conversations !== null && { conversations: summary.conversations }),
    ...(facts.mixedSkills.length > 0 && { mixed_skill_version: facts.mixedSkills }),
    gates: summary.gates,
    cases: summary.cases,
    skipped: ready.skipped,
    warnings: facts.warnings,
    files: facts.files,
    exitCode: exitCodeOf(summary, output, facts.mixedSkills.length > 0),
  };
}

/** No verdict beats a failed case: nobody should read "failed" where we simply do not know. */
function exitCodeOf(
  { totals, unknown_baseline, gates, cases }: AgentSummary,
  { allowInvalid }: Pick<AgentOutput, "allowInvalid">,
  isMixed: boolean,
): 0 | 1 | 3 {
  // Figures over two versions of a skill are figures of neither.
  if (isMixed) return 3;
  const isUnknown = totals.invalid + unknown_baseline > 0 || gates.some(({ passed }) => passed === null);
  if (isUnknown && !allowInvalid) return 3;
  const hasFailed = cases.some(({ pass }) => pass === false) || gates.some(({ passed }) => passed === false);
  return hasFailed ? 1 : 0;
}
