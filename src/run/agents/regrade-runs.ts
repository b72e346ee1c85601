import { existsSync } from "node:fs";
import { join } from "node:path";
import { eachOf } from "../../base/each-of.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import { agentSuite } from "../../contract/agent-report.ts";
import type { LoadedCase } from "../../contract/loaded-case.ts";
import type { Store } from "../../contract/store.ts";
import { readRun } from "../../events/read-run.ts";
import { pureReport } from "../../scorers/agent/grade-pure.ts";
import { gradeRun, graderVersion } from "../../scorers/agent/grade-run.ts";
import { conversationGraderVersion } from "../../scorers/conversation/grader-version.ts";
import { judgeConversation } from "../conversations/judge-conversation.ts";
import type { StartedRun } from "../run-cells.ts";
import { storedVerdicts } from "../stored-results.ts";
import { type AgentJob, subjectOf } from "./agent-cells.ts";
import { stored } from "./agent-part.ts";
import type { AgentWorld } from "./execute-agent.ts";
import { isAgentCase, isConversation } from "./plan-jobs.ts";
import { wordsIn } from "./rubric-judge.ts";
import { runPureCase } from "./run-pure-case.ts";

/** Grades runs anew that an older grader graded: the evidence is still there, and nothing has to be run again. */
export async function regradeRuns(
  run: StartedRun,
  jobs: readonly AgentJob[],
  store: Store,
  world: Pick<AgentWorld, "plan" | "conversations">,
): Promise<Map<string, CaseReport>> {
  const regraded = new Map<string, CaseReport>();
  if (!run.isResumed) return regraded;
  const byKey = new Map(jobs.map((job) => [job.cell.key, job]));
  const kept = new Map(jobs.map((job) => [JSON.stringify([job.loaded.suite, subjectOf(job)]), job]));
  for (const job of kept.values()) {
    const place = { suiteId: agentSuite(job.loaded.suite), skillIds: [subjectOf(job)] };
    for await (const result of eachOf(storedVerdicts(store, run.id, place))) {
      const { grader, run_dir } = stored(result);
      const loaded = byKey.get(result.cellKey)?.loaded;
      if (loaded === undefined || grader === graderOf(loaded)) continue;
      const before = stored(result);
      if (isConversation(loaded)) {
        const { conversation } = before;
        if (conversation !== undefined)
          regraded.set(result.cellKey, await judgeConversation(conversation, loaded, before, world));
        continue;
      }
      if (!isAgentCase(loaded)) {
        regraded.set(result.cellKey, pureReport(loaded, await runPureCase(loaded)));
        continue;
      }
      if (run_dir === null || !existsSync(join(run_dir, "events.jsonl"))) continue;
      const about = { trial: before.trial, model: before.model, rubric: wordsIn(before) };
      regraded.set(result.cellKey, await gradeRun(readRun(run_dir), loaded, about));
    }
  }
  return regraded;
}

function graderOf(loaded: LoadedCase): string {
  return isConversation(loaded) ? conversationGraderVersion : graderVersion;
}
