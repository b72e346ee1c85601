import { type SkillSummary, skillSummary } from "../../aggregate/summarize-skill.ts";
import { agentSuite } from "../../contract/agent-report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { StoredReport } from "../../contract/store.ts";
import { storedReport } from "../reports-to-keep.ts";
import { type AgentJob, subjectOf } from "./agent-cells.ts";
import type { AgentPlan } from "./agent-request.ts";

/** What `history` will know of a run over agent cases: a row per suite and model. */
export interface AgentHistory {
  add(cell: CellResult): void;
  reports(timestamp: string): StoredReport[];
}

export function agentHistory(
  jobs: readonly AgentJob[],
  { seed, cases, tags, levels }: Pick<AgentPlan, "seed" | "cases" | "tags" | "levels">,
): AgentHistory {
  const rows = new Map<string, { suite: string; subject: string; jobs: AgentJob[] }>();
  const rowOfCell = new Map<string, string>();
  for (const job of jobs) {
    const subject = subjectOf(job);
    const { suite } = job.loaded;
    const name = JSON.stringify([suite, subject]);
    const row = rows.get(name) ?? { suite, subject, jobs: [] };
    row.jobs.push(job);
    rows.set(name, row);
    rowOfCell.set(job.cell.key, name);
  }
  const summaries = new Map([...rows].map(([name, row]) => [name, summaryOf(row, seed)]));
  return {
    add: (cell) => summaries.get(rowOfCell.get(cell.cellKey) ?? "")?.add(cell),
    // A run over some of the cases says nothing about all of them.
    reports: (timestamp) =>
      cases.length > 0 || tags.length > 0 || levels !== null
        ? []
        : [...summaries.values()].map((summary) => storedReport(summary.report(timestamp))),
  };
}

function summaryOf(
  { suite, subject, jobs }: { suite: string; subject: string; jobs: readonly AgentJob[] },
  seed: number,
): SkillSummary {
  return skillSummary({
    skill: { id: subject, version: "", digest: jobs[0]?.cell.skill.digest ?? "" },
    benchmark: { id: agentSuite(suite), version: "", scoringMethod: "mean", k: 1, maxLatencyMs: 30_000 },
    runs: Math.max(1, ...jobs.map(({ trial }) => trial)),
    seed,
    taskIds: [...new Set(jobs.map(({ loaded }) => loaded.case.id))],
  });
}
