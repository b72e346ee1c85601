import { agentFold } from "../../aggregate/agent/agent-fold.ts";
import type { PlannedCase } from "../../aggregate/agent/case-row.ts";
import { isoTime } from "../../base/clock.ts";
import { nearPath } from "../../base/near-path.ts";
import { redactor } from "../../base/redact.ts";
import type {
  AgentReport,
  AgentReporter,
  AgentResult,
  AgentResultReader,
} from "../../contract/agent-report.ts";
import { parseCell } from "../../contract/report.ts";
import { noTelemetry, type Telemetry } from "../../contract/telemetry.ts";
import { type CellsWorld, runCells } from "../run-cells.ts";
import { withSpooledCells } from "../spooled-cells.ts";
import { planReportFiles, shownFiles, writeReports } from "../write-reports.ts";
import type { AgentJob } from "./agent-cells.ts";
import { agentHistory } from "./agent-history.ts";
import { agentPart } from "./agent-part.ts";
import type { AgentOutput } from "./agent-request.ts";
import type { AgentSession } from "./agent-session.ts";
import type { AgentWorld } from "./execute-agent.ts";
import { makeAgentReport } from "./make-agent-report.ts";
import { regradeRuns } from "./regrade-runs.ts";
import { skillVersions } from "./skill-versions.ts";

export interface AgentsWorld extends Omit<CellsWorld, "store"> {
  reporters: readonly AgentReporter[];
  version: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  telemetry?: Telemetry | undefined;
}

export type AgentsEnd =
  | ({ state: "done"; report: AgentReport; results: AgentResultReader } & Disposable)
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Runs every case that has no verdict yet, and reports over all of them. */
export async function runAgents(
  { run, plan, ready, store }: AgentSession,
  output: AgentOutput,
  world: AgentsWorld,
): Promise<AgentsEnd> {
  const { jobs, sandbox } = ready;
  const secrets = ready.secrets();
  const redact = redactor(secrets);
  const shared: AgentWorld = {
    plan,
    evalRunId: run.id,
    runsDir: output.runsDir,
    catalogs: ready.catalogs,
    conversations: ready.conversations,
    models: ready.models,
    judge: ready.judge,
    sandbox,
    isolation: ready.isolation,
    env: world.env,
    secrets,
    redact,
    telemetry: world.telemetry ?? noTelemetry,
    clock: world.clock,
    random: world.random,
  };
  const regraded = await regradeRuns(run, jobs, store, shared);
  const fold = agentFold({ cases: plannedCases(jobs), seed: plan.seed });
  const history = agentHistory(jobs, plan);
  const passedOver = new Set<string>();
  const versions = skillVersions();
  const suites = [...new Set(jobs.map(({ loaded }) => loaded.suite))];
  const parts = suites.map((suite) =>
    agentPart({
      suite,
      jobs: jobs.filter(({ loaded }) => loaded.suite === suite),
      world: shared,
      regraded,
      add(result, cell) {
        fold.add(result);
        history.add(cell);
        versions.add(result);
        for (const warning of result.warnings)
          if (passedOver.size < mostWarnings) passedOver.add(`${result.suite}/${result.case_id}: ${warning}`);
      },
    }),
  );
  const end = await runCells(
    run,
    {
      parts,
      concurrency: output.concurrency,
      evalLog: output.evalLog,
      containment: sandbox.containment,
      warnings: ready.warnings,
      redact,
      abandon: async () => {},
    },
    { ...world, store },
  );
  if (end.state === "interrupted") return end;

  const found = [...[...passedOver].sort(), ...versions.warnings()];
  for (const message of found) end.tell({ type: "warning", message });
  const finishedAt = isoTime(world.clock.now());
  const places = { outputDir: output.outputDir, namesBegin: "agent-result" } as const;
  using files = planReportFiles(world.reporters, places, finishedAt, world.disk);
  const report = makeAgentReport(
    {
      run: { id: run.id, startedAt: run.startedAt, finishedAt },
      plan,
      ready,
      summary: fold.summary({ gates: output.gates, gateOn: output.gateOn }),
      version: world.version,
      warnings: [...end.warnings, ...found],
      files: shownFiles(files.files, world.cwd),
      runsDir: nearPath(output.runsDir, world.cwd),
      mixedSkills: versions.mixed(),
    },
    output,
  );
  return await withSpooledCells(store, run.id, parts, { disk: world.disk }, async (cells) => {
    const results = readOften(function* () {
      for (const part of parts)
        for (const skillId of part.skillIds)
          for (const text of cells.texts(part.suiteId, skillId)) yield part.resultOf(parseCell(text));
    });
    writeReports(files.files, (reporter) => reporter.render(report, results), world.disk);
    // Only now: a run whose report could not be written is not done, and `--resume` finds it.
    await store.finishRun(run.id, "done", history.reports(finishedAt), finishedAt);
    end.tell({ type: "run-ended", state: "done" });
    return { state: "done" as const, report, results };
  });
}

/** Reports read the results several times. Few of them are kept after the first time, many are read anew: memory stays flat. */
function readOften(read: AgentResultReader): AgentResultReader {
  let kept: AgentResult[] | null = null;
  return function* () {
    if (kept !== null) return yield* kept;
    const seen: AgentResult[] = [];
    for (const result of read()) {
      if (seen.length <= mostKept) seen.push(result);
      yield result;
    }
    if (seen.length <= mostKept) kept = seen;
  };
}

const mostKept = 1000;
const mostWarnings = 50;

function plannedCases(jobs: readonly AgentJob[]): PlannedCase[] {
  return jobs
    .filter(({ trial, condition }) => trial === 1 && condition === "with-skills")
    .map(({ loaded, model }) => ({
      suite: loaded.suite,
      case_id: loaded.case.id,
      case_digest: loaded.digest,
      model,
      level: loaded.level,
      min_pass_rate: loaded.case.min_pass_rate,
    }));
}
